package lastvalue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3Client;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import java.util.concurrent.TimeUnit;

/** HiveMQ's client of MQTT 3.1.1. */
final class Hive3 extends Told.Client {
  private final Mqtt3ClientBuilder builder;
  private final Mqtt3AsyncClient client;

  Hive3(int port, String name, String willTopic) {
    builder = Mqtt3Client.builder().identifier(name).serverHost("127.0.0.1").serverPort(port);
    Mqtt3ClientBuilder own = builder;
    if (willTopic != null) {
      own = own.willPublish().topic(willTopic).qos(MqttQos.AT_LEAST_ONCE).payload("abruptly".getBytes(UTF_8)).applyWillPublish();
    }
    client = own.buildAsync();
    client.publishes(
        MqttGlobalPublishFilter.ALL,
        message -> take(message.getTopic().toString(), message.getPayloadAsBytes(), message.isRetain()));
  }

  @Override
  void connect(boolean clean) throws Exception {
    client.connectWith().cleanSession(clean).send().get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void subscribe(String filter, int qos) throws Exception {
    client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send().get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void publish(String topic, String payload, int qos, boolean retain) throws Exception {
    client
        .publishWith()
        .topic(topic)
        .qos(MqttQos.fromCode(qos))
        .payload(payload.getBytes(UTF_8))
        .retain(retain)
        .send()
        .get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void disconnect() throws Exception {
    client.disconnect().get(Told.SECONDS, TimeUnit.SECONDS);
  }

  /** Another client takes its place. */
  @Override
  void die() throws Exception {
    Mqtt3AsyncClient another = builder.buildAsync();
    another.connectWith().cleanSession(true).send().get(Told.SECONDS, TimeUnit.SECONDS);
    another.disconnect().get(Told.SECONDS, TimeUnit.SECONDS);
  }
}
