package lastvalue;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Sends numbered messages through a connection that breaks; one that is not confirmed is sent again. */
public final class Sender {
  private static final int ATTEMPTS = 1000;

  /** Arguments: the broker's URL, the queue's name, the number of messages. */
  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[2]);
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(arguments[0]);
        Connection connection = factory.createConnection()) {
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(session.createQueue(arguments[1]));
      int repeated = 0;
      for (int number = 0; number < count; number++) {
        TextMessage message = session.createTextMessage(String.valueOf(number));
        message.setStringProperty("_AMQ_DUPL_ID", "message-" + number);
        for (int attempt = 0; ; attempt++) {
          try {
            producer.send(message);
            break;
          } catch (JMSException broken) {
            // Whether the broker has it is not known; its id tells.
            repeated++;
            if (attempt == ATTEMPTS) {
              throw broken;
            }
          }
        }
      }
      System.out.println("sent " + count + ", repeated " + repeated);
    }
    System.exit(0);
  }
}
