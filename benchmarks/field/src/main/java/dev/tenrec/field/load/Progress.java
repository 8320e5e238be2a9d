// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line that changes, on a terminal; nothing elsewhere. Used by one thread. */
public final class Progress {

  private static final long GAP_NANOS = Duration.ofMillis(250).toNanos();
  private static final int WIDTH = 110;

  private final @Nullable PrintStream out;
  private long nextNanos;

  private Progress(@Nullable PrintStream out) {
    this.out = out;
  }

  /** On this, if the program talks to a terminal. */
  public static Progress on(PrintStream out) {
    return new Progress(isTerminal() ? out : null);
  }

  /** None. */
  public static Progress none() {
    return new Progress(null);
  }

  /** On this, whatever it is. */
  static Progress always(PrintStream out) {
    return new Progress(out);
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

  void tell(long nowNanos, Plan plan, Counts counts) {
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
  public void show(String text) {
    if (out != null) {
      out.print("\r" + String.format("%-" + WIDTH + "s", text));
      out.flush();
    }
  }

  /** Leaves the terminal as it was. */
  public void end() {
    show("");
    if (out != null) {
      out.print("\r");
      out.flush();
    }
  }
}
