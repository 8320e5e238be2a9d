// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a program is at: a line that changes, on a terminal; elsewhere a line of its own each second
 * where errors go, so that the tables on the standard output stay whole. Thread-safe.
 */
public final class Progress implements AutoCloseable {

  private static final long GAP_NANOS = Duration.ofMillis(250).toNanos();
  private static final long SECOND_MILLIS = 1_000;
  private static final int WIDTH = 110;

  private final @Nullable PrintStream out;
  private final boolean terminal;
  private final RunClock clock = new RunClock();
  private final Thread seconds = new Thread(this::repeat, "progress");

  /** When there is something to show again; used by the driving thread. */
  private long nextNanos;

  /** What is shown; empty for nothing. Guarded by this. */
  private String text = "";

  private Progress(@Nullable PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    seconds.setDaemon(true);
  }

  /** On this if it is a terminal, and where errors go if not; repeated once a second. */
  public static Progress on(PrintStream out) {
    boolean terminal = isTerminal();
    Progress progress = new Progress(terminal ? out : System.err, terminal);
    progress.seconds.start();
    return progress;
  }

  /** None. */
  public static Progress none() {
    return new Progress(null, false);
  }

  /** On this, as if it were a terminal. */
  static Progress always(PrintStream out) {
    return new Progress(out, true);
  }

  /** On this, as if it were none, with no second of its own. */
  static Progress lines(PrintStream out) {
    return new Progress(out, false);
  }

  private void repeat() {
    Waiter waiter = Waiter.system();
    while (!Thread.currentThread().isInterrupted()) {
      waiter.awaitUntil(Ticker.system().nanoTime() + SECOND_MILLIS * 1_000_000);
      second();
    }
  }

  /** One second has gone by: shows what there is to show, with the time since the beginning. */
  synchronized void second() {
    if (out != null && !text.isEmpty()) {
      String line = String.format(Locale.ROOT, "%4.0f s  %s", clock.nanos() / 1e9, text);
      if (terminal) {
        draw(line);
      } else {
        out.println(line);
      }
    }
  }

  /** Before Java 22 there is a console only on a terminal; since then it has to be asked. */
  @SuppressWarnings("SystemConsoleNull") // that is looked at next
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null || Runtime.version().feature() < 22) {
      return console != null;
    }
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException missing) {
      return false;
    }
  }

  void show(long nowNanos, Plan plan, Counts counts) {
    if (out == null || nowNanos < nextNanos) {
      return;
    }
    nextNanos = nowNanos + GAP_NANOS;
    show(
        String.format(
            Locale.ROOT,
            "%6.1f s  %s, %s: %d sent, %d answered, %d failed, %d refused, %d in flight",
            nowNanos / 1e9,
            plan.engine().description(),
            plan.arrivals().label(),
            counts.sent(),
            counts.answered(),
            counts.failed(),
            counts.refused(),
            counts.inFlight()));
  }

  /** Shows a line in place of the one before. */
  public synchronized void show(String line) {
    text = line;
    if (terminal) {
      draw(line);
    }
  }

  /** Measures one of several. */
  @FunctionalInterface
  public interface Measurement<T, R> {

    /** Measures it. */
    R measure(T one) throws Exception;
  }

  /**
   * Shows each and measures it, until all are done or somebody asks for the end.
   *
   * @param measured what is done with each and what it came to, when nothing is shown
   */
  public <T, R> void each(
      Collection<T> all, Stop stop, Measurement<T, R> measurement, BiConsumer<T, R> measured)
      throws Exception {
    int number = 0;
    for (T one : all) {
      if (stop.asked()) {
        return;
      }
      number++;
      show(number + " of " + all.size() + ": " + one);
      R result = measurement.measure(one);
      end();
      measured.accept(one, result);
    }
  }

  /** Ends what is shown, and its thread. */
  @Override
  public void close() {
    end();
    seconds.interrupt();
  }

  private void draw(String line) {
    if (out != null) {
      out.print("\r" + String.format("%-" + WIDTH + "s", line));
      out.flush();
    }
  }

  /** Leaves the terminal as it was; nothing is shown until there is another line. */
  public synchronized void end() {
    show("");
    if (out != null && terminal) {
      out.print("\r");
      out.flush();
    }
  }
}
