// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.core.outcome.NoFallback;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What code that stands between a user's and Tenrec's can say, name and read. */
class FallbackMarksTest {

  private final Tenrec tenrec = Unhurried.builder().threadNames("house", "HouseCallback").build();

  @AfterEach
  void close() {
    tenrec.close();
  }

  static final class AsItIs extends RuntimeException implements NoFallback {
    private static final long serialVersionUID = 1L;
  }

  private static String failsAsItIs(String argument) {
    throw new AsItIs();
  }

  private static String fails(String argument) {
    throw new IllegalStateException("down");
  }

  private static Isolation isolation(boolean pool) {
    return pool ? Isolation.threadPool() : Isolation.semaphore(10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noFallback_thrownByWork_reachesTheCallerAndCounts(boolean pool) {
    Command<String, String> command =
        tenrec
            .command("Marked", (String argument) -> failsAsItIs(argument))
            .isolation(isolation(pool))
            .fallback((argument, cause) -> "never")
            .build();

    assertThatThrownBy(() -> command.execute("x")).isInstanceOf(AsItIs.class);
    assertThat(command.attempt("x").events())
        .containsExactly(EventType.FAILURE, EventType.EXCEPTION_THROWN);
    // a caller that waits takes a thread for lost that is held up before it has counted
    await().untilAsserted(() -> assertThat(command.view().health().errors()).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void missingFallback_thrownByAFallback_isCountedAsMissing(boolean pool) {
    Command<String, String> command =
        tenrec
            .command("Missing", (String argument) -> fails(argument))
            .isolation(isolation(pool))
            .fallback(
                (argument, cause) -> {
                  throw new MissingFallbackException("none");
                })
            .build();

    assertThatThrownBy(() -> command.execute("x")).hasMessage("down");
    assertThat(command.attempt("x").events())
        .containsExactly(EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_MISSING)).isEqualTo(2);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_FAILURE)).isZero();
  }

  /** As a proxy does, which has each method that its interface has. */
  static final class Delegating implements CommandDefinition<String, String> {
    @Override
    public String run(String argument) {
      return fails(argument);
    }

    @Override
    public String fallback(String argument, Throwable cause) throws Exception {
      return CommandDefinition.super.fallback(argument, cause);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fallback_thatOnlyCallsTheDefault_isCountedAsMissing(boolean pool) {
    Command<String, String> command =
        tenrec.command("Proxied", new Delegating()).isolation(isolation(pool)).build();

    assertThatThrownBy(() -> command.execute("x")).hasMessage("down");
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_MISSING)).isOne();
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_FAILURE)).isZero();
    assertThat(command.view().explain()).doesNotContain("Fallbacks that failed themselves");
  }

  @Test
  void threadNames_always_areThoseOfPools() {
    Command<String, String> command =
        tenrec
            .command("Named", (String argument) -> Thread.currentThread().getName())
            .group("Rooms")
            .build();

    assertThat(command.execute("x")).isEqualTo("house-Rooms-1");
  }

  @Test
  void setting_always_isTheValueInForce() {
    Command<String, String> command =
        tenrec
            .command("Set", (String argument) -> argument)
            .timeout(Duration.ofMillis(300))
            .isolation(Isolation.threadPool().coreSize(3))
            .build();
    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Set")).hasMillis(300);

    tenrec.set("tenrec.command.Set.execution.isolation.thread.timeoutInMilliseconds", "250");

    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Set")).hasMillis(250);
    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Unknown")).isNull();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(tenrec.setting(PoolProperties.CORE_SIZE, "Set")).isEqualTo(3);
  }

  @Test
  void setting_ofACollapser_isTheValueInForce() {
    tenrec
        .collapserByPosition("Batched", (List<String> all) -> all)
        .globalScope()
        .maxRequestsInBatch(7)
        .build();
    assertThat(tenrec.setting(CollapserProperties.MAX_REQUESTS_IN_BATCH, "Batched")).isEqualTo(7);

    tenrec.set("tenrec.collapser.Batched.maxRequestsInBatch", "6");

    assertThat(tenrec.setting(CollapserProperties.MAX_REQUESTS_IN_BATCH, "Batched")).isEqualTo(6);
    assertThat(tenrec.setting(CollapserProperties.MAX_REQUESTS_IN_BATCH, "Unknown")).isNull();
  }

  @Test
  void setting_ofWhatCommandsShare_isRefused() {
    assertThatThrownBy(() -> tenrec.setting(SemaphoreProperties.MAX_CONCURRENT, "S"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("belongs to no command, pool or collapser");
  }

  @Test
  void enter_aRequest_lastsUntilItsScopeIsClosed() {
    RequestContext request = tenrec.openRequest();
    request.leave();
    assertThat(tenrec.currentRequest()).isEmpty();

    try (ContextPropagator.Scope scope = request.enter()) {
      assertThat(tenrec.currentRequest()).isPresent();
    }

    assertThat(tenrec.currentRequest()).isEmpty();
    request.close();
  }
}
