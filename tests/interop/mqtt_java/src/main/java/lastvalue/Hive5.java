package lastvalue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import java.util.concurrent.TimeUnit;

/** HiveMQ's client of MQTT 5.0. */
final class Hive5 extends Told.Client {
  private static final String TRACE = "trace";
  private final Mqtt5AsyncClient client;

  Hive5(int port, String name, String willTopic) {
    Mqtt5ClientBuilder builder =
        Mqtt5Client.builder().identifier(name).serverHost("127.0.0.1").serverPort(port);
    if (willTopic != null) {
      builder =
          builder
              .willPublish()
              .topic(willTopic)
              .qos(MqttQos.AT_LEAST_ONCE)
              .payload("abruptly".getBytes(UTF_8))
              .userProperties().add(TRACE, willTopic).applyUserProperties()
              .applyWillPublish();
    }
    client = builder.buildAsync();
    client.publishes(
        MqttGlobalPublishFilter.ALL,
        message -> {
          String topic = message.getTopic().toString();
          String said = message.getUserProperties().asList().get(0).getValue().toString();
          if (!said.equals(topic)) {
            throw new IllegalStateException(topic + " has the user property " + said);
          }
          take(topic, message.getPayloadAsBytes(), message.isRetain());
        });
  }

  @Override
  void connect(boolean clean) throws Exception {
    client
        .connectWith()
        .cleanStart(clean)
        .sessionExpiryInterval(clean ? 0 : 60)
        .restrictions().receiveMaximum(2).topicAliasMaximum(4).sendTopicAliasMaximum(4).applyRestrictions()
        .send()
        .get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void subscribe(String filter, int qos) throws Exception {
    client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send().get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void publish(String topic, String payload, int qos, boolean retain) throws Exception {
    Mqtt5PublishResult result =
        client
            .publishWith()
            .topic(topic)
            .qos(MqttQos.fromCode(qos))
            .payload(payload.getBytes(UTF_8))
            .retain(retain)
            .contentType("text/plain")
            .messageExpiryInterval(600)
            .userProperties().add(TRACE, topic).applyUserProperties()
            .send()
            .get(Told.SECONDS, TimeUnit.SECONDS);
    if (result.getError().isPresent()) {
      throw new IllegalStateException(result.getError().get());
    }
  }

  @Override
  void disconnect() throws Exception {
    client.disconnect().get(Told.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  void die() throws Exception {
    client
        .disconnectWith()
        .reasonCode(Mqtt5DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE)
        .send()
        .get(Told.SECONDS, TimeUnit.SECONDS);
  }
}
