package lastvalue;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Sends numbers to the queue "numbers" of a cluster, and prints each once it is confirmed, until its input ends. */
public final class Failover {
  /** Arguments: the brokers' URLs, the leader's first or not. */
  public static void main(String[] arguments) throws Exception {
    String brokers = "failover:(" + String.join(",", arguments) + ")?failover.maxReconnectAttempts=-1";
    Connection connection = new JmsConnectionFactory(brokers).createConnection();
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    try {
      MessageProducer producer = session.createProducer(session.createQueue("numbers"));
      for (int number = 0; System.in.available() == 0; number++) {
        producer.send(session.createTextMessage(Integer.toString(number)));
        System.out.println(number);
      }
    } catch (JMSException refused) {
      System.out.println(refused.getClass().getSimpleName() + " " + refused.getMessage());
    }
    connection.close();
  }
}
