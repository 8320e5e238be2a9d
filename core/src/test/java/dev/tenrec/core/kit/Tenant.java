// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.core.context.ContextPropagator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A thread-bound value, carried by a propagator that remembers what it found, and fails where the
 * test wants it to.
 */
public final class Tenant implements ContextPropagator {

  private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();
  private final List<String> found = new CopyOnWriteArrayList<>();
  private final AtomicInteger captures = new AtomicInteger();
  private volatile String failing = "";

  public void set(@Nullable String tenant) {
    current.set(tenant);
  }

  public @Nullable String get() {
    return current.get();
  }

  /**
   * What was on the threads when it came to be installed; nothing, if all clear up after
   * themselves.
   */
  public List<String> found() {
    return found;
  }

  public int captures() {
    return captures.get();
  }

  /**
   * Which of "capture", "install", "close" throws from now on; a "checked " before it makes that no
   * RuntimeException.
   */
  public void failAt(String step) {
    failing = step;
  }

  private void step(String step) {
    if (failing.equals(step)) {
      throw new IllegalStateException("tenant: " + step);
    }
    if (failing.equals("checked " + step)) {
      Tenant.<RuntimeException>raise(new Exception("tenant: " + step));
    }
  }

  @SuppressWarnings("unchecked") // as other JVM languages do without a word
  private static <X extends Throwable> void raise(Throwable thrown) throws X {
    throw (X) thrown;
  }

  @Override
  public Captured capture() {
    captures.incrementAndGet();
    step("capture");
    String callers = current.get();
    return () -> {
      step("install");
      String before = current.get();
      if (before != null) {
        found.add(before);
      }
      current.set(callers);
      return () -> {
        current.set(before);
        step("close");
      };
    };
  }
}
