// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Tenrec for one test, in virtual time unless it is {@linkplain #inRealTime asked otherwise},
 * with faults. Needs no test framework: closing it looks for what the test has left.
 *
 * <pre>{@code
 * try (TestTenrec test = TestTenrec.create()) {
 *   Quotes quotes = new Quotes(test.tenrec());
 *   test.faults().on("GetQuote").timeOut();
 *   ...
 * }
 * }</pre>
 */
public final class TestTenrec implements AutoCloseable {

  private final Tenrec tenrec;
  private final @Nullable VirtualTime time;
  private final Faults faults;
  private final WatchedValues values = new WatchedValues();

  private TestTenrec(@Nullable VirtualTime time, Consumer<TenrecBuilder> customizer) {
    this.time = time;
    faults = time == null ? Faults.inRealTime() : Faults.in(time);
    TenrecBuilder builder = Tenrec.builder();
    builder.propagate(values); // before the application's, to see what those leave
    customizer.accept(builder);
    tenrec = faults.applyTo(builder).build();
    faults.attach(tenrec);
  }

  /** One with all defaults. */
  public static TestTenrec create() {
    return create(builder -> {});
  }

  /**
   * One as the application's.
   *
   * @param customizer changes the builder; the time and what runs before work are the kit's
   */
  public static TestTenrec create(Consumer<TenrecBuilder> customizer) {
    return new TestTenrec(new VirtualTime(), customizer);
  }

  /**
   * One whose time goes on by itself: for a test with a real server or a real process, which knows
   * no other.
   *
   * @param customizer changes the builder; what runs before work is the kit's
   */
  public static TestTenrec inRealTime(Consumer<TenrecBuilder> customizer) {
    return new TestTenrec(null, customizer);
  }

  /** The Tenrec. */
  public Tenrec tenrec() {
    return tenrec;
  }

  /**
   * Its time.
   *
   * @throws IllegalStateException if that is real time
   */
  public VirtualTime time() {
    if (time == null) {
      throw new IllegalStateException("this Tenrec goes by real time");
    }
    return time;
  }

  /** Its faults. */
  public Faults faults() {
    return faults;
  }

  /**
   * Watches a value of threads, such as the tenant that a {@code ContextPropagator} of the
   * application's carries: {@link #close} fails if it was another one after a call than before on
   * the thread on which that ran or had its fallback, or if it is another one on this thread than
   * now. Calls on their callers' threads are seen on this thread only. What Tenrec itself carries,
   * SLF4J's MDC and what is registered with Micrometer, it puts back later than this looks.
   *
   * @param name says which it is where it is found
   * @param value reads it on the thread that asks
   */
  public void watch(String name, Supplier<?> value) {
    values.watch(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
  }

  /**
   * Takes back the faults, and closes the Tenrec, for which time goes on by itself again.
   *
   * @throws AssertionError if the test has left permits, threads or contexts, as {@link Leaks} says
   */
  @Override
  public void close() {
    letGo();
    Leaks.assertNoneAndClose(tenrec, faults, values::found, Settling.PATIENCE);
  }

  /** Closes it without a look: what a test leaves that has failed is not what is wrong. */
  void abandon() {
    letGo();
    Leaks.closeRequests(tenrec, faults);
    tenrec.close(Duration.ZERO);
  }

  private void letGo() {
    faults.clear();
    if (time != null) {
      time.release();
    }
  }
}
