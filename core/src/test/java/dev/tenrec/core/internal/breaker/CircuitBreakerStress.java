// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of two threads, each of which finds that the other has just changed the state. */
public class CircuitBreakerStress {

  private static final HealthSnapshot BAD = new HealthSnapshot(10, 10, 0);

  /** Open, and its sleep window of 10 ns over at 10. */
  private static CircuitBreaker tripped() {
    CircuitBreaker breaker =
        new CircuitBreaker(
            "Race",
            new BreakerRules(1, 50, 10, 2, 5),
            0,
            () -> Instant.EPOCH,
            TransitionListener.NONE);
    breaker.evaluate(breaker.unrefused(), BAD, 0);
    return breaker;
  }

  /** Both trials that it takes succeed at once. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "closed")
  @Outcome(expect = FORBIDDEN, desc = "a success was lost")
  @State
  public static class TwoSuccesses {
    private final CircuitBreaker breaker = tripped();
    private final Permission one = breaker.admit(10);
    private final Permission other = breaker.admit(10);

    @Actor
    public void first() {
      breaker.succeeded(one, 10);
    }

    @Actor
    public void second() {
      breaker.succeeded(other, 10);
    }

    @Arbiter
    public void afterwards(Z_Result r) {
      r.r1 = breaker.state() == CircuitState.CLOSED;
    }
  }

  /** Both trials give their places back at once. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both places are free")
  @Outcome(expect = FORBIDDEN, desc = "a place was lost")
  @State
  public static class TwoReleases {
    private final CircuitBreaker breaker = tripped();
    private final Permission one = breaker.admit(10);
    private final Permission other = breaker.admit(10);

    @Actor
    public void first() {
      breaker.released(one, 10);
    }

    @Actor
    public void second() {
      breaker.released(other, 10);
    }

    @Arbiter
    public void afterwards(ZZ_Result r) {
      r.r1 = !(breaker.admit(10) instanceof Refused);
      r.r2 = !(breaker.admit(10) instanceof Refused);
    }
  }

  /** One trial fails and one succeeds: it opens, whichever came first. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "open")
  @Outcome(expect = FORBIDDEN, desc = "the failure was lost")
  @State
  public static class SuccessAndFailure {
    private final CircuitBreaker breaker = tripped();
    private final Permission one = breaker.admit(10);
    private final Permission other = breaker.admit(10);

    @Actor
    public void first() {
      breaker.succeeded(one, 10);
    }

    @Actor
    public void second() {
      breaker.failed(other, 10);
    }

    @Arbiter
    public void afterwards(Z_Result r) {
      r.r1 = breaker.state() == CircuitState.OPEN;
    }
  }

  /** The last success comes while a new trial takes the place of one that has lost its lease. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "closed")
  @Outcome(expect = FORBIDDEN, desc = "the last success was lost")
  @State
  public static class LastSuccessAgainstNewTrial {
    private final CircuitBreaker breaker = tripped();
    private final Permission one = breaker.admit(10);
    private final Permission other = breaker.admit(10);

    public LastSuccessAgainstNewTrial() {
      breaker.succeeded(one, 10);
    }

    @Actor
    public void success() {
      breaker.succeeded(other, 20);
    }

    @Actor
    public void trial() {
      Permission unused = breaker.admit(20);
    }

    @Arbiter
    public void afterwards(Z_Result r) {
      r.r1 = breaker.state() == CircuitState.CLOSED;
    }
  }

  /** It is closed by hand while a trial begins. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "closed, and said so")
  @Outcome(expect = FORBIDDEN, desc = "the operator was not heeded")
  @State
  public static class ClosingByHandAgainstNewTrial {
    private final CircuitBreaker breaker = tripped();
    private boolean closed;

    @Actor
    public void operator() {
      closed = breaker.closeByHand("by an operator", 10);
    }

    @Actor
    public void trial() {
      Permission unused = breaker.admit(10);
    }

    @Arbiter
    public void afterwards(ZZ_Result r) {
      r.r1 = closed;
      r.r2 = breaker.state() == CircuitState.CLOSED;
    }
  }
}
