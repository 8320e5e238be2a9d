// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that its own thread finds late, before any other thread does. */
class LateWorkTest {

  private final ManualTime time = new ManualTime();
  private final List<String> steps = new CopyOnWriteArrayList<>();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(
          Tenrec.builder()
              .time(time, time)
              .listen(
                  new CommandListener() {
                    @Override
                    public void onThreadEnd(ListenedCall call) {
                      steps.add("thread end");
                    }

                    @Override
                    public void onFallbackStart(ListenedCall call, Throwable cause) {
                      assertThat(cause).isInstanceOf(CommandTimeoutException.class);
                      steps.add("fallback start");
                    }

                    @Override
                    public void onSuccess(ListenedCall call, Object value) {
                      steps.add("success");
                    }
                  })
              .build());
  private final CommandView view =
      tenrec
          .command("Subject", (String argument) -> argument)
          .isolation(Isolation.threadPool().coreSize(1))
          .build()
          .view();
  private final List<Object> received = new CopyOnWriteArrayList<>();
  private final List<String> ran = new CopyOnWriteArrayList<>();

  /**
   * Has the work of a call found late when its thread asks for that time.
   *
   * @param look 0 before it begins, 1 when it has returned
   */
  private void findLateAt(int look) {
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(view),
            new WorkBody.Plain<>(argument -> ran.add(argument) ? "done" : "never"),
            (argument, cause) -> "instead",
            Classification.DEFAULT,
            null);
    Receiver<String> receiver =
        new Receiver<>() {
          @Override
          public void onValue(String value) {
            received.add(String.valueOf(value));
          }

          @Override
          public void onError(Throwable error) {
            received.add(error);
          }
        };
    pipeline.run(
        new Execution<>(
            pipeline, pipeline.runtime.plan(), "argument", receiver, false, time.nanoTime()) {
          private int asked;

          @Override
          public boolean isLate(long now) {
            return asked++ == look;
          }
        });
    await().until(() -> steps.contains("success"));
    assertThat(received).containsExactly("instead");
    assertThat(view.cumulativeCount(EventType.TIMEOUT)).isEqualTo(1);
  }

  /** Whatever becomes of its deadline after that, such as a stream's. */
  @Test
  void work_thatIsLateBeforeItBegins_timesOutAndNeverRuns() {
    findLateAt(0);

    assertThat(ran).isEmpty();
    assertThat(steps).containsExactly("fallback start", "success");
  }

  /** The fallback is on the same thread, and is none of the work's. */
  @Test
  void work_thatIsLateWhenItReturns_endsForListenersBeforeItsFallbackStarts() {
    findLateAt(1);

    assertThat(ran).containsExactly("argument");
    assertThat(steps).containsExactly("thread end", "fallback start", "success");
  }
}
