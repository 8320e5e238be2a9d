// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Model-checks that the breaker's operations are linearizable: whatever the interleaving, the
 * answers are those of some order. Each thread keeps the last permission it got, as a call does.
 * {@code -Dtenrec.lincheck.long=true} looks at many more.
 */
@Tag("race")
@Param(name = "now", gen = IntGen.class, conf = "0:12")
@Param(name = "thread", gen = ThreadIdGen.class)
public class CircuitBreakerLincheckTest {

  private static final boolean LONG = Boolean.getBoolean("tenrec.lincheck.long");
  private static final HealthSnapshot BAD = new HealthSnapshot(10, 10, 0);

  private final CircuitBreaker breaker =
      new CircuitBreaker(
          "Lincheck",
          new BreakerRules(1, 50, 3, 2, 4),
          0,
          () -> Instant.EPOCH,
          TransitionListener.NONE);
  private final Permission[] permissions = new Permission[8];

  public CircuitBreakerLincheckTest() {
    breaker.evaluate(breaker.unrefused(), BAD, 0);
  }

  @Operation
  public String admit(@Param(name = "thread") int thread, @Param(name = "now") int now) {
    Permission permission = breaker.admit(now);
    if (permission instanceof Refused) {
      return "refused";
    }
    permissions[thread] = permission;
    return permission instanceof Closed ? "closed" : "trial";
  }

  @Operation
  public void succeeded(@Param(name = "thread") int thread, @Param(name = "now") int now) {
    if (permissions[thread] != null) {
      breaker.succeeded(permissions[thread], now);
    }
  }

  @Operation
  public void failed(@Param(name = "thread") int thread, @Param(name = "now") int now) {
    if (permissions[thread] != null) {
      breaker.failed(permissions[thread], now);
    }
  }

  @Operation
  public void released(@Param(name = "thread") int thread, @Param(name = "now") int now) {
    if (permissions[thread] != null) {
      breaker.released(permissions[thread], now);
    }
  }

  @Operation
  public void look(@Param(name = "thread") int thread, @Param(name = "now") int now) {
    if (permissions[thread] != null) {
      breaker.evaluate(permissions[thread], BAD, now);
    }
  }

  @Operation
  public CircuitState state() {
    return breaker.state();
  }

  @Test
  void operations_inAnyInterleaving_areLinearizable() {
    new ModelCheckingOptions()
        .threads(LONG ? 3 : 2)
        .actorsPerThread(LONG ? 4 : 3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(LONG ? 200 : 20)
        .invocationsPerIteration(LONG ? 10_000 : 150)
        .minimizeFailedScenario(true)
        .check(CircuitBreakerLincheckTest.class);
  }
}
