// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.kit.Unhurried;
import org.junit.jupiter.api.Test;

/** What an error says of two definitions of one key. */
class DefinitionTest {

  @Test
  void changedTo_namesAllThatIsOtherwise_beforeAndNow() {
    Definition before =
        new Definition(
            "Pricing",
            CodeSettings.command().build(),
            "Pool",
            CodeSettings.pool().build(),
            null,
            null,
            null,
            new NamedShare("Hedges", CodeSettings.retryBudget().build()),
            true);
    Definition now =
        new Definition(
            "Quotes",
            CodeSettings.command().set(CommandProperties.FORCE_OPEN, true).build(),
            "Other",
            CodeSettings.pool().set(PoolProperties.CORE_SIZE, 5).build(),
            new NamedShare("Room", CodeSettings.semaphore().build()),
            new NamedShare("Limiter", CodeSettings.rateLimiter().build()),
            new NamedShare("Retries", CodeSettings.retryBudget().build()),
            null,
            false);

    assertThat(before.changedTo(now))
        .isEqualTo(
            "group Pricing, now Quotes; settings {}, now {circuitBreaker.forceOpen=true}; "
                + "thread pool Pool, now Other; settings of the pool {}, now {coreSize=5}; "
                + "semaphore null, now Room {}; rate limiter null, now Limiter {}; "
                + "budget of retries null, now Retries {}; "
                + "budget of hedges Hedges {}, now null; stack traces true, now false");
    assertThat(before.changedTo(before)).isEmpty();
  }

  @Test
  void build_sameKeyOfAnotherGroup_saysBothInTheirOrder() {
    try (Tenrec tenrec = Unhurried.tenrec()) {
      tenrec
          .command("Same", (String s) -> s)
          .group("First")
          .isolation(Isolation.semaphore(1))
          .build();

      assertThatThrownBy(
              () ->
                  tenrec
                      .command("Same", (String s) -> s)
                      .group("Second")
                      .isolation(Isolation.semaphore(1))
                      .build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "command Same was built before with other settings: group First, now Second");
    }
  }
}
