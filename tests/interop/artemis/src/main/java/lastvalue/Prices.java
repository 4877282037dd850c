package lastvalue;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Publishes three prices to the last-value queue "prices" and reads what is current. */
public final class Prices {
  /** Argument: the broker's URL. */
  public static void main(String[] arguments) throws Exception {
    ConnectionFactory factory = new ActiveMQConnectionFactory(arguments[0]);
    try (JMSContext context = factory.createContext()) {
      Queue prices = context.createQueue("prices");
      context.createProducer().setProperty("symbol", "AAPL").send(prices, "101.5");
      context.createProducer().setProperty("symbol", "MSFT").send(prices, "402.1");
      context.createProducer().setProperty("symbol", "AAPL").send(prices, "101.7");
      JMSConsumer consumer = context.createConsumer(prices);
      Message message = consumer.receive(1000);
      while (message != null) {
        System.out.println(message.getStringProperty("symbol") + " " + message.getBody(String.class));
        message = consumer.receive(500);
      }
    }
  }
}
