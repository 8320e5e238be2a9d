// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The barrier, without a service. */
class UsersTest {

  private final Stop stop = Stop.onDemand();

  /** Answers at once, on the thread that calls: a user would keep that thread for good. */
  private static class AtOnce implements Target {

    @Override
    public int call() {
      return answer();
    }

    @Override
    public CompletionStage<Integer> callAsync() {
      return CompletableFuture.completedFuture(answer());
    }

    int answer() {
      return 200;
    }

    @Override
    public void close() {}
  }

  @Test
  void run_answeredAtOnce_letsEveryUserBegin() throws Exception {
    Plan plan = Plan.closed(Engines.ASYNC, 1, 50, Duration.ofMillis(400), Duration.ofSeconds(5));

    Result result = new Driver(plan, new AtOnce(), stop, Progress.none()).run();

    assertThat(result.presence().seconds()).as("a window that began").isPositive();
    assertThat(result.counts().balance()).isTrue();
    assertThat(result.counts().answered()).isGreaterThan(50);
  }

  @Test
  void run_answeredEarly_holdsUsersBackUntilAllHaveBegun() throws Exception {
    // the first answers come while others have not begun; a budget of two calls each is shared
    Plan plan =
        new Plan(
            Engines.ASYNC,
            1,
            new Arrivals.Closed(40),
            80,
            Duration.ofSeconds(20),
            Duration.ofSeconds(5));

    Result result = new Driver(plan, new AtOnce(), stop, Progress.none()).run();

    assertThat(result.counts()).isEqualTo(new Counts(80, 0, 0, 0, 80, 80, 0));
    // the first call of each was before the window, and each was answered before the next began
    assertThat(result.presence().seconds()).isPositive();
    assertThat(result.presence().answered()).isEqualTo(40);
  }

  @Test
  void run_stoppedBeforeAllHaveBegun_hasNoWindow_andIsOff() throws Exception {
    Target stopping =
        new AtOnce() {
          @Override
          int answer() {
            stop.ask();
            return super.answer();
          }
        };
    Plan plan = Plan.closed(Engines.ASYNC, 1, 50, Duration.ofSeconds(20), Duration.ofSeconds(5));

    Result result = new Driver(plan, stopping, stop, Progress.none()).run();

    assertThat(result.counts().answered()).isEqualTo(1);
    assertThat(result.presence().isOff()).isTrue();
    assertThat(result.presence().said()).isEqualTo("0.00 OFF");
    assertThat(result.perSecond()).isZero();
    assertThat(result.sinceIntended().meanSaid(2)).isEqualTo("-");
  }

  @Test
  void window_countsTheTimeOfCallsInsideIt() {
    MeasuringWindow window = new MeasuringWindow();
    window.present(0, 50);
    window.begin(100);
    window.present(20, 90);
    window.present(50, 150);
    window.present(120, 180);
    window.end(200);
    window.present(150, 900);
    window.present(300, 900);

    Presence presence = window.presence(2, "");

    assertThat(presence.present()).isEqualTo((50 + 60 + 50) / 100.0);
    assertThat(presence.share()).isEqualTo(0.8);
    assertThat(presence.said()).isEqualTo("0.80 OFF");
    assertThat(window.holds(99)).isFalse();
    assertThat(window.holds(200)).isTrue();
    assertThat(window.holds(201)).isFalse();
  }

  @Test
  void presence_withinATenth_isNotOff() {
    assertThat(new Presence(100, 1, 90.1, 1, "").isOff()).isFalse();
    assertThat(new Presence(100, 1, 109.9, 1, "").said()).isEqualTo("1.10");
    assertThat(new Presence(100, 1, 111, 1, "").said()).isEqualTo("1.11 OFF");
    assertThat(Presence.OPEN.said()).isEqualTo("-");
  }
}
