package lastvalue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What a client does with a broker, as JSON: Told hive|paho PORT LEVEL PREFIX. */
public final class Told {
  static final long SECONDS = 60;

  /** A client of one version of the protocol. */
  abstract static class Client {
    /** What came: each message's topic, its payload and whether it is retained. */
    final LinkedBlockingQueue<Object[]> heard = new LinkedBlockingQueue<>();

    /** Connects; a session that is not clean lasts for a minute. */
    abstract void connect(boolean clean) throws Exception;

    abstract void subscribe(String filter, int qos) throws Exception;

    abstract void publish(String topic, String payload, int qos, boolean retain) throws Exception;

    abstract void disconnect() throws Exception;

    /** Ends the connection so that the will is published. */
    abstract void die() throws Exception;

    void take(String topic, byte[] payload, boolean retained) {
      heard.add(new Object[] {topic, new String(payload, UTF_8), retained});
    }
  }

  /** Makes clients by their names; the last argument is the topic of a will, or null. */
  interface Clients {
    Client make(String name, String willTopic) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    // Paho's client for MQTT 5.0 tells of each PUBCOMP.
    Logger.getLogger("").setLevel(Level.WARNING);
    int port = Integer.parseInt(arguments[1]);
    int level = Integer.parseInt(arguments[2]);
    String prefix = arguments[3];
    boolean isPaho = arguments[0].equals("paho");
    Clients clients =
        (name, will) -> {
          String own = prefix + name;
          if (isPaho) {
            return level == 5 ? new Paho5(port, own, will) : new Paho3(port, level, own, will);
          }
          return level == 5 ? new Hive5(port, own, will) : new Hive3(port, own, will);
        };
    Map<String, List<Object[]>> told = new LinkedHashMap<>();
    Client publisher = opened(clients, "publisher", true);
    Client reader = opened(clients, "reader", true);
    reader.subscribe(prefix + "round/#", 2);
    String[] words = {"zero", "one", "two"};
    for (int qos = 0; qos < 3; qos++) {
      publisher.publish(prefix + "round/" + qos, words[qos], qos, false);
    }
    told.put("round", all(3, prefix, reader));
    publisher.publish(prefix + "kept/a", "value", 1, true);
    Client late = opened(clients, "late", true);
    late.subscribe(prefix + "kept/+", 1);
    told.put("retained", all(1, prefix, late));
    Client sleeper = opened(clients, "sleeper", false);
    sleeper.subscribe(prefix + "later/#", 1);
    sleeper.disconnect();
    publisher.publish(prefix + "later/x", "while away", 1, false);
    sleeper = opened(clients, "sleeper", false);
    told.put("offline", all(1, prefix, sleeper));
    Client watcher = opened(clients, "watcher", true);
    watcher.subscribe(prefix + "gone", 1);
    Client doomed = clients.make("doomed", prefix + "gone");
    doomed.connect(true);
    doomed.die();
    told.put("will", all(1, prefix, watcher));
    Client first = opened(clients, "first", true);
    Client second = opened(clients, "second", true);
    for (Client member : List.of(first, second)) {
      member.subscribe("$share/group/" + prefix + "work/#", 1);
    }
    for (int number = 0; number < 4; number++) {
      publisher.publish(prefix + "work/" + number, "do", 1, false);
    }
    told.put("shared", all(4, prefix, first, second));
    for (Client client : List.of(publisher, reader, late, sleeper, watcher, first, second)) {
      client.disconnect();
    }
    System.out.println(json(told));
    System.exit(0);
  }

  private static Client opened(Clients clients, String name, boolean clean) throws Exception {
    Client client = clients.make(name, null);
    client.connect(clean);
    return client;
  }

  /** As many messages as these clients are to get together, by their topics. */
  private static List<Object[]> all(int count, String prefix, Client... clients) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    List<Object[]> found = new ArrayList<>();
    while (found.size() < count) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("too few messages: " + found.size() + " of " + count);
      }
      for (Client client : clients) {
        Object[] message = client.heard.poll(10, TimeUnit.MILLISECONDS);
        if (message != null) {
          message[0] = ((String) message[0]).substring(prefix.length());
          found.add(message);
        }
      }
    }
    found.sort((one, other) -> ((String) one[0]).compareTo((String) other[0]));
    return found;
  }

  private static String json(Map<String, List<Object[]>> told) {
    List<String> parts = new ArrayList<>();
    told.forEach(
        (name, messages) -> {
          List<String> each = new ArrayList<>();
          for (Object[] message : messages) {
            each.add("[\"" + message[0] + "\",\"" + message[1] + "\"," + message[2] + "]");
          }
          parts.add("\"" + name + "\":" + each);
        });
    return "{" + String.join(",", parts) + "}";
  }
}
