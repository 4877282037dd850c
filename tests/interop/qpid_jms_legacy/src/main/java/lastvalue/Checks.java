package lastvalue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.QueueBrowser;
import javax.jms.Session;
import javax.jms.TextMessage;
import javax.jms.Topic;
import javax.jms.TopicSubscriber;
import org.apache.qpid.client.AMQConnection;
import org.apache.qpid.client.AMQSession;

/**
 * What applications do with Qpid's JMS client for AMQP 0-8 to 0-10, each a check of its own.
 *
 * <p>The system property {@code qpid.amqp.version} chooses the version. Prints one line for each check: its name, a
 * tab, and "ok" or what went wrong.
 */
public final class Checks {
  private static final long SOON_MS = 5000;
  private static final long NOTHING_MS = 300;
  private static final long CHECK_S = 20;
  private static final String VERSION = System.getProperty("qpid.amqp.version");

  private final String broker;
  private final String name;
  private final List<AMQConnection> connections = new ArrayList<>();

  private Checks(String broker, String name) {
    this.broker = broker;
    this.name = name + "-" + VERSION;
  }

  /** Arguments: the broker's host and port, and the checks to run, or none for all. */
  public static void main(String[] arguments) {
    List<String> chosen = Arrays.asList(arguments).subList(1, arguments.length);
    Method[] methods = Checks.class.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    for (Method method : methods) {
      if (!method.getName().startsWith("check")) {
        continue;
      }
      String name = method.getName().substring("check".length());
      if (chosen.isEmpty() || chosen.contains(name)) {
        System.out.println(name + "\t" + outcome(arguments[0], name, method));
      }
    }
    System.exit(0);
  }

  /** The client waits for ever where a broker never answers, so each check has a thread and a limit. */
  private static String outcome(String broker, String name, Method method) {
    Checks checks = new Checks(broker, name);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Object> running = thread.submit((Callable<Object>) () -> method.invoke(checks));
    try {
      running.get(CHECK_S, TimeUnit.SECONDS);
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

  private Object close() throws JMSException {
    for (AMQConnection connection : connections) {
      connection.close();
    }
    return null;
  }

  private AMQConnection connection(int prefetch) throws Exception {
    String url =
        "amqp://guest:guest@" + name + "/?brokerlist='tcp://" + broker + "'&maxprefetch='" + prefetch + "'";
    AMQConnection connection = new AMQConnection(url);
    connections.add(connection);
    connection.start();
    return connection;
  }

  private Session session() throws Exception {
    return connection(100).createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  private Session transacted(int prefetch) throws Exception {
    return connection(prefetch).createSession(true, Session.SESSION_TRANSACTED);
  }

  private Queue queue(Session session, String ending) throws Exception {
    ((AMQSession<?, ?>) session).createQueue(name + ending, false, false, false);
    return session.createQueue(name + ending);
  }

  private Queue queue(Session session) throws Exception {
    return queue(session, "");
  }

  private void send(Session session, javax.jms.Destination to, String... texts) throws JMSException {
    MessageProducer producer = session.createProducer(to);
    for (String text : texts) {
      producer.send(session.createTextMessage(text));
    }
    producer.close();
    if (session.getTransacted()) {
      session.commit();
    }
  }

  /** Sends m0, m1 and so on; the property n is the number. */
  private void sendNumbered(Session session, javax.jms.Destination to, int count) throws JMSException {
    MessageProducer producer = session.createProducer(to);
    for (int number = 0; number < count; number++) {
      TextMessage message = session.createTextMessage("m" + number);
      message.setIntProperty("n", number);
      producer.send(message);
    }
  }

  private static String text(Message message) throws JMSException {
    return message == null ? null : ((TextMessage) message).getText();
  }

  private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
    List<String> received = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      received.add(text(consumer.receive(SOON_MS)));
    }
    return received;
  }

  private static List<String> browsed(QueueBrowser browser) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (Object message : Collections.list(browser.getEnumeration())) {
      texts.add(text((Message) message));
    }
    return texts;
  }

  private static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", not " + actual);
    }
  }

  private static void expectNothing(MessageConsumer consumer) throws JMSException {
    Message more = consumer.receive(NOTHING_MS);
    if (more != null) {
      throw new AssertionError("nothing more was to come, but " + text(more));
    }
  }

  void checkQueueKeepsOrder() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c");
    expect(List.of("a", "b", "c"), texts(session.createConsumer(queue), 3));
  }

  void checkTypesOfProperties() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    TextMessage message = session.createTextMessage("x");
    message.setJMSCorrelationID("c-1");
    message.setJMSType("kind");
    message.setBooleanProperty("flag", true);
    message.setByteProperty("byte", (byte) 1);
    message.setShortProperty("short", (short) 2);
    message.setIntProperty("int", 3);
    message.setLongProperty("long", 1L << 40);
    message.setFloatProperty("float", 1.5f);
    message.setDoubleProperty("double", 2.5);
    session.createProducer(queue).send(message);
    Message got = session.createConsumer(queue).receive(SOON_MS);
    expect("c-1 kind", got.getJMSCorrelationID() + " " + got.getJMSType());
    expect(
        List.of(true, (byte) 1, (short) 2, 3, 1L << 40, 1.5f, 2.5),
        List.of(
            got.getObjectProperty("flag"),
            got.getObjectProperty("byte"),
            got.getObjectProperty("short"),
            got.getObjectProperty("int"),
            got.getObjectProperty("long"),
            got.getObjectProperty("float"),
            got.getObjectProperty("double")));
  }

  void checkGroupSequenceIsAnInt() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    Message message = session.createTextMessage("x");
    message.setStringProperty("JMSXGroupID", "g");
    message.setIntProperty("JMSXGroupSeq", 7);
    session.createProducer(queue).send(message);
    Message got = session.createConsumer(queue).receive(SOON_MS);
    expect("g", got.getStringProperty("JMSXGroupID"));
    expect(Integer.class, got.getObjectProperty("JMSXGroupSeq").getClass());
    expect(7, got.getObjectProperty("JMSXGroupSeq"));
  }

  void checkExpiredMessageIsNotDelivered() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    MessageProducer producer = session.createProducer(queue);
    producer.setTimeToLive(1);
    producer.send(session.createTextMessage("short"));
    producer.setTimeToLive(0);
    producer.send(session.createTextMessage("for ever"));
    // A round trip behind them and a wait: the broker has had the first for longer than its time.
    session.createConsumer(queue(session, ".empty")).receive(20);
    expect("for ever", text(session.createConsumer(queue).receive(SOON_MS)));
  }

  void checkExpirationIsWhatWasSent() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    MessageProducer producer = session.createProducer(queue);
    producer.setTimeToLive(3_600_000);
    Message message = session.createTextMessage("long");
    long before = System.currentTimeMillis();
    producer.send(message);
    long after = System.currentTimeMillis();
    long expiration = session.createConsumer(queue).receive(SOON_MS).getJMSExpiration();
    expect(true, before + 3_600_000 <= expiration && expiration <= after + 3_600_000);
  }

  void checkBrowserEnds() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c");
    QueueBrowser browser = session.createBrowser(queue);
    expect(List.of("a", "b", "c"), browsed(browser));
    expect(List.of("a", "b", "c"), browsed(browser));
    browser.close();
    expect(List.of("a", "b", "c"), texts(session.createConsumer(queue), 3));
  }

  void checkBrowserOfAnEmptyQueueEnds() throws Exception {
    Session session = session();
    expect(List.of(), browsed(session.createBrowser(queue(session))));
  }

  void checkBrowserWithSelector() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    sendNumbered(session, queue, 4);
    expect(List.of("m2", "m3"), browsed(session.createBrowser(queue, "n > 1")));
  }

  void checkConsumeBeyondPrefetch() throws Exception {
    Session session = transacted(1);
    Queue queue = queue(session);
    send(session, queue, "0", "1", "2", "3", "4");
    expect(List.of("0", "1", "2"), texts(session.createConsumer(queue), 3));
    // In a transaction AMQP 0-10 acknowledges at once, so that one more message is prefetched.
    String next = "0-10".equals(VERSION) ? "4" : "3";
    Session other = transacted(100);
    expect(next, text(other.createConsumer(queue).receive(SOON_MS)));
    other.rollback();
    session.commit();
  }

  void checkInterleavedConsumersOfOneSession() throws Exception {
    Session session = transacted(1);
    Queue one = queue(session, "-1");
    Queue two = queue(session, "-2");
    send(session, one, "1a", "1b", "1c");
    send(session, two, "2a", "2b", "2c");
    MessageConsumer first = session.createConsumer(one);
    MessageConsumer second = session.createConsumer(two);
    List<String> received = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      received.add(text(first.receive(SOON_MS)));
      received.add(text(second.receive(SOON_MS)));
    }
    session.commit();
    expect(List.of("1a", "2a", "1b", "2b", "1c", "2c"), received);
  }

  void checkInterleavedConsumersOfOneQueue() throws Exception {
    Session session = transacted(1);
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c", "d");
    Session other = transacted(1);
    MessageConsumer first = session.createConsumer(queue);
    MessageConsumer second = other.createConsumer(queue);
    List<String> received = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      received.add(text(first.receive(SOON_MS)));
      session.commit();
      received.add(text(second.receive(SOON_MS)));
      other.commit();
    }
    Collections.sort(received);
    expect(List.of("a", "b", "c", "d"), received);
  }

  void checkNoPrefetch() throws Exception {
    Session session = connection(0).createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = queue(session);
    send(session(), queue, "a", "b");
    expect("a", text(session.createConsumer(queue).receive(SOON_MS)));
    expect("b", text(session().createConsumer(queue).receive(SOON_MS)));
  }

  void checkPrefetchBoundsASession() throws Exception {
    Session session = connection(3).createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = queue(session);
    send(session, queue, "0", "1", "2", "3", "4", "5");
    expect("0", text(session.createConsumer(queue).receive(SOON_MS)));
    // The first is acknowledged, three more are prefetched; the next call returns when the broker has had that.
    ((AMQSession<?, ?>) session).sync();
    expect("4", text(session().createConsumer(queue).receive(SOON_MS)));
  }

  void checkInterleavedSessionsWithoutPrefetch() throws Exception {
    AMQConnection connection = connection(0);
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = queue(session);
    send(session, queue, "0", "1", "2", "3", "4", "5");
    MessageConsumer first = session.createConsumer(queue);
    MessageConsumer second =
        connection.createSession(false, Session.AUTO_ACKNOWLEDGE).createConsumer(queue);
    List<String> received = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      received.add(text(first.receive(SOON_MS)));
      received.add(text(second.receive(SOON_MS)));
    }
    expect(List.of("0", "1", "2", "3", "4", "5"), received);
  }

  void checkMessageListener() throws Exception {
    Session session = connection(1).createSession(false, Session.CLIENT_ACKNOWLEDGE);
    Queue queue = queue(session);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            message -> {
              try {
                received.add(text(message));
                message.acknowledge();
              } catch (JMSException fault) {
                received.add(String.valueOf(fault));
              }
            });
    Session other = session();
    for (String text : List.of("a", "b", "c")) {
      send(other, queue, text);
      expect(text, received.poll(SOON_MS, TimeUnit.MILLISECONDS));
    }
  }

  void checkRollbackOfWhatWasPrefetched() throws Exception {
    Session session = transacted(2);
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c", "d");
    MessageConsumer consumer = session.createConsumer(queue);
    expect("a", text(consumer.receive(SOON_MS)));
    session.rollback();
    expect(List.of("a", "b", "c", "d"), texts(consumer, 4));
    session.rollback();
    consumer.close();
    // The client returns what it had prefetched one by one, so the order may differ.
    List<String> again = texts(session.createConsumer(queue), 4);
    again.sort(Comparator.nullsLast(Comparator.naturalOrder()));
    expect(List.of("a", "b", "c", "d"), again);
    session.commit();
  }

  void checkClientAcknowledge() throws Exception {
    // In AMQP 0-10 the client goes beyond its prefetch only when a receive ends without a message.
    int prefetch = "0-10".equals(VERSION) ? 10 : 2;
    Session session = connection(prefetch).createSession(false, Session.CLIENT_ACKNOWLEDGE);
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c", "d", "e");
    MessageConsumer consumer = session.createConsumer(queue);
    expect(List.of("a", "b", "c"), texts(consumer, 3));
    session.recover();
    Message last = null;
    List<String> again = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      last = consumer.receive(SOON_MS);
      again.add(text(last));
    }
    expect(List.of("a", "b", "c", "d", "e"), again);
    last.acknowledge();
    expectNothing(consumer);
  }

  void checkRollback() throws Exception {
    Session session = transacted(10);
    Queue queue = queue(session);
    send(session, queue, "a", "b", "c");
    MessageConsumer consumer = session.createConsumer(queue);
    expect(List.of("a", "b"), texts(consumer, 2));
    session.rollback();
    expect(List.of("a", "b", "c"), texts(consumer, 3));
    session.commit();
    expectNothing(consumer);
  }

  void checkSelector() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    sendNumbered(session, queue, 4);
    expect(List.of("m2", "m3"), texts(session.createConsumer(queue, "n > 1"), 2));
  }

  void checkTopicNoLocal() throws Exception {
    Session session = session();
    Topic topic = session.createTopic(name);
    MessageConsumer consumer = session.createConsumer(topic, null, true);
    send(session, topic, "own");
    send(session(), topic, "other");
    expect("other", text(consumer.receive(SOON_MS)));
    expectNothing(consumer);
  }

  void checkDurableSubscription() throws Exception {
    AMQConnection connection = connection(100);
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Topic topic = session.createTopic(name);
    session.createDurableSubscriber(topic, "sub").close();
    send(session, topic, "a", "b");
    TopicSubscriber subscriber = session.createDurableSubscriber(topic, "sub");
    expect(List.of("a", "b"), texts(subscriber, 2));
    subscriber.close();
    session.unsubscribe("sub");
    send(session, topic, "c");
    subscriber = session.createDurableSubscriber(topic, "sub");
    expectNothing(subscriber);
    subscriber.close();
    session.unsubscribe("sub");
  }

  void checkDurableSubscriptionSurvivesItsConnection() throws Exception {
    AMQConnection connection = connection(100);
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Topic topic = session.createTopic(name);
    session.createDurableSubscriber(topic, "sub");
    connection.close();
    Session next = session();
    send(next, topic, "while away");
    TopicSubscriber subscriber = next.createDurableSubscriber(topic, "sub");
    expect("while away", text(subscriber.receive(SOON_MS)));
    subscriber.close();
    next.unsubscribe("sub");
  }

  void checkDurableSubscriptionWithSelector() throws Exception {
    Session session = session();
    Topic topic = session.createTopic(name);
    TopicSubscriber subscriber = session.createDurableSubscriber(topic, "sub", "n = 1", false);
    sendNumbered(session, topic, 3);
    expect(List.of("m1"), texts(subscriber, 1));
    expectNothing(subscriber);
    subscriber.close();
    // [JMS 1.1 6.11.1] With another selector it is another subscription, which begins empty.
    subscriber = session.createDurableSubscriber(topic, "sub", "n = 2", false);
    expectNothing(subscriber);
    TextMessage message = session.createTextMessage("second");
    message.setIntProperty("n", 2);
    session.createProducer(topic).send(message);
    expect(List.of("second"), texts(subscriber, 1));
    subscriber.close();
    session.unsubscribe("sub");
  }

  void checkDurableSubscriptionNoLocal() throws Exception {
    Session session = session();
    Topic topic = session.createTopic(name);
    TopicSubscriber subscriber = session.createDurableSubscriber(topic, "sub", null, true);
    send(session, topic, "own");
    Session other = new AMQConnection(
        "amqp://guest:guest@other" + name + "/?brokerlist='tcp://" + broker + "'")
        .createSession(false, Session.AUTO_ACKNOWLEDGE);
    send(other, topic, "other");
    expect("other", text(subscriber.receive(SOON_MS)));
    expectNothing(subscriber);
    subscriber.close();
    session.unsubscribe("sub");
  }

  void checkTemporaryQueueForReplies() throws Exception {
    Session session = session();
    Queue requests = queue(session);
    Queue replies = session.createTemporaryQueue();
    MessageConsumer answers = session.createConsumer(replies);
    TextMessage request = session.createTextMessage("question");
    request.setJMSReplyTo(replies);
    session.createProducer(requests).send(request);
    Session server = session();
    Message asked = server.createConsumer(requests).receive(SOON_MS);
    server.createProducer(asked.getJMSReplyTo()).send(server.createTextMessage("answer"));
    expect("answer", text(answers.receive(SOON_MS)));
  }

  void checkQueueDepth() throws Exception {
    Session session = session();
    Queue queue = queue(session);
    send(session, queue, "a", "b");
    expect(
        2L,
        ((AMQSession<?, ?>) session).getQueueDepth((org.apache.qpid.client.AMQDestination) queue, true));
  }

  void checkAddressOfAQueue() throws Exception {
    Session session = session();
    Queue queue = session.createQueue("ADDR:" + name + "; {create: always, node: {type: queue}}");
    MessageConsumer consumer = session.createConsumer(queue);
    send(session, queue, "a", "b");
    expect(List.of("a", "b"), texts(consumer, 2));
  }

  void checkAddressOfAnExchange() throws Exception {
    Session session = session();
    Topic topic = session.createTopic(
        "ADDR:" + name + "/news; {create: always, node: {type: topic, x-declare: {type: topic}}}");
    MessageConsumer consumer = session.createConsumer(topic);
    send(session, topic, "a", "b");
    expect(List.of("a", "b"), texts(consumer, 2));
  }
}
