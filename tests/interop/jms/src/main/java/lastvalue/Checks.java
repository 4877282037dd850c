package lastvalue;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What JMS applications do, each a check of its own with a queue or topic of its own name.
 *
 * <p>Prints one line for each check: its name, a tab, and "ok" or what went wrong.
 */
public final class Checks {
  private static final long SOON_MS = 30_000;
  private static final long NOTHING_MS = 300;

  private final String url;
  private final String unbuffered;
  private final String name;
  private final List<Connection> connections = new ArrayList<>();

  private Checks(String url, String unbuffered, String name) {
    this.url = url;
    this.unbuffered = unbuffered;
    this.name = name;
  }

  /**
   * Arguments: the broker's URL; the same with the client's parameter for no prefetch; and the checks to run, or none
   * for all. The system property {@code factory} names the client's connection factory.
   */
  public static void main(String[] arguments) {
    List<String> chosen = Arrays.asList(arguments).subList(2, arguments.length);
    Method[] methods = Checks.class.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    for (Method method : methods) {
      if (!method.getName().startsWith("check")) {
        continue;
      }
      String name = method.getName().substring("check".length());
      if (chosen.isEmpty() || chosen.contains(name)) {
        Checks checks = new Checks(arguments[0], arguments[1], name);
        System.out.println(name + "\t" + outcome(checks, method));
      }
    }
    System.exit(0);
  }

  private static String outcome(Checks checks, Method method) {
    try {
      method.invoke(checks);
      return "ok";
    } catch (InvocationTargetException fault) {
      StackTraceElement where =
          Arrays.stream(fault.getCause().getStackTrace())
              .filter(each -> each.getMethodName().startsWith("check"))
              .findFirst()
              .orElse(null);
      return String.valueOf(fault.getCause()).replace('\n', ' ') + " at " + where;
    } catch (ReflectiveOperationException fault) {
      return String.valueOf(fault);
    } finally {
      checks.close();
    }
  }

  private void close() {
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (JMSException ended) {
        System.err.println(ended);
      }
    }
  }

  private static ConnectionFactory factory(String url) {
    try {
      Class<?> kind = Class.forName(System.getProperty("factory"));
      return (ConnectionFactory) kind.getConstructor(String.class).newInstance(url);
    } catch (ReflectiveOperationException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private Connection connection(String... clientId) throws JMSException {
    Connection connection = factory(url).createConnection();
    connections.add(connection);
    if (clientId.length > 0) {
      connection.setClientID(clientId[0]);
    }
    connection.start();
    return connection;
  }

  private Session session() throws JMSException {
    return connection().createSession(Session.AUTO_ACKNOWLEDGE);
  }

  private void send(Session session, Destination to, String... texts) throws JMSException {
    MessageProducer producer = session.createProducer(to);
    for (String text : texts) {
      producer.send(session.createTextMessage(text));
    }
    producer.close();
  }

  private static String text(Message message) throws JMSException {
    return message == null ? null : ((TextMessage) message).getText();
  }

  private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
    List<String> found = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      found.add(text(consumer.receive(SOON_MS)));
    }
    return found;
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  private static void expectNothing(MessageConsumer consumer) throws JMSException {
    Message more = consumer.receive(NOTHING_MS);
    if (more != null) {
      throw new AssertionError("nothing more was to come, but " + text(more));
    }
  }

  void checkQueueKeepsOrder() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b", "c");
    expect(List.of("a", "b", "c"), texts(session.createConsumer(queue), 3));
  }

  void checkEveryKindOfMessage() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    BytesMessage bytes = session.createBytesMessage();
    bytes.writeBytes(new byte[] {1, 2, 3});
    producer.send(bytes);
    MapMessage map = session.createMapMessage();
    map.setInt("n", 7);
    map.setString("s", "seven");
    producer.send(map);
    StreamMessage stream = session.createStreamMessage();
    stream.writeInt(1);
    stream.writeString("two");
    producer.send(stream);
    producer.send(session.createObjectMessage(new ArrayList<>(List.of("x", "y"))));
    producer.send(session.createMessage());
    MessageConsumer consumer = session.createConsumer(queue);
    BytesMessage first = (BytesMessage) consumer.receive(SOON_MS);
    expect(3L, first.getBodyLength());
    MapMessage second = (MapMessage) consumer.receive(SOON_MS);
    expect("7 seven", second.getInt("n") + " " + second.getString("s"));
    StreamMessage third = (StreamMessage) consumer.receive(SOON_MS);
    expect("1 two", third.readInt() + " " + third.readString());
    ObjectMessage fourth = (ObjectMessage) consumer.receive(SOON_MS);
    expect(List.of("x", "y"), fourth.getObject());
    expect(true, consumer.receive(SOON_MS) != null);
  }

  void checkHeadersAndProperties() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    TextMessage message = session.createTextMessage("x");
    message.setJMSCorrelationID("c-1");
    message.setJMSType("kind");
    message.setJMSReplyTo(session.createQueue("replies"));
    message.setStringProperty("text", "t");
    message.setIntProperty("whole", 5);
    message.setDoubleProperty("real", 2.5);
    message.setBooleanProperty("flag", true);
    message.setLongProperty("long", 1L << 40);
    session.createProducer(queue).send(message);
    Message got = session.createConsumer(queue).receive(SOON_MS);
    expect(message.getJMSMessageID(), got.getJMSMessageID());
    expect("c-1 kind", got.getJMSCorrelationID() + " " + got.getJMSType());
    expect("replies", ((Queue) got.getJMSReplyTo()).getQueueName());
    expect("t 5 2.5 true " + (1L << 40),
        got.getStringProperty("text") + " " + got.getIntProperty("whole") + " "
            + got.getDoubleProperty("real") + " " + got.getBooleanProperty("flag") + " "
            + got.getLongProperty("long"));
    expect(DeliveryMode.PERSISTENT, got.getJMSDeliveryMode());
    expect(name, ((Queue) got.getJMSDestination()).getQueueName());
    expect(false, got.getJMSRedelivered());
  }

  void checkPriorities() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    for (int number = 0; number < 50; number++) {
      producer.send(
          session.createTextMessage(String.valueOf(number)), DeliveryMode.PERSISTENT, number % 10, 0);
    }
    MessageConsumer consumer = session.createConsumer(queue);
    List<String> expected = new ArrayList<>();
    for (int level = 9; level >= 0; level--) {
      for (int number = level; number < 50; number += 10) {
        expected.add(String.valueOf(number));
      }
    }
    expect(expected, texts(consumer, 50));
  }

  void checkTimeToLive() throws Exception {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    producer.setTimeToLive(50);
    producer.send(session.createTextMessage("short"));
    producer.setTimeToLive(0);
    producer.send(session.createTextMessage("long"));
    Thread.sleep(200);
    MessageConsumer consumer = session.createConsumer(queue);
    expect(List.of("long"), texts(consumer, 1));
    expectNothing(consumer);
  }

  void checkDelayedDelivery() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(500);
    producer.send(session.createTextMessage("later"));
    producer.setDeliveryDelay(0);
    producer.send(session.createTextMessage("now"));
    MessageConsumer consumer = session.createConsumer(queue);
    long began = System.currentTimeMillis();
    expect(List.of("now", "later"), texts(consumer, 2));
    expect(true, System.currentTimeMillis() - began > 300);
  }

  void checkSelectors() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    for (int number = 0; number < 6; number++) {
      TextMessage message = session.createTextMessage(String.valueOf(number));
      message.setIntProperty("number", number);
      message.setStringProperty("kind", number % 2 == 0 ? "even" : "odd");
      producer.send(message);
    }
    MessageConsumer chosen = session.createConsumer(queue, "kind = 'even' AND number BETWEEN 1 AND 4");
    expect(List.of("2", "4"), texts(chosen, 2));
    expectNothing(chosen);
    chosen.close();
    expect(List.of("0", "1", "3", "5"), texts(session.createConsumer(queue), 4));
  }

  void checkBrowser() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b", "c");
    QueueBrowser browser = session.createBrowser(queue);
    List<String> seen = new ArrayList<>();
    for (Object each : Collections.list(browser.getEnumeration())) {
      seen.add(text((Message) each));
    }
    browser.close();
    expect(List.of("a", "b", "c"), seen);
    expect(List.of("a", "b", "c"), texts(session.createConsumer(queue), 3));
  }

  void checkClientAcknowledgeAndRecover() throws JMSException {
    Session session = connection().createSession(Session.CLIENT_ACKNOWLEDGE);
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b", "c");
    MessageConsumer consumer = session.createConsumer(queue);
    expect("a", text(consumer.receive(SOON_MS)));
    Message second = consumer.receive(SOON_MS);
    second.acknowledge();
    expect("c", text(consumer.receive(SOON_MS)));
    session.recover();
    Message again = consumer.receive(SOON_MS);
    expect("c true 2",
        text(again) + " " + again.getJMSRedelivered() + " " + again.getIntProperty("JMSXDeliveryCount"));
    again.acknowledge();
    expectNothing(consumer);
  }

  void checkTransactionCommits() throws JMSException {
    Session session = connection().createSession(true, Session.SESSION_TRANSACTED);
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b");
    MessageConsumer other = session().createConsumer(queue);
    expectNothing(other);
    session.commit();
    expect(List.of("a", "b"), texts(other, 2));
  }

  void checkTransactionRollsBack() throws JMSException {
    Session plain = session();
    Queue queue = plain.createQueue(name);
    send(plain, queue, "a", "b", "c");
    Session session = connection().createSession(true, Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    send(session, queue, "never");
    expect(List.of("a", "b"), texts(consumer, 2));
    session.rollback();
    Message again = consumer.receive(SOON_MS);
    expect("a true", text(again) + " " + again.getJMSRedelivered());
    expect(List.of("b", "c"), texts(consumer, 2));
    session.commit();
    expectNothing(plain.createConsumer(queue));
  }

  void checkTransactionOverClosedConsumer() throws JMSException {
    Session plain = session();
    Queue queue = plain.createQueue(name);
    send(plain, queue, "a", "b");
    Session session = connection().createSession(true, Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    expect("a", text(consumer.receive(SOON_MS)));
    consumer.close();
    session.commit();
    MessageConsumer rest = plain.createConsumer(queue);
    expect(List.of("b"), texts(rest, 1));
    expectNothing(rest);
  }

  void checkFullQueueFailsTheCommit() throws JMSException {
    Session session = connection().createSession(true, Session.SESSION_TRANSACTED);
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b", "c");
    try {
      session.commit();
    } catch (TransactionRolledBackException expected) {
      expectNothing(session.createConsumer(queue));
      return;
    }
    throw new AssertionError("the commit of three messages to a queue for two succeeded");
  }

  void checkFullQueueRejects() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    send(session, queue, "a", "b");
    try {
      send(session, queue, "c");
    } catch (ResourceAllocationException expected) {
      return;
    } catch (JMSException refused) {
      // Artemis's client has no ResourceAllocationException.
      expect("ActiveMQAddressFullException", refused.getCause().getClass().getSimpleName());
      return;
    }
    throw new AssertionError("a full queue took a message");
  }

  void checkMissingQueueIsRefused() throws JMSException {
    Session session = session();
    try {
      session.createConsumer(session.createQueue("no such queue"));
    } catch (InvalidDestinationException expected) {
      return;
    }
    throw new AssertionError("a queue that does not exist was read");
  }

  void checkTemporaryQueueForReplies() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    Queue replies = session.createTemporaryQueue();
    TextMessage request = session.createTextMessage("ping");
    request.setJMSReplyTo(replies);
    session.createProducer(queue).send(request);
    Session server = session();
    Message got = server.createConsumer(queue).receive(SOON_MS);
    send(server, got.getJMSReplyTo(), "pong");
    expect("pong", text(session.createConsumer(replies).receive(SOON_MS)));
  }

  void checkTemporaryTopic() throws JMSException {
    Session session = session();
    Topic topic = session.createTemporaryTopic();
    MessageConsumer one = session.createConsumer(topic);
    MessageConsumer two = session.createConsumer(topic);
    send(session, topic, "a");
    expect("a a", text(one.receive(SOON_MS)) + " " + text(two.receive(SOON_MS)));
  }

  void checkTopicReachesEverySubscriber() throws JMSException {
    Session session = session();
    Topic topic = session.createTopic(name);
    MessageConsumer one = session.createConsumer(topic);
    MessageConsumer two = session().createConsumer(topic);
    send(session, topic, "a", "b");
    expect(List.of("a", "b"), texts(one, 2));
    expect(List.of("a", "b"), texts(two, 2));
    one.close();
    send(session, topic, "c");
    MessageConsumer late = session.createConsumer(topic);
    expect(List.of("c"), texts(two, 1));
    expectNothing(late);
  }

  void checkTopicNoLocal() throws JMSException {
    Session session = session();
    Topic topic = session.createTopic(name);
    MessageConsumer deaf = session.createConsumer(topic, null, true);
    Session other = session();
    send(session, topic, "own");
    send(other, topic, "other's");
    expect(List.of("other's"), texts(deaf, 1));
  }

  void checkDurableSubscription() throws JMSException {
    Session session = session();
    Topic topic = session.createTopic(name);
    Connection first = connection("durable-client");
    Session subscribed = first.createSession(Session.AUTO_ACKNOWLEDGE);
    MessageConsumer consumer = subscribed.createDurableSubscriber(topic, "mine");
    send(session, topic, "a");
    expect(List.of("a"), texts(consumer, 1));
    first.close();
    connections.remove(first);
    send(session, topic, "b", "c");
    Session again = connection("durable-client").createSession(Session.AUTO_ACKNOWLEDGE);
    MessageConsumer resumed = again.createDurableSubscriber(topic, "mine");
    expect(List.of("b", "c"), texts(resumed, 2));
    resumed.close();
    send(session, topic, "never");
    again.unsubscribe("mine");
    MessageConsumer anew = again.createDurableSubscriber(topic, "mine");
    expectNothing(anew);
    anew.close();
    again.unsubscribe("mine");
  }

  void checkSharedSubscription() throws JMSException {
    Session session = session();
    Topic topic = session.createTopic(name);
    MessageConsumer one = session.createSharedConsumer(topic, "shared");
    MessageConsumer two = session().createSharedConsumer(topic, "shared");
    for (int number = 0; number < 10; number++) {
      send(session, topic, String.valueOf(number));
    }
    List<String> found = new ArrayList<>();
    long until = System.currentTimeMillis() + SOON_MS;
    while (found.size() < 10 && System.currentTimeMillis() < until) {
      for (MessageConsumer consumer : List.of(one, two)) {
        String text = text(consumer.receive(20));
        if (text != null) {
          found.add(text);
        }
      }
    }
    Collections.sort(found);
    expect(List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), found);
  }

  void checkSharedDurableSubscription() throws JMSException {
    Session session = session();
    Topic topic = session.createTopic(name);
    Connection first = connection("sharing-client");
    Session subscribed = first.createSession(Session.AUTO_ACKNOWLEDGE);
    MessageConsumer one = subscribed.createSharedDurableConsumer(topic, "both");
    send(session, topic, "a");
    expect(List.of("a"), texts(one, 1));
    first.close();
    connections.remove(first);
    send(session, topic, "b");
    Session again = connection("sharing-client").createSession(Session.AUTO_ACKNOWLEDGE);
    MessageConsumer resumed = again.createSharedDurableConsumer(topic, "both");
    MessageConsumer second = again.createSharedDurableConsumer(topic, "both");
    expect(List.of("b"), texts(resumed, 1));
    resumed.close();
    second.close();
    again.unsubscribe("both");
  }

  void checkMessageGroups() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageConsumer one = session().createConsumer(queue);
    MessageConsumer two = session().createConsumer(queue);
    MessageProducer producer = session.createProducer(queue);
    for (int number = 0; number < 20; number++) {
      TextMessage message = session.createTextMessage(String.valueOf(number));
      message.setStringProperty("JMSXGroupID", "group " + number % 4);
      message.setIntProperty("JMSXGroupSeq", number / 4 + 1);
      producer.send(message);
    }
    List<List<Integer>> taken = List.of(new ArrayList<>(), new ArrayList<>());
    long until = System.currentTimeMillis() + SOON_MS;
    while (taken.get(0).size() + taken.get(1).size() < 20 && System.currentTimeMillis() < until) {
      for (int which = 0; which < 2; which++) {
        String text = text((which == 0 ? one : two).receive(20));
        if (text != null) {
          taken.get(which).add(Integer.valueOf(text));
        }
      }
    }
    expect(20, taken.get(0).size() + taken.get(1).size());
    for (int group = 0; group < 4; group++) {
      int chosen = group;
      List<Integer> mine = taken.get(0).stream().filter(number -> number % 4 == chosen).toList();
      List<Integer> others = taken.get(1).stream().filter(number -> number % 4 == chosen).toList();
      expect(true, mine.isEmpty() || others.isEmpty());
      List<Integer> all = mine.isEmpty() ? others : mine;
      expect(all.stream().sorted().toList(), all);
    }
  }

  void checkLastValueQueue() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(queue);
    for (int number = 0; number < 6; number++) {
      TextMessage message = session.createTextMessage(String.valueOf(number));
      message.setStringProperty("key", number % 2 == 0 ? "even" : "odd");
      producer.send(message);
    }
    MessageConsumer consumer = session.createConsumer(queue);
    expect(List.of("4", "5"), texts(consumer, 2));
    expectNothing(consumer);
  }

  void checkReceiveNoWait() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageConsumer consumer = session.createConsumer(queue);
    expect(true, consumer.receiveNoWait() == null);
    send(session, queue, "a");
    Connection without = factory(unbuffered).createConnection();
    connections.add(without);
    without.start();
    consumer.close();
    Session pulling = without.createSession(Session.AUTO_ACKNOWLEDGE);
    MessageConsumer pulled = pulling.createConsumer(queue);
    expect("a", text(pulled.receiveNoWait()));
    expect(true, pulled.receiveNoWait() == null);
  }

  void checkListenerAndCompletion() throws Exception {
    Session session = session();
    Queue queue = session.createQueue(name);
    CountDownLatch completed = new CountDownLatch(100);
    CountDownLatch received = new CountDownLatch(100);
    ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
    session()
        .createConsumer(queue)
        .setMessageListener(
            message -> {
              try {
                order.add(text(message));
              } catch (JMSException fault) {
                order.add(fault.toString());
              }
              received.countDown();
            });
    MessageProducer producer = session.createProducer(queue);
    for (int number = 0; number < 100; number++) {
      producer.send(
          session.createTextMessage(String.valueOf(number)),
          new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
              completed.countDown();
            }

            @Override
            public void onException(Message message, Exception fault) {
              order.add(fault.toString());
            }
          });
    }
    expect(true, completed.await(SOON_MS, TimeUnit.MILLISECONDS));
    expect(true, received.await(SOON_MS, TimeUnit.MILLISECONDS));
    List<String> expected = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      expected.add(String.valueOf(number));
    }
    expect(expected, new ArrayList<>(order));
  }

  void checkProducerWithoutDestination() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    MessageProducer producer = session.createProducer(null);
    producer.send(queue, session.createTextMessage("a"));
    producer.send(queue, session.createTextMessage("b"));
    expect(List.of("a", "b"), texts(session.createConsumer(queue), 2));
  }

  void checkLargeMessage() throws JMSException {
    Session session = session();
    Queue queue = session.createQueue(name);
    BytesMessage large = session.createBytesMessage();
    large.writeBytes(new byte[5_000_000]);
    session.createProducer(queue).send(large);
    BytesMessage got = (BytesMessage) session.createConsumer(queue).receive(SOON_MS);
    expect(5_000_000L, got.getBodyLength());
  }

  void checkClientIdIsItsOwn() throws JMSException {
    connection("taken");
    try {
      connection("taken");
    } catch (JMSException expected) {
      return;
    }
    throw new AssertionError("two connections have one client id");
  }

  void checkWrongPasswordIsRefused() throws JMSException {
    try (Connection connection = factory(url).createConnection("nobody", "wrong")) {
      connection.start();
    } catch (JMSSecurityException expected) {
      return;
    }
    throw new AssertionError("a wrong password was taken");
  }
}
