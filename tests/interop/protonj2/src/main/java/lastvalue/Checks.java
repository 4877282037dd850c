package lastvalue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.DistributionMode;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecuritySaslException;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.exceptions.ClientTransactionRolledBackException;
import org.apache.qpid.protonj2.types.UnsignedLong;

/**
 * What a program does with ProtonJ2, each a check of its own with a queue of its own name.
 *
 * <p>Prints one line for each check: its name, a tab, and "ok" or what went wrong.
 */
public final class Checks {
  private static final long SOON_MS = 5000;
  private static final long NOTHING_MS = 300;
  private static final UnsignedLong SELECTOR = UnsignedLong.valueOf(0x0000468C00000004L);

  private final Client client;
  private final String host;
  private final int port;
  private final int tlsPort;
  private final String queue;
  private Connection connection;

  private Checks(Client client, String[] arguments, String queue) {
    this.client = client;
    this.host = arguments[0];
    this.port = Integer.parseInt(arguments[1]);
    this.tlsPort = Integer.parseInt(arguments[2]);
    this.queue = queue;
  }

  /** Arguments: host, port, and the port of a broker with TLS where user "ann" has the queue "mine". */
  public static void main(String[] arguments) {
    Method[] methods = Checks.class.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    Client client = Client.create();
    for (Method method : methods) {
      if (method.getName().startsWith("check")) {
        String name = method.getName().substring("check".length());
        System.out.println(name + "\t" + outcome(new Checks(client, arguments, "j2-" + name), method));
      }
    }
    System.exit(0);
  }

  private static String outcome(Checks checks, Method method) {
    try {
      checks.connection = checks.client.connect(checks.host, checks.port);
      method.invoke(checks);
      checks.connection.close();
      return "ok";
    } catch (InvocationTargetException fault) {
      StackTraceElement where =
          Arrays.stream(fault.getCause().getStackTrace())
              .filter(each -> each.getMethodName().startsWith("check"))
              .findFirst()
              .orElse(null);
      return String.valueOf(fault.getCause()).replace('\n', ' ') + " at " + where;
    } catch (ReflectiveOperationException | ClientException fault) {
      return String.valueOf(fault);
    }
  }

  private void send(String... bodies) throws ClientException {
    Sender sender = connection.openSender(queue);
    for (String body : bodies) {
      Message<String> message = Message.create(body);
      sender.send(message.property("key", body.substring(0, 1))).awaitAccepted();
    }
    sender.close();
  }

  private static List<String> bodies(Receiver receiver, int count) throws ClientException {
    List<String> found = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Delivery delivery = receiver.receive(SOON_MS, TimeUnit.MILLISECONDS);
      found.add(delivery == null ? null : String.valueOf(delivery.message().body()));
    }
    return found;
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  private static void expectNothing(Receiver receiver) throws ClientException {
    Delivery more = receiver.receive(NOTHING_MS, TimeUnit.MILLISECONDS);
    if (more != null) {
      throw new AssertionError("nothing more was to come, but " + more.message().body());
    }
  }

  private static ReceiverOptions browsing() {
    ReceiverOptions options = new ReceiverOptions();
    options.sourceOptions().distributionMode(DistributionMode.COPY);
    return options;
  }

  void checkSend() throws ClientException {
    Tracker tracker = connection.openSender(queue).send(Message.create("one"));
    tracker.awaitSettlement(SOON_MS, TimeUnit.MILLISECONDS);
    expect(DeliveryState.Type.ACCEPTED, tracker.remoteState().getType());
    try {
      connection.openSender("there is none").openFuture().get();
    } catch (Exception refused) {
      expect(true, refused.getMessage().contains("there is no queue"));
      return;
    }
    throw new AssertionError("a link to no queue was opened");
  }

  void checkReceive() throws ClientException {
    send("one", "two");
    Receiver receiver = connection.openReceiver(queue);
    expect(List.of("one", "two"), bodies(receiver, 2));
    receiver.close();
    expectNothing(connection.openReceiver(queue));
  }

  void checkOutcomes() throws ClientException {
    send("one", "two");
    Receiver receiver = connection.openReceiver(queue, new ReceiverOptions().autoAccept(false).creditWindow(1));
    receiver.receive().reject("wrong", "not this one");
    receiver.receive().modified(true, false);
    Delivery again = receiver.receive();
    expect("two", again.message().body());
    expect(1L, again.message().toAdvancedMessage().deliveryCount());
    again.release();
    Delivery last = receiver.receive();
    last.accept();
    expectNothing(receiver);
  }

  void checkBrowse() throws ClientException {
    send("one", "two");
    expect(List.of("one", "two"), bodies(connection.openReceiver(queue, browsing()), 2));
    expect(List.of("one", "two"), bodies(connection.openReceiver(queue), 2));
  }

  void checkUpdates() throws ClientException {
    send("a1", "b1", "a2");
    Receiver browser = connection.openReceiver(queue, browsing());
    expect(List.of("b1", "a2"), bodies(browser, 2));
    send("b2");
    expect(List.of("b2"), bodies(browser, 1));
    expectNothing(browser);
  }

  void checkSelector() throws ClientException {
    send("one", "two", "three");
    ReceiverOptions options = new ReceiverOptions();
    options.sourceOptions().addFilter("selector", SELECTOR, "key = 't'");
    expect(List.of("two", "three"), bodies(connection.openReceiver(queue, options), 2));
  }

  void checkLarge() throws ClientException {
    byte[] large = new byte[5_000_000];
    large[4_999_999] = 7;
    connection.openSender(queue).send(Message.create(large)).awaitAccepted();
    byte[] found = (byte[]) connection.openReceiver(queue).receive().message().body();
    expect(true, Arrays.equals(large, found));
  }

  void checkRelay() throws ClientException {
    connection.send(Message.create("relayed").to(queue)).awaitAccepted();
    expect(List.of("relayed"), bodies(connection.openReceiver(queue), 1));
  }

  void checkTemporary() throws ClientException {
    Receiver replies = connection.openDynamicReceiver();
    connection.send(Message.create("reply").to(replies.address())).awaitAccepted();
    expect(List.of("reply"), bodies(replies, 1));
  }

  void checkTransaction() throws ClientException {
    Session session = connection.openSession();
    Sender sender = session.openSender(queue);
    session.beginTransaction();
    sender.send(Message.create("lost"));
    session.rollbackTransaction();
    session.beginTransaction();
    sender.send(Message.create("kept"));
    session.commitTransaction();
    Receiver receiver = session.openReceiver(queue);
    session.beginTransaction();
    expect(List.of("kept"), bodies(receiver, 1));
    session.commitTransaction();
    receiver.close();
    expectNothing(connection.openReceiver(queue));
  }

  void checkTransactionThatDoesNotFit() throws ClientException {
    Session session = connection.openSession();
    Sender sender = session.openSender(queue);
    session.beginTransaction();
    for (int number = 0; number < 3; number++) {
      sender.send(Message.create("too many"));
    }
    try {
      session.commitTransaction();
    } catch (ClientTransactionRolledBackException expected) {
      return;
    }
    throw new AssertionError("more was committed than fits");
  }

  private ConnectionOptions encrypted(String password) {
    ConnectionOptions options = new ConnectionOptions().user("ann").password(password);
    options.sslOptions().sslEnabled(true).trustAll(true).verifyHost(false);
    return options;
  }

  void checkTls() throws ClientException {
    try (Connection secure = client.connect(host, tlsPort, encrypted("geheim"))) {
      secure.openSender("mine").send(Message.create("secret")).awaitAccepted();
      expect(List.of("secret"), bodies(secure.openReceiver("mine"), 1));
    }
  }

  void checkPassword() throws ClientException {
    try (Connection refused = client.connect(host, tlsPort, encrypted("wrong"))) {
      refused.openFuture().get();
    } catch (Exception expected) {
      expect(ClientConnectionSecuritySaslException.class, expected.getCause().getClass());
      return;
    }
    throw new AssertionError("a wrong password was taken");
  }
}
