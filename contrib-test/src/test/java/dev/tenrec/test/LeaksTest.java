// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What a test leaves is found, named, and fails the test. */
class LeaksTest {

  @Test
  void request_leftOpen_isFoundAndClosed() {
    TestTenrec test = TestTenrec.create();
    test.tenrec().openRequest();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .withMessageContaining("a request that this thread is still at");
    assertThat(test.tenrec().currentRequest()).isEmpty();
  }

  @Test
  @Timeout(60)
  void work_thatNeverEnds_isFoundAsAPermitAndAThread() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    TestTenrec test = TestTenrec.create();
    Command<String, String> stuck =
        test.tenrec()
            .command(
                "Stuck",
                (String a) -> {
                  began.countDown();
                  awaitWhateverComes(end);
                  return a;
                })
            .withoutTimeout()
            .build();
    stuck.executeAsync("a");
    began.await();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Leaks.assertNone(test.tenrec(), Duration.ofMillis(50)))
        .withMessageContaining("1 permits out, of command 'Stuck'");
    end.countDown();
    test.close();
  }

  private static void awaitWhateverComes(CountDownLatch end) {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        // as a driver that does not care
      }
    }
  }

  @Test
  void heldWork_atTheEnd_isLetGo() {
    TestTenrec test = TestTenrec.create();
    Command<String, String> echo = test.tenrec().command("Echo", (String a) -> a).build();
    HeldCalls held = test.faults().on("Echo").hold();
    var call = echo.executeAsync("a");
    held.await(1);
    test.close();
    assertThat(call.join()).isEqualTo("a");
    assertThat(test.tenrec().liveThreads()).isZero();
  }

  @Test
  void time_goingBack_isRefused() {
    VirtualTime time = new VirtualTime();
    long before = time.nanoTime();
    assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofNanos(-1)));
    time.advance(Duration.ofNanos(7));
    assertThat(time.nanoTime() - before).isEqualTo(7);
  }

  private static boolean asked;

  static boolean isAsked() {
    return asked;
  }

  /** Run by the test below only. */
  @EnabledIf("dev.tenrec.test.LeaksTest#isAsked")
  @ExtendWith(TenrecExtension.class)
  static class Careless {

    @Test
    void leavesARequest(Tenrec tenrec) {
      tenrec.openRequest();
    }

    @Test
    void leavesNothing(Tenrec tenrec, TestTenrec test, VirtualTime time, Faults faults) {
      assertThat(test.tenrec()).isSameAs(tenrec);
      assertThat(test.time()).isSameAs(time);
      assertThat(test.faults()).isSameAs(faults);
    }

    @Test
    void failsByItself(Tenrec tenrec) {
      tenrec.openRequest();
      throw new IllegalStateException("its own");
    }
  }

  @Test
  void extension_ofTestsThatLeaveThings_failsThose() {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Careless.class)).build();
    asked = true;
    try {
      LauncherFactory.create().execute(request, listener);
    } finally {
      asked = false;
    }
    TestExecutionSummary summary = listener.getSummary();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
    assertThat(summary.getFailures())
        .extracting(failure -> failure.getException().getMessage())
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains("a request that this thread is still at"),
            message -> assertThat(message).isEqualTo("its own"));
  }
}
