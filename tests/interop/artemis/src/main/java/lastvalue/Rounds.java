package lastvalue;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Collections;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Does a round of a client's usual work for each line that it reads, and writes the line when it is done. */
public final class Rounds {
  private static final int KEYS = 10;
  private static final int LARGE_BYTES = 300_000;
  private static final int SOON_MS = 30_000;

  /** Arguments: the broker's URL, the name of a last-value queue by `k`, and of another queue. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(arguments[0]);
          Connection connection = factory.createConnection()) {
        connection.start();
        update(connection, arguments[1], line);
        work(connection, arguments[2]);
        reply(connection);
      }
      System.out.println(line);
    }
    System.exit(0);
  }

  /** Updates of values, of which half are rolled back, and a look at them. */
  private static void update(Connection connection, String name, String text) throws JMSException {
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    for (String value : new String[] {text, "never"}) {
      for (int key = 0; key < KEYS; key++) {
        Message message = session.createTextMessage(value);
        message.setStringProperty("k", String.valueOf(key));
        producer.send(message);
      }
      if (value.equals(text)) {
        session.commit();
      } else {
        session.rollback();
      }
    }
    QueueBrowser browser = session.createBrowser(queue);
    for (Object found : Collections.list(browser.getEnumeration())) {
      check(((Message) found).getBody(String.class).equals(text), "a value that was not committed");
    }
    browser.close();
  }

  /** A large message there and back; it is delivered twice. */
  private static void work(Connection connection, String name) throws JMSException {
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    Queue queue = session.createQueue(name);
    BytesMessage large = session.createBytesMessage();
    large.writeBytes(new byte[LARGE_BYTES]);
    session.createProducer(queue).send(large);
    MessageConsumer consumer = session.createConsumer(queue);
    check(consumer.receive(SOON_MS) != null, "no large message");
    session.recover();
    BytesMessage again = (BytesMessage) consumer.receive(SOON_MS);
    check(again != null && again.getBodyLength() == LARGE_BYTES, "another large message");
    again.acknowledge();
  }

  /** A queue that goes with its connection. */
  private static void reply(Connection connection) throws JMSException {
    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
    TemporaryQueue queue = session.createTemporaryQueue();
    session.createProducer(queue).send(session.createMapMessage());
    check(session.createConsumer(queue).receive(SOON_MS) != null, "no reply");
  }

  private static void check(boolean holds, String fault) {
    if (!holds) {
      throw new AssertionError(fault);
    }
  }
}
