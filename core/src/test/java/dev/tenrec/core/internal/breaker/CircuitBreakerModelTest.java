// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random sequences of everything that can happen to a breaker, against a plain model of it. */
class CircuitBreakerModelTest {

  private static final int SEQUENCES = Integer.getInteger("tenrec.breaker.sequences", 4_000);
  private static final int STEPS = 120;
  private static final HealthSnapshot BAD = new HealthSnapshot(10, 10, 0);
  private static final HealthSnapshot GOOD = new HealthSnapshot(10, 1, 0);

  @Test
  void randomSequences_behaveAsTheModelAndNeverWedge() {
    long seed = Long.getLong("tenrec.breaker.seed", new Random().nextLong());
    for (int i = 0; i < SEQUENCES; i++) {
      new Sequence(seed + i).run();
    }
  }

  private record Trial(Permission permission, int number) {}

  private static final class Sequence {

    private final String name;
    private final Random random;
    private final ModelBreaker model = new ModelBreaker();
    private final List<Trial> trials = new ArrayList<>();
    private final List<Permission> closedCalls = new ArrayList<>();
    private final List<Transition> heard = new ArrayList<>();
    private BreakerRules rules;
    private long now;
    private final CircuitBreaker breaker;

    Sequence(long seed) {
      name = "-Dtenrec.breaker.sequences=1 -Dtenrec.breaker.seed=" + seed;
      random = new Random(seed);
      rules = randomRules();
      now = random.nextLong();
      breaker = new CircuitBreaker("Model", rules, now, () -> Instant.EPOCH, heard::add);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        CircuitState before = model.state;
        int successesBefore = model.successes;
        now += random.nextInt(4);
        step();
        assertThat(breaker.state()).as(name).isEqualTo(model.state);
        assertThat(before == CircuitState.OPEN && model.state == CircuitState.CLOSED)
            .as(name)
            .isFalse();
        if (before == CircuitState.HALF_OPEN && model.state == CircuitState.CLOSED) {
          assertThat(successesBefore + 1).as(name).isGreaterThanOrEqualTo(rules.halfOpenTrials());
        }
        for (Trial trial : trials) {
          assertThat(breaker.isCurrent(trial.permission()))
              .as(name)
              .isEqualTo(model.isCurrent(trial.number()));
        }
      }
      now += Math.max(rules.sleepWindowNanos(), rules.leaseNanos());
      assertThat(breaker.admit(now)).as("wedged: " + name).isNotInstanceOf(Refused.class);
      assertThat(heard).as(name).endsWith(breaker.journal().toArray(Transition[]::new));
      for (int i = 1; i < heard.size(); i++) {
        assertThat(heard.get(i).from()).as(name).isEqualTo(heard.get(i - 1).to());
      }
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> admit();
        case 4, 5 -> succeed();
        case 6 -> fail();
        case 7, 8 -> release();
        case 9 -> look();
        case 10 -> endAnOldCall();
        default -> changeRules();
      }
    }

    private void admit() {
      int expected = model.admit(now, rules);
      Permission permission = breaker.admit(now);
      if (expected == ModelBreaker.REFUSED) {
        assertThat(permission).as(name).isInstanceOf(Refused.class);
      } else if (expected == ModelBreaker.CLOSED_CALL) {
        assertThat(permission).as(name).isInstanceOf(Closed.class);
        closedCalls.add(permission);
      } else {
        assertThat(permission).as(name).isInstanceOf(TrialPermit.class);
        trials.add(new Trial(permission, expected));
        assertThat(model.unexpired(now, rules))
            .as(name)
            .isLessThanOrEqualTo(rules.halfOpenTrials());
      }
    }

    private void succeed() {
      if (!trials.isEmpty()) {
        Trial trial = anyTrial();
        model.succeeded(trial.number(), rules);
        breaker.succeeded(trial.permission(), now);
      }
    }

    private void fail() {
      if (!trials.isEmpty()) {
        Trial trial = anyTrial();
        model.failed(trial.number(), now);
        breaker.failed(trial.permission(), now);
      }
    }

    private void release() {
      if (!trials.isEmpty()) {
        Trial trial = anyTrial();
        model.released(trial.number());
        breaker.released(trial.permission(), now);
      }
    }

    private void look() {
      if (random.nextBoolean()) {
        model.trip(now);
        breaker.evaluate(breaker.unrefused(), BAD, now);
      } else {
        breaker.evaluate(breaker.unrefused(), GOOD, now);
      }
    }

    /**
     * Of a closed period, mostly an older one: it must change nothing, and its look only trips its
     * own period.
     */
    private void endAnOldCall() {
      if (!closedCalls.isEmpty()) {
        Permission call = closedCalls.get(random.nextInt(closedCalls.size()));
        breaker.succeeded(call, now);
        breaker.failed(call, now);
        breaker.released(call, now);
        if (!breaker.isCurrent(call)) {
          breaker.evaluate(call, BAD, now);
        }
      }
    }

    private void changeRules() {
      rules = randomRules();
      breaker.rules(rules);
    }

    /**
     * Recent ones mostly, but also those that ended, lost their lease, or belong to an older
     * period.
     */
    private Trial anyTrial() {
      int size = trials.size();
      int recent = Math.max(0, size - 3);
      return random.nextInt(4) == 0
          ? trials.get(random.nextInt(size))
          : trials.get(recent + random.nextInt(size - recent));
    }

    private BreakerRules randomRules() {
      return new BreakerRules(
          5, 50, random.nextInt(12), 1 + random.nextInt(4), 1 + random.nextInt(10));
    }
  }
}
