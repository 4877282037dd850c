package lastvalue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** Eclipse Paho's client of MQTT 5.0. */
final class Paho5 extends Told.Client implements MqttCallback {
  private final MqttConnectionOptions options = new MqttConnectionOptions();
  private final MqttClient client;

  Paho5(int port, String name, String willTopic) throws Exception {
    client = new MqttClient("tcp://127.0.0.1:" + port, name, new MemoryPersistence());
    client.setTimeToWait(1000 * Told.SECONDS);
    client.setCallback(this);
    if (willTopic != null) {
      options.setWill(willTopic, new MqttMessage("abruptly".getBytes(UTF_8), 1, false, new MqttProperties()));
    }
  }

  @Override
  void connect(boolean clean) throws Exception {
    options.setCleanStart(clean);
    options.setSessionExpiryInterval(clean ? 0L : 60L);
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
  public void deliveryComplete(IMqttToken token) {}

  @Override
  public void connectComplete(boolean again, String address) {}

  @Override
  public void disconnected(MqttDisconnectResponse response) {}

  @Override
  public void mqttErrorOccurred(MqttException fault) {}

  @Override
  public void authPacketArrived(int reason, MqttProperties properties) {}
}
