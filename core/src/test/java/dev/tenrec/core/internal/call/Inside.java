// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;

/** What tests may know of a command's inside and users may not. */
public final class Inside {

  private Inside() {}

  /** Fallbacks that hold a permit now. */
  public static int fallbacksInUse(CommandRuntime runtime) {
    return runtime.fallbackGate.inUse();
  }

  /** What bounds its calls now. */
  public static Permits permits(CommandRuntime runtime) {
    return runtime.plan().bulkhead.permits();
  }

  /** Time-outs its timer holds now, of all commands that share it. */
  public static int pendingTimeouts(CommandRuntime runtime) {
    return runtime.engine.timer().pending();
  }

  /** What is read every so often of the command of a live view. */
  public static int samplers(CommandView view) {
    return runtime(view).samplers().count();
  }

  /** What a live view shows. */
  public static CommandRuntime runtime(CommandView view) {
    return ((LiveCommandView) view).runtime();
  }

  /**
   * Works still busy after the answer, as counted: unlike the view's, also when it has gone wrong
   * and is negative.
   */
  public static int abandonedRunning(CommandRuntime runtime) {
    return runtime.abandonedRunning;
  }

  /** Streams and stages that closing would have to end, of all commands that share its engine. */
  public static int stages(CommandView view) {
    return runtime(view).engine.stages().size();
  }

  /** Calls that wait for their next attempt, of all commands that share its engine. */
  public static int waitingForRetry(CommandView view) {
    return runtime(view).engine.stages().waiting();
  }

  /** Another of the same means, whose time-outs that timer has. */
  public static CommandRuntime withTimer(CommandRuntime model, Timer timer) {
    Engine engine = model.engine;
    timer.reportFailures(engine.failures());
    Engine changed =
        new Engine(
            engine.ticker(),
            engine.waiter(),
            timer,
            engine.callbacks(),
            engine.stageCancels(),
            engine.failures(),
            engine.stages(),
            engine.closing(),
            engine.requests(),
            engine.listeners(),
            engine.journal(),
            engine.propagators());
    return new CommandRuntime(
        "Subject", "Group", changed, model.bulkheads, model.plan().settings, List::of, false);
  }

  /** Stages that lost their permit because they did not end. */
  public static long abandonedStages(CommandRuntime runtime) {
    return runtime.abandonedStages();
  }
}
