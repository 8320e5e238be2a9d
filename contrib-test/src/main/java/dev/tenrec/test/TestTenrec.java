// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import java.util.function.Consumer;

/**
 * A Tenrec for one test, in virtual time, with faults. Needs no test framework: closing it looks
 * for what the test has left.
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
  private final VirtualTime time;
  private final Faults faults;

  private TestTenrec(Consumer<TenrecBuilder> customizer) {
    time = new VirtualTime();
    faults = Faults.in(time);
    TenrecBuilder builder = Tenrec.builder();
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
    return new TestTenrec(customizer);
  }

  /** The Tenrec. */
  public Tenrec tenrec() {
    return tenrec;
  }

  /** Its time. */
  public VirtualTime time() {
    return time;
  }

  /** Its faults. */
  public Faults faults() {
    return faults;
  }

  /**
   * Takes back the faults, and closes the Tenrec, for which time goes on by itself again.
   *
   * @throws AssertionError if the test has left permits, threads or an open request
   */
  @Override
  public void close() {
    faults.clear();
    time.release();
    Leaks.assertNoneAndClose(tenrec);
  }

  /** Closes it without a look: what a test leaves that has failed is not what is wrong. */
  void abandon() {
    faults.clear();
    time.release();
    tenrec.currentRequest().ifPresent(request -> request.close());
    tenrec.close(java.time.Duration.ZERO);
  }
}
