// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Virtual threads by reflection: all of this is compiled for Java 17, which has none. */
public final class VirtualThreadFactory {

  private static final int FIRST_JDK = 21;

  private VirtualThreadFactory() {}

  /** Whether this JVM has them. */
  public static boolean isThere() {
    return Runtime.version().feature() >= FIRST_JDK;
  }

  /** Says what is missing if it has not. */
  public static void require() {
    if (!isThere()) {
      throw new IllegalStateException(
          "VirtualThreadExecution needs JDK 21 or later, and this is "
              + Runtime.version()
              + ". Leave it out with -e VirtualThreadExecution");
    }
  }

  /** Makes virtual threads, not started. */
  public static ThreadFactory get() {
    require();
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
      return (ThreadFactory) factory.invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no virtual threads on " + Runtime.version(), e);
    }
  }

  /** One for each task. */
  public static ExecutorService executor() {
    require();
    try {
      Method perTask = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) perTask.invoke(null, get());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no virtual threads on " + Runtime.version(), e);
    }
  }
}
