// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real threads at one breaker, with a clock they share. */
@Tag("race")
class CircuitBreakerRaceTest {

  private static final HealthSnapshot BAD = new HealthSnapshot(10, 10, 0);
  private static final int ROUNDS = Integer.getInteger("tenrec.race.rounds", 3_000);

  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void admit_manyCallersAfterTheSleepWindow_letsExactlyOneThrough() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(1);
      AtomicInteger admitted = new AtomicInteger();
      Runnable caller = () -> admitted.addAndGet(breaker.admit(10) instanceof Refused ? 0 : 1);
      together(caller, caller, caller);
      assertThat(admitted).hasValue(1);
    }
  }

  @Test
  void succeeded_byTwoThreadsForOneTrial_countsOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(2);
      Permission trial = breaker.admit(10);
      Runnable end = () -> breaker.succeeded(trial, 10);
      together(end, end);
      assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }
  }

  @Test
  void succeededAndFailed_byTwoTrials_endInOneTransitionAndNeverWedge() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(2);
      Permission a = breaker.admit(10);
      Permission b = breaker.admit(10);
      together(() -> breaker.succeeded(a, 10), () -> breaker.failed(b, 10));
      assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
      assertThat(breaker.admit(20)).isNotInstanceOf(Refused.class);
    }
  }

  @Test
  void succeeded_againstTheExpiryOfItsLease_closesAndLeavesNoPlaceTaken() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(1);
      Permission trial = breaker.admit(10);
      together(() -> breaker.succeeded(trial, 15), () -> breaker.admit(15));
      assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }
  }

  @Test
  void handedBack_againstTheExpiryOfItsLease_leavesOnePlace() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(1);
      Permission trial = breaker.admit(10);
      AtomicInteger admitted = new AtomicInteger();
      Runnable caller = () -> admitted.addAndGet(breaker.admit(15) instanceof Refused ? 0 : 1);
      together(() -> breaker.released(trial, 15), caller, caller);
      assertThat(admitted).hasValue(1);
    }
  }

  @Test
  void succeeded_againstFewerTrialsByNewRules_closes() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CircuitBreaker breaker = tripped(2);
      Permission trial = breaker.admit(10);
      together(() -> breaker.succeeded(trial, 10), () -> breaker.rules(rules(1)));
      assertThat(breaker.admit(10)).isInstanceOf(Closed.class);
    }
  }

  @Test
  void look_byManyAtOnce_tripsOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger transitions = new AtomicInteger();
      CircuitBreaker breaker =
          new CircuitBreaker(
              "Race", rules(1), 0, () -> Instant.EPOCH, t -> transitions.incrementAndGet());
      Permission seen = breaker.unrefused();
      Runnable look = () -> breaker.evaluate(seen, BAD, 0);
      together(look, look, look);
      assertThat(transitions).hasValue(1);
      assertThat(breaker.journal()).hasSize(1);
    }
  }

  @Test
  void everythingAtOnce_journalStaysAChainAndTheBreakerUsable() throws Exception {
    AtomicLong clock = new AtomicLong();
    AtomicInteger changes = new AtomicInteger();
    CircuitBreaker breaker =
        new CircuitBreaker(
            "Race", rules(2), 0, () -> Instant.EPOCH, t -> changes.incrementAndGet());
    Runnable busy =
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          for (int i = 0; i < 20_000; i++) {
            long now = clock.addAndGet(random.nextInt(3));
            Permission seen = breaker.unrefused();
            Permission permission = breaker.admit(now);
            if (!(permission instanceof Refused)) {
              switch (random.nextInt(5)) {
                case 0, 1 -> breaker.succeeded(permission, now);
                case 2 -> breaker.failed(permission, now);
                case 3 -> breaker.released(permission, now);
                default -> breaker.evaluate(seen, BAD, now);
              }
            }
            if (random.nextInt(50) == 0) {
              breaker.rules(rules(1 + random.nextInt(3)));
            }
          }
        };
    together(busy, busy, busy, busy);
    List<Transition> journal = breaker.journal();
    assertThat(journal.get(journal.size() - 1).number()).isEqualTo(changes.get());
    for (int i = 1; i < journal.size(); i++) {
      assertThat(journal.get(i).from()).isEqualTo(journal.get(i - 1).to());
      assertThat(journal.get(i).number()).isEqualTo(journal.get(i - 1).number() + 1);
    }
    assertThat(breaker.admit(clock.get() + 10)).isNotInstanceOf(Refused.class);
  }

  private static BreakerRules rules(int trials) {
    return new BreakerRules(1, 50, 10, trials, 5);
  }

  private static CircuitBreaker tripped(int trials) {
    CircuitBreaker breaker =
        new CircuitBreaker("Race", rules(trials), 0, () -> Instant.EPOCH, TransitionListener.NONE);
    breaker.evaluate(breaker.unrefused(), BAD, 0);
    return breaker;
  }

  private void together(Runnable... tasks) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(tasks.length);
    List<? extends Future<?>> running =
        Stream.of(tasks)
            .map(
                task ->
                    threads.submit(
                        () -> {
                          barrier.await(PatientWaits.seconds(), TimeUnit.SECONDS);
                          task.run();
                          return null;
                        }))
            .toList();
    for (Future<?> task : running) {
      task.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
  }
}
