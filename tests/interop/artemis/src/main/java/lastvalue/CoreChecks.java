package lastvalue;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueExistsException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.transaction.impl.XidImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * What programs do with Artemis's own interfaces, each a check of its own with a queue of its own name.
 *
 * <p>Prints one line for each check: its name, a tab, and "ok" or what went wrong.
 */
public final class CoreChecks {
  private static final long SOON_MS = 30_000;
  private static final long NOTHING_MS = 200;
  private static final long CHECK_S = Long.getLong("seconds", 90);
  private static final long LARGE_BYTES = Long.getLong("large", 3_000_000);

  private final String url;
  private final String name;
  private final List<AutoCloseable> open = new ArrayList<>();

  private CoreChecks(String url, String name) {
    this.url = url;
    this.name = name;
  }

  /** Arguments: the broker's URL, and the checks to run, or none for all. */
  public static void main(String[] arguments) {
    List<String> chosen = Arrays.asList(arguments).subList(1, arguments.length);
    Method[] methods = CoreChecks.class.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    for (Method method : methods) {
      String name = method.getName().replaceFirst("^check", "");
      if (!name.equals(method.getName()) && (chosen.isEmpty() || chosen.contains(name))) {
        System.out.println(name + "\t" + outcome(new CoreChecks(arguments[0], name), method));
      }
    }
    System.exit(0);
  }

  /** The client waits for long where a broker does not answer, so each check has a thread and a limit. */
  private static String outcome(CoreChecks checks, Method method) {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      thread.submit((Callable<Object>) () -> method.invoke(checks)).get(CHECK_S, TimeUnit.SECONDS);
      thread.submit(checks::close).get(CHECK_S, TimeUnit.SECONDS);
      return "ok";
    } catch (TimeoutException fault) {
      return "no end within " + CHECK_S + " s";
    } catch (InterruptedException fault) {
      return String.valueOf(fault);
    } catch (ExecutionException fault) {
      Throwable cause = fault.getCause();
      Throwable thrown = cause instanceof InvocationTargetException ? cause.getCause() : cause;
      StackTraceElement where =
          Arrays.stream(thrown.getStackTrace())
              .filter(each -> each.getMethodName().startsWith("check"))
              .findFirst()
              .orElse(null);
      return String.valueOf(thrown).replace('\n', ' ') + " at " + where;
    } finally {
      thread.shutdownNow();
    }
  }

  private void close() {
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception ended) {
        System.err.println(ended);
      }
    }
  }

  private ClientSessionFactory factory(String parameters) throws Exception {
    ServerLocator locator = ActiveMQClient.createServerLocator(url + parameters);
    open.add(locator);
    return locator.createSessionFactory();
  }

  private ClientSession session(String parameters) throws Exception {
    ClientSession session = factory(parameters).createSession(true, true, 0);
    session.start();
    return session;
  }

  private ClientSession session() throws Exception {
    return session("");
  }

  private QueueConfiguration queue() {
    return QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST);
  }

  private ClientSession with(QueueConfiguration configuration) throws Exception {
    ClientSession session = session();
    session.createQueue(configuration);
    return session;
  }

  private static ClientMessage text(ClientSession session, String text) {
    ClientMessage message = session.createMessage(Message.TEXT_TYPE, true);
    message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
    return message;
  }

  private static String text(ClientMessage message) {
    return message == null ? null : String.valueOf(message.getBodyBuffer().readNullableSimpleString());
  }

  private static List<String> taken(ClientConsumer consumer, int count) throws Exception {
    List<String> found = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      ClientMessage message = consumer.receive(SOON_MS);
      found.add(text(message));
      message.acknowledge();
    }
    return found;
  }

  private void send(ClientSession session, String... texts) throws Exception {
    try (ClientProducer producer = session.createProducer(name)) {
      for (String text : texts) {
        producer.send(text(session, text));
      }
    }
  }

  private void sendWith(ClientSession session, String property, String... pairs) throws Exception {
    try (ClientProducer producer = session.createProducer(name)) {
      for (int at = 0; at < pairs.length; at += 2) {
        producer.send(text(session, pairs[at + 1]).putStringProperty(property, pairs[at]));
      }
    }
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  private static void expectNothing(ClientConsumer consumer) throws Exception {
    expect("null", String.valueOf(consumer.receive(NOTHING_MS)));
  }

  void checkAQueueHasItsConfiguration() throws Exception {
    ClientSession session =
        with(
            queue()
                .setLastValueKey("key")
                .setNonDestructive(true)
                .setFilterString("color = 'red'")
                .setMaxConsumers(3)
                .setRingSize(7L)
                .setConsumersBeforeDispatch(1)
                .setDelayBeforeDispatch(10L));
    ClientSession.QueueQuery found = session.queueQuery(SimpleString.of(name));
    expect("true key true", found.isExists() + " " + found.getLastValueKey() + " " + found.isNonDestructive());
    expect("color = 'red'", found.getFilterString().toString());
    expect("3 7", found.getMaxConsumers() + " " + found.getRingSize());
    expect(name + " ANYCAST", found.getAddress() + " " + found.getRoutingType());
    expect(1, found.getConsumersBeforeDispatch());
    expect(10L, found.getDelayBeforeDispatch());
    session.deleteQueue(name);
    expect(false, session.queueQuery(SimpleString.of(name)).isExists());
  }

  void checkAQueueIsCreatedOnce() throws Exception {
    ClientSession session = with(queue());
    try {
      session.createQueue(queue());
      throw new AssertionError("it was created twice");
    } catch (ActiveMQQueueExistsException expected) {
      session.createSharedQueue(queue());
    }
    try {
      session.createConsumer("no such queue");
      throw new AssertionError("a queue that does not exist was read");
    } catch (ActiveMQNonExistentQueueException expected) {
      session.deleteQueue(name);
    }
  }

  void checkLastValueOfTheDefaultKey() throws Exception {
    ClientSession session = with(queue().setLastValue(true));
    sendWith(session, "_AMQ_LVQ_NAME", "A", "1", "B", "2", "A", "3");
    ClientConsumer consumer = session.createConsumer(name);
    expect(List.of("2", "3"), taken(consumer, 2).stream().sorted().toList());
    expectNothing(consumer);
  }

  void checkLastValueOfAKeyOfItsOwn() throws Exception {
    ClientSession session = with(queue().setLastValueKey("symbol"));
    sendWith(session, "symbol", "A", "1", "B", "2", "A", "3");
    ClientConsumer consumer = session.createConsumer(name);
    expect(List.of("2", "3"), taken(consumer, 2).stream().sorted().toList());
    expectNothing(consumer);
  }

  void checkNonDestructive() throws Exception {
    ClientSession session = with(queue().setLastValueKey("symbol").setNonDestructive(true));
    sendWith(session, "symbol", "A", "1", "B", "2");
    for (int reader = 0; reader < 2; reader++) {
      ClientConsumer consumer = session.createConsumer(name);
      expect(List.of("1", "2"), taken(consumer, 2));
      expectNothing(consumer);
      consumer.close();
    }
    expect(2L, session.queueQuery(SimpleString.of(name)).getMessageCount());
  }

  void checkParametersOfTheAddress() throws Exception {
    expectOnlyTheNewest(name + "?last-value-key=symbol&non-destructive=true");
    expect("symbol", session().queueQuery(SimpleString.of(name)).getLastValueKey().toString());
  }

  void checkSettingsOfTheAddress() throws Exception {
    expectOnlyTheNewest("settings." + name);
    ClientSession session = session();
    session.createQueue(QueueConfiguration.of("settings.declared").setRoutingType(RoutingType.ANYCAST));
    ClientSession.QueueQuery found = session.queueQuery(SimpleString.of("settings.declared"));
    expect("symbol true", found.getLastValueKey() + " " + found.isNonDestructive());
  }

  /** The queue of that name, which the client creates, keeps the newest value for each reader. */
  private void expectOnlyTheNewest(String queue) throws Exception {
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        Connection connection = factory.createConnection()) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      Queue prices = session.createQueue(queue);
      MessageProducer producer = session.createProducer(prices);
      for (String price : List.of("1", "2", "3")) {
        TextMessage message = session.createTextMessage(price);
        message.setStringProperty("symbol", "A");
        producer.send(message);
      }
      for (int reader = 0; reader < 2; reader++) {
        MessageConsumer consumer = session.createConsumer(prices);
        expect("3", ((TextMessage) consumer.receive(SOON_MS)).getText());
        consumer.close();
      }
    }
  }

  void checkRing() throws Exception {
    ClientSession session = with(queue().setRingSize(2L));
    send(session, "1", "2", "3", "4");
    ClientConsumer consumer = session.createConsumer(name);
    expect(List.of("3", "4"), taken(consumer, 2));
    expectNothing(consumer);
  }

  void checkPropertiesOfEveryType() throws Exception {
    ClientSession session = with(queue());
    ClientMessage message = session.createMessage(Message.DEFAULT_TYPE, false, 0, 1234, (byte) 7);
    message.putBooleanProperty("boolean", true).putByteProperty("byte", (byte) -1);
    message.putBytesProperty("bytes", new byte[] {0, 1, -1}).putShortProperty("short", (short) -300);
    message.putIntProperty("int", -70_000).putLongProperty("long", 1L << 40).putFloatProperty("float", 0.5f);
    message.putDoubleProperty("double", 0.1).putStringProperty("string", "é😀").putCharProperty("char", 'é');
    message.putObjectProperty("null", null);
    message.getBodyBuffer().writeBytes(new byte[] {1, 2, 3});
    session.createProducer(name).send(message);
    ClientMessage got = session.createConsumer(name).receive(SOON_MS);
    for (SimpleString each : message.getPropertyNames()) {
      Object sent = message.getObjectProperty(each);
      Object found = got.getObjectProperty(each);
      expect(true, sent instanceof byte[] ? Arrays.equals((byte[]) sent, (byte[]) found) : String.valueOf(sent)
          .equals(String.valueOf(found)));
      expect(sent == null ? "null" : sent.getClass(), found == null ? "null" : found.getClass());
    }
    expect("0 false 1234 7 3", got.getType() + " " + got.isDurable() + " " + got.getTimestamp() + " "
        + got.getPriority() + " " + got.getBodyBufferSize());
  }

  void checkScheduled() throws Exception {
    ClientSession session = with(queue());
    long due = System.currentTimeMillis() + 400;
    session.createProducer(name).send(
        text(session, "later").putLongProperty(Message.HDR_SCHEDULED_DELIVERY_TIME, due));
    send(session, "now");
    ClientConsumer consumer = session.createConsumer(name);
    expect(List.of("now", "later"), taken(consumer, 2));
    expect(true, System.currentTimeMillis() >= due);
  }

  void checkExpiration() throws Exception {
    ClientSession session = with(queue());
    session.createProducer(name).send(text(session, "old").setExpiration(System.currentTimeMillis() + 50));
    long later = System.currentTimeMillis() + 60_000;
    session.createProducer(name).send(text(session, "new").setExpiration(later));
    Thread.sleep(120);
    ClientConsumer consumer = session.createConsumer(name);
    ClientMessage got = consumer.receive(SOON_MS);
    expect("new " + later, text(got) + " " + got.getExpiration());
  }

  void checkBrowserWithFilter() throws Exception {
    ClientSession session = with(queue());
    sendWith(session, "color", "red", "1", "blue", "2", "red", "3");
    ClientConsumer browser = session.createConsumer(name, "color = 'red'", true);
    expect("1 3", text(browser.receive(SOON_MS)) + " " + text(browser.receive(SOON_MS)));
    expect("null", String.valueOf(browser.receiveImmediate()));
    browser.close();
    expect(List.of("1", "2", "3"), taken(session.createConsumer(name), 3));
  }

  void checkFilterByHeaders() throws Exception {
    ClientSession session = with(queue());
    for (int priority = 0; priority < 4; priority++) {
      session.createProducer(name).send(text(session, String.valueOf(priority)).setPriority((byte) priority));
    }
    ClientConsumer consumer = session.createConsumer(name, "AMQPriority > 1 AND AMQDurable = 'DURABLE'");
    expect(List.of("2", "3"), taken(consumer, 2).stream().sorted().toList());
  }

  void checkWindows() throws Exception {
    ClientSession setup = with(queue());
    for (int size : new int[] {0, 1, 100, -1}) {
      send(setup, "1", "2", "3");
      ClientSession session = session("?consumerWindowSize=" + size);
      expect(List.of("1", "2", "3"), taken(session.createConsumer(name), 3));
      session.close();
    }
  }

  void checkReceiveImmediate() throws Exception {
    ClientSession session = with(queue());
    ClientConsumer consumer = session.createConsumer(name);
    expect("null", String.valueOf(consumer.receiveImmediate()));
    send(session, "1");
    expect("1", text(consumer.receiveImmediate()));
  }

  void checkTransaction() throws Exception {
    with(queue());
    ClientSession session = factory("").createTransactedSession();
    session.start();
    ClientConsumer other = session().createConsumer(name);
    send(session, "1");
    session.rollback();
    send(session, "2");
    expectNothing(other);
    session.commit();
    expect(List.of("2"), taken(other, 1));
    other.close();
    send(session, "3");
    session.commit();
    ClientConsumer consumer = session.createConsumer(name);
    for (int attempt = 1; attempt <= 2; attempt++) {
      ClientMessage message = consumer.receive(SOON_MS);
      expect("3 " + attempt, text(message) + " " + message.getDeliveryCount());
      message.acknowledge();
      session.rollback();
    }
  }

  void checkTwoPhases() throws Exception {
    with(queue());
    ClientSession session = factory("").createXASession();
    session.start();
    Xid xid = new XidImpl("branch".getBytes(StandardCharsets.UTF_8), 1, name.getBytes(StandardCharsets.UTF_8));
    session.start(xid, XAResource.TMNOFLAGS);
    send(session, "1");
    session.end(xid, XAResource.TMSUCCESS);
    expect(XAResource.XA_OK, session.prepare(xid));
    expect(true, Arrays.asList(session.recover(XAResource.TMSTARTRSCAN)).contains(xid));
    session.commit(xid, false);
    expect(List.of("1"), taken(session().createConsumer(name), 1));
  }

  void checkIndividualAcknowledge() throws Exception {
    with(queue());
    ClientSession session = factory("").createSession(true, true, 0);
    session.start();
    send(session, "1", "2", "3");
    ClientConsumer consumer = session.createConsumer(name);
    consumer.receive(SOON_MS);
    consumer.receive(SOON_MS).individualAcknowledge();
    session.close();
    expect(List.of("1", "3"), taken(session().createConsumer(name), 2));
  }

  void checkSendsAreConfirmed() throws Exception {
    with(queue());
    ClientSession session = session("?confirmationWindowSize=10000&blockOnDurableSend=false");
    CountDownLatch confirmed = new CountDownLatch(50);
    session.setSendAcknowledgementHandler(message -> confirmed.countDown());
    send(session, IntStream.range(0, 50).mapToObj(String::valueOf).toArray(String[]::new));
    expect(true, confirmed.await(SOON_MS, TimeUnit.MILLISECONDS));
    expect(50L, session.queueQuery(SimpleString.of(name)).getMessageCount());
  }

  void checkDuplicatesAreDropped() throws Exception {
    ClientSession session = with(queue());
    sendWith(session, "_AMQ_DUPL_ID", "a", "1", "b", "2", "a", "3");
    ClientConsumer consumer = session.createConsumer(name);
    expect(List.of("1", "2"), taken(consumer, 2));
    expectNothing(consumer);
  }

  void checkLargeMessageAsStreams() throws Exception {
    ClientSession session = with(queue());
    ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
    message.setBodyInputStream(new Numbers(LARGE_BYTES));
    session.createProducer(name).send(message);
    ClientMessage got = session.createConsumer(name).receive(2 * SOON_MS);
    Comparison comparison = new Comparison();
    got.saveToOutputStream(comparison);
    expect(LARGE_BYTES + " true", comparison.count + " " + comparison.equal);
    got.acknowledge();
  }

  void checkCompressedLargeMessage() throws Exception {
    with(queue());
    ClientSession session = session("?compressLargeMessages=true&minLargeMessageSize=1000");
    String text = "lastvalue ".repeat(20_000);
    send(session, text);
    expect(List.of(text), taken(session().createConsumer(name), 1));
  }

  void checkSharedQueueOfAnAddress() throws Exception {
    ClientSession session = session();
    session.createAddress(SimpleString.of(name), RoutingType.MULTICAST, false);
    for (String subscriber : List.of(name + ".one", name + ".two")) {
      session.createQueue(QueueConfiguration.of(subscriber).setAddress(name).setRoutingType(RoutingType.MULTICAST));
    }
    send(session, "1");
    expect(List.of("1"), taken(session.createConsumer(name + ".one"), 1));
    expect(List.of("1"), taken(session.createConsumer(name + ".two"), 1));
    expect(2, session.addressQuery(SimpleString.of(name)).getQueueNames().size());
  }

  void checkManagement() throws Exception {
    ClientSession session = with(queue());
    send(session, "1", "2");
    expect(2L, ((Number) managed(session, "MessageCount")).longValue());
    ManagementHelper.doManagement(
        session,
        message -> ManagementHelper.putOperationInvocation(message, "queue." + name, "removeAllMessages"),
        reply -> expect(2L, ((Number) ManagementHelper.getResult(reply)).longValue()),
        reply -> {
          throw new AssertionError(ManagementHelper.getResult(reply));
        });
    expect(0L, ((Number) managed(session, "MessageCount")).longValue());
    ManagementHelper.doManagement(
        session,
        message -> ManagementHelper.putOperationInvocation(message, "broker", "noSuchOperation"),
        reply -> {
          throw new AssertionError("an operation that does not exist succeeded");
        },
        reply -> expect(true, ((String) ManagementHelper.getResult(reply)).contains("noSuchOperation")));
  }

  void checkNotifications() throws Exception {
    with(queue());
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        Connection connection = factory.createConnection()) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      String chosen = "_AMQ_NotifType = 'CONSUMER_CREATED' AND _AMQ_RoutingName = '" + name + "'";
      MessageConsumer listener = session.createConsumer(session.createTopic("activemq.notifications"), chosen);
      session.createConsumer(session.createQueue(name)).close();
      jakarta.jms.Message told = listener.receive(SOON_MS);
      expect(name + " 1", told.getStringProperty("_AMQ_Address") + " " + told.getIntProperty("_AMQ_ConsumerCount"));
      expect("null", String.valueOf(listener.receive(NOTHING_MS)));
    }
  }

  private Object managed(ClientSession session, String attribute) throws Exception {
    List<Object> found = new ArrayList<>();
    ManagementHelper.doManagement(
        session,
        message -> ManagementHelper.putAttribute(message, "queue." + name, attribute),
        reply -> found.add(ManagementHelper.getResult(reply)),
        null);
    return found.get(0);
  }

  /** So many bytes, each told by its position. */
  private static final class Numbers extends InputStream {
    private final long size;
    private long at;

    Numbers(long size) {
      this.size = size;
    }

    @Override
    public int read() {
      return at == size ? -1 : (int) (at++ % 251);
    }
  }

  /** Compares what is written with what {@code Numbers} says. */
  private static final class Comparison extends OutputStream {
    long count;
    boolean equal = true;

    @Override
    public void write(int octet) throws IOException {
      equal &= (octet & 0xFF) == count++ % 251;
    }
  }
}
