package lastvalue;

import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.objectweb.jtests.jms.conform.connection.ConnectionTest;
import org.objectweb.jtests.jms.conform.connection.TopicConnectionTest;
import org.objectweb.jtests.jms.conform.message.MessageBodyTest;
import org.objectweb.jtests.jms.conform.message.MessageDefaultTest;
import org.objectweb.jtests.jms.conform.message.MessageTypeTest;
import org.objectweb.jtests.jms.conform.message.headers.MessageHeaderTest;
import org.objectweb.jtests.jms.conform.message.properties.JMSXPropertyTest;
import org.objectweb.jtests.jms.conform.message.properties.MessagePropertyConversionTest;
import org.objectweb.jtests.jms.conform.message.properties.MessagePropertyTest;
import org.objectweb.jtests.jms.conform.queue.QueueBrowserTest;
import org.objectweb.jtests.jms.conform.queue.TemporaryQueueTest;
import org.objectweb.jtests.jms.conform.selector.SelectorSyntaxTest;
import org.objectweb.jtests.jms.conform.selector.SelectorTest;
import org.objectweb.jtests.jms.conform.session.QueueSessionTest;
import org.objectweb.jtests.jms.conform.session.SessionTest;
import org.objectweb.jtests.jms.conform.session.TopicSessionTest;
import org.objectweb.jtests.jms.conform.session.UnifiedSessionTest;
import org.objectweb.jtests.jms.conform.topic.TemporaryTopicTest;
import org.objectweb.jtests.jms.framework.JMSTestCase;

/** Runs Joram's tests of JMS 1.1; prints a line for each that fails, and how many there were and failed. */
public final class JoramSuite {
  private static final Class<?>[] TESTS = {
    ConnectionTest.class, TopicConnectionTest.class, MessageBodyTest.class, MessageDefaultTest.class,
    MessageTypeTest.class, MessageHeaderTest.class, JMSXPropertyTest.class, MessagePropertyConversionTest.class,
    MessagePropertyTest.class, QueueBrowserTest.class, TemporaryQueueTest.class, SelectorSyntaxTest.class,
    SelectorTest.class, QueueSessionTest.class, SessionTest.class, TopicSessionTest.class,
    UnifiedSessionTest.class, TemporaryTopicTest.class,
  };

  /** No arguments; see {@link JoramAdmin}. */
  public static void main(String[] arguments) {
    JMSTestCase.startServer = false;
    Result result = new JUnitCore().run(TESTS);
    for (Failure failure : result.getFailures()) {
      System.out.println("failed\t" + failure.getTestHeader() + "\t" + String.valueOf(failure.getMessage()).replace('\n', ' '));
    }
    System.out.println("tests\t" + result.getRunCount() + "\t" + result.getFailureCount());
    System.exit(0);
  }
}
