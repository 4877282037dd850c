package lastvalue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.jms.ConnectionFactory;
import javax.jms.JMSContext;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * Gives the suite its factories, queues and topics; each test has queues and topics that no other has.
 *
 * <p>The properties {@code factory} and {@code url} say which client is tested, and where the broker is.
 */
public final class JoramAdmin implements Admin {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final Map<String, Object> named = new HashMap<>();

  private static ConnectionFactory factory() {
    try {
      Class<?> kind = Class.forName(System.getProperty("factory"));
      return (ConnectionFactory) kind.getConstructor(String.class).newInstance(System.getProperty("url"));
    } catch (ReflectiveOperationException fault) {
      throw new IllegalStateException("the property factory names no connection factory", fault);
    }
  }

  @Override
  public String getName() {
    return "lastvalue";
  }

  @Override
  public Context createContext() throws NamingException {
    return new InitialContext(true) {
      @Override
      public Object lookup(String name) throws NamingException {
        if (!named.containsKey(name)) {
          throw new NameNotFoundException(name);
        }
        return named.get(name);
      }
    };
  }

  @Override
  public void createConnectionFactory(String name) {
    named.put(name, factory());
  }

  @Override
  public void createQueueConnectionFactory(String name) {
    createConnectionFactory(name);
  }

  @Override
  public void createTopicConnectionFactory(String name) {
    createConnectionFactory(name);
  }

  @Override
  public void createQueue(String name) {
    try (JMSContext context = factory().createContext()) {
      named.put(name, context.createQueue("queues." + MADE.incrementAndGet()));
    }
  }

  @Override
  public void createTopic(String name) {
    try (JMSContext context = factory().createContext()) {
      named.put(name, context.createTopic("topics." + MADE.incrementAndGet()));
    }
  }

  @Override
  public void deleteQueue(String name) {
    named.remove(name);
  }

  @Override
  public void deleteTopic(String name) {
    named.remove(name);
  }

  @Override
  public void deleteConnectionFactory(String name) {
    named.remove(name);
  }

  @Override
  public void deleteQueueConnectionFactory(String name) {
    named.remove(name);
  }

  @Override
  public void deleteTopicConnectionFactory(String name) {
    named.remove(name);
  }

  @Override
  public void startServer() {}

  @Override
  public void stopServer() {}

  @Override
  public void start() {}

  @Override
  public void stop() {}
}
