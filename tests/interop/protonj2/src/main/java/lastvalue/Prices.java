package lastvalue;

import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DistributionMode;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;

/** Publishes three prices to the last-value queue "prices" and browses what is current. */
public final class Prices {
  /** Arguments: the broker's host and port. */
  public static void main(String[] arguments) throws Exception {
    try (Client client = Client.create();
        Connection connection = client.connect(arguments[0], Integer.parseInt(arguments[1]))) {
      Sender sender = connection.openSender("prices");
      for (String[] price : new String[][] {{"AAPL", "101.5"}, {"MSFT", "402.1"}, {"AAPL", "101.7"}}) {
        sender.send(Message.create(price[1]).property("symbol", price[0])).awaitAccepted();
      }
      ReceiverOptions browsing = new ReceiverOptions();
      browsing.sourceOptions().distributionMode(DistributionMode.COPY);
      Receiver browser = connection.openReceiver("prices", browsing);
      Delivery delivery = browser.receive(1, TimeUnit.SECONDS);
      while (delivery != null) {
        Message<String> message = delivery.message();
        System.out.println(message.property("symbol") + " " + message.body());
        delivery = browser.receive(500, TimeUnit.MILLISECONDS);
      }
    }
  }
}
