package lastvalue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Eclipse Paho's client of MQTT 3.1 and 3.1.1. */
final class Paho3 extends Told.Client implements MqttCallback {
  private final MqttConnectOptions options = new MqttConnectOptions();
  private final MqttClient client;

  Paho3(int port, int level, String name, String willTopic) throws Exception {
    client = new MqttClient("tcp://127.0.0.1:" + port, name, new MemoryPersistence());
    client.setTimeToWait(1000 * Told.SECONDS);
    client.setCallback(this);
    options.setMqttVersion(level);
    if (willTopic != null) {
      options.setWill(willTopic, "abruptly".getBytes(UTF_8), 1, false);
    }
  }

  @Override
  void connect(boolean clean) throws Exception {
    options.setCleanSession(clean);
    client.connect(options);
  }

  @Override
  void subscribe(String filter, int qos) throws Exception {
    client.subscribe(filter, qos);
  }

  @Override
  void publish(String topic, String payload, int qos, boolean retain) throws Exception {
    client.publish(topic, payload.getBytes(UTF_8), qos, retain);
  }

  @Override
  void disconnect() throws Exception {
    client.disconnect();
  }

  @Override
  void die() throws Exception {
    client.disconnectForcibly(0, 1000 * Told.SECONDS, false);
  }

  @Override
  public void messageArrived(String topic, MqttMessage message) {
    take(topic, message.getPayload(), message.isRetained());
  }

  @Override
  public void deliveryComplete(IMqttDeliveryToken token) {}

  @Override
  public void connectionLost(Throwable cause) {}
}
