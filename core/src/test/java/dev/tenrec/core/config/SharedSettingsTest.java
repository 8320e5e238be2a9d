// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.SharedSettings;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One object of settings for several builders. */
class SharedSettingsTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
  }

  private Command<String, String> command(String key, SharedSettings shared) {
    return tenrec.<String, String>command(key, argument -> argument).settings(shared).build();
  }

  @Test
  void settings_givenToBuildersOfEachKind_areThoseOfEach() {
    SharedSettings shared =
        SharedSettings.builder()
            .timeout(Duration.ofMillis(300))
            .errorThreshold(20, 7)
            .property("fallback.isolation.semaphore.maxConcurrentRequests", "3")
            .isolation(Isolation.semaphore(4))
            .build();

    command("One", shared);
    command("Another", shared);
    tenrec.guard("Guard").settings(shared).build();
    tenrec.streamCommand("Stream", (String x) -> null).settings(shared).build();
    Collapser<String, String> collapser =
        tenrec
            .<String, String>collapser("Batch", all -> Map.of())
            .settings(shared)
            .globalScope()
            .build();

    assertThat(collapser.key()).isEqualTo("Batch");
    for (String key : List.of("One", "Another", "Guard", "Stream", "Batch")) {
      assertThat(tenrec.setting(CommandProperties.TIMEOUT, key)).isEqualTo(Duration.ofMillis(300));
      assertThat(tenrec.setting(CommandProperties.ERROR_THRESHOLD_PERCENTAGE, key)).isEqualTo(20);
      assertThat(tenrec.setting(CommandProperties.REQUEST_VOLUME_THRESHOLD, key)).isEqualTo(7);
      assertThat(tenrec.setting(CommandProperties.FALLBACK_MAX_CONCURRENT, key)).isEqualTo(3);
      assertThat(tenrec.setting(CommandProperties.SEMAPHORE_MAX_CONCURRENT, key)).isEqualTo(4);
      assertThat(tenrec.setting(CommandProperties.ISOLATION_STRATEGY, key))
          .isEqualTo(IsolationStrategy.SEMAPHORE);
    }
  }

  @Test
  void settings_betweenOthers_replaceThoseBeforeAndAreReplacedByThoseAfter() {
    SharedSettings shared =
        SharedSettings.builder().timeout(Duration.ofMillis(300)).fallbackLimit(3).build();

    tenrec
        .<String, String>command("Mixed", argument -> argument)
        .group("Its own")
        .timeout(Duration.ofMillis(100))
        .sleepWindow(Duration.ofSeconds(9))
        .settings(shared)
        .fallbackLimit(5)
        .build();

    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Mixed"))
        .isEqualTo(Duration.ofMillis(300));
    assertThat(tenrec.setting(CommandProperties.SLEEP_WINDOW, "Mixed"))
        .isEqualTo(Duration.ofSeconds(9));
    assertThat(tenrec.setting(CommandProperties.FALLBACK_MAX_CONCURRENT, "Mixed")).isEqualTo(5);
  }

  @Test
  void dynamicProperties_ofOneKey_beatSharedSettings() {
    SharedSettings shared = SharedSettings.builder().timeout(Duration.ofMillis(300)).build();
    command("One", shared);
    command("Another", shared);

    tenrec.set("tenrec.command.One.execution.isolation.thread.timeoutInMilliseconds", "200");

    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "One")).isEqualTo(Duration.ofMillis(200));
    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Another"))
        .isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void group_thatIsShared_isOnePool() {
    SharedSettings shared =
        SharedSettings.builder()
            .group("Remote")
            .isolation(Isolation.threadPool().property("coreSize", "2"))
            .build();

    command("One", shared).execute("x");
    command("Another", shared).execute("y");

    assertThat(tenrec.pools())
        .singleElement()
        .satisfies(
            pool -> {
              assertThat(pool.key()).isEqualTo("Remote");
              assertThat(pool.coreSize()).isEqualTo(2);
              assertThat(pool.cumulativeExecuted()).isEqualTo(2);
            });
  }

  @Test
  void circuit_ofSharedSettings_isOneOfEachCommand() {
    SharedSettings shared =
        SharedSettings.builder().property("circuitBreaker.forceOpen", "true").build();
    Command<String, String> one = command("One", shared);
    Command<String, String> other = command("Another", shared);

    tenrec.set("tenrec.command.Another.circuitBreaker.forceOpen", "false");

    assertThat(one.attempt("x").isAnswered()).isFalse();
    assertThat(other.execute("x")).isEqualTo("x");
  }

  @Test
  void ignoredExceptions_ofBoth_areIgnored() {
    SharedSettings shared =
        SharedSettings.builder()
            .isolation(Isolation.semaphore(4))
            .ignore(IllegalArgumentException.class)
            .build();
    Command<RuntimeException, String> command =
        tenrec
            .<RuntimeException, String>command(
                "Faults",
                thrown -> {
                  throw thrown;
                })
            .ignore(UnsupportedOperationException.class)
            .settings(shared)
            .build();

    assertThat(command.attempt(new IllegalArgumentException()).isAnswered()).isFalse();
    assertThat(command.attempt(new UnsupportedOperationException()).isAnswered()).isFalse();
    assertThat(command.attempt(new IllegalStateException()).isAnswered()).isFalse();
    assertThat(command.view().cumulativeCount(EventType.BAD_REQUEST)).isEqualTo(2);
    assertThat(command.view().cumulativeCount(EventType.FAILURE)).isOne();
  }

  @Test
  void rateLimitAndStackTraces_thatAreShared_holdForEach() {
    SharedSettings shared =
        SharedSettings.builder()
            .isolation(Isolation.semaphore(4))
            .rateLimit(RateLimit.of(1, Duration.ofMinutes(1)).burst(1))
            .stackTraces(true)
            .build();

    for (String key : List.of("One", "Another")) {
      Command<String, String> command = command(key, shared);
      assertThat(command.execute("x")).isEqualTo("x");
      assertThat(command.attempt("x").cause())
          .satisfies(refused -> assertThat(refused.getStackTrace()).isNotEmpty());
      assertThat(command.view().cumulativeCount(EventType.RATE_LIMITED)).isOne();
    }
  }

  @Test
  void settings_thatBreakARule_areRefusedWhereTheyAreGiven() {
    SharedSettings.Builder builder = SharedSettings.builder();

    assertThatThrownBy(() -> builder.errorThreshold(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("circuitBreaker.errorThresholdPercentage");
    assertThatThrownBy(() -> builder.property("coreSize", "1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(SharedSettings.builder().fallbackLimit(3).build())
        .hasToString("SharedSettings{fallback.isolation.semaphore.maxConcurrentRequests=3}");
  }

  @Test
  void builder_usedOnAfterBuild_leavesWhatWasBuilt() {
    SharedSettings.Builder builder = SharedSettings.builder().fallbackLimit(3);
    SharedSettings built = builder.build();

    builder.fallbackLimit(9);
    command("One", built);

    assertThat(tenrec.setting(CommandProperties.FALLBACK_MAX_CONCURRENT, "One")).isEqualTo(3);
  }
}
