package lastvalue;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Subscribes durably, or sends to the subscriptions while nobody reads and then reads them. */
public final class Subscriptions {
  private static final int SOON_MS = 30_000;
  private static final String CHOSEN = "color = 'red'";

  /** Arguments: the broker's URL, the text to send, and how many texts the subscriptions have then. */
  public static void main(String[] arguments) throws Exception {
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(arguments[0]);
        Connection connection = factory.createConnection()) {
      connection.setClientID("client");
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      Topic topic = session.createTopic("news");
      if (arguments.length == 2) {
        for (MessageConsumer consumer : subscribed(session, topic)) {
          consumer.close();
        }
        send(session, topic, arguments[1]);
      } else {
        send(session, topic, arguments[1]);
        connection.start();
        read(subscribed(session, topic), Integer.parseInt(arguments[2]));
      }
    }
    System.exit(0);
  }

  private static void send(Session session, Topic topic, String text) throws JMSException {
    MessageProducer producer = session.createProducer(topic);
    Message message = session.createTextMessage(text);
    message.setStringProperty("color", "red");
    producer.send(message);
  }

  private static void read(MessageConsumer[] consumers, int count) throws JMSException {
    for (int number = 0; number < count; number++) {
      for (MessageConsumer consumer : consumers) {
        Message found = consumer.receive(SOON_MS);
        System.out.println(found == null ? "nothing" : found.getBody(String.class));
      }
    }
  }

  /** A durable subscription, one with a selector, and a shared one. */
  private static MessageConsumer[] subscribed(Session session, Topic topic) throws JMSException {
    return new MessageConsumer[] {
      session.createDurableConsumer(topic, "plain"),
      session.createDurableConsumer(topic, "chosen", CHOSEN, false),
      session.createSharedDurableConsumer(topic, "shared")
    };
  }
}
