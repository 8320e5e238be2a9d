// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each attempt is limited by the key of the caller's tenant, on whichever thread it asks for that:
 * the function for the key has the caller's context.
 */
class RateKeyContextTest {

  private static final Duration DELAY = Duration.ofMillis(10);

  private final ThreadLocal<String> tenant = new ThreadLocal<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private final CompletableFuture<String> slow = new CompletableFuture<>();
  private final ManualTime time = new ManualTime();
  private final ContextPropagator propagator =
      () -> {
        String captured = tenant.get();
        return () -> {
          String before = tenant.get();
          tenant.set(captured);
          open.incrementAndGet();
          return () -> {
            open.decrementAndGet();
            tenant.set(before);
          };
        };
      };

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().time(time, time).propagate(propagator).build());

  private static Retry retry() {
    return Retry.attempts(2).backoff(DELAY, DELAY).jitter(Jitter.NONE).budget(100, 100);
  }

  private static Hedge hedge() {
    return Hedge.after(DELAY).budget(100, 100);
  }

  private String failsFirst(String argument) throws IOException {
    if (attempts.incrementAndGet() == 1) {
      throw new IOException("the first fails");
    }
    return argument;
  }

  private CompletableFuture<String> failsFirstStage(String argument) {
    return attempts.incrementAndGet() == 1
        ? CompletableFuture.failedFuture(new IOException("the first fails"))
        : CompletableFuture.completedFuture(argument);
  }

  private String isSlowFirst(String argument) throws Exception {
    return attempts.incrementAndGet() == 1 ? slow.get() : argument;
  }

  private CompletableFuture<String> isSlowFirstStage(String argument) {
    return attempts.incrementAndGet() == 1 ? slow : CompletableFuture.completedFuture(argument);
  }

  /** The second attempt is due a delay after the first has begun or failed. */
  private void assertKeyedByTheCaller(CommandBuilder<String, String> builder) throws Exception {
    var command =
        builder
            .withoutTimeout()
            .rateLimit(10, Duration.ofDays(1), 10)
            .rateLimitKey(
                argument -> {
                  keys.add(String.valueOf(tenant.get()));
                  return tenant.get();
                })
            .build();
    CompletableFuture<String> call;
    tenant.set("ours");
    try {
      call = command.executeAsync("x");
    } finally {
      tenant.remove();
    }
    await()
        .until(
            () -> {
              time.advance(DELAY); // once more than needed does no harm
              return call.isDone();
            });

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("x");
    assertThat(keys).containsExactly("ours", "ours");
    assertThat(command.view().cumulativeCount(EventType.RATE_LIMITED)).isZero();
    slow.complete("too late");
    await().untilAsserted(() -> assertThat(open).as("contexts left open").hasValue(0));
  }

  @Test
  void retry_ofWorkOnAPool_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(tenrec.command("Subject", this::failsFirst).retry(retry()));
  }

  @Test
  void retry_withATimeForEachAttempt_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(
        tenrec
            .command("Subject", this::failsFirst)
            .retry(retry().attemptTimeout(Duration.ofHours(1))));
  }

  @Test
  void retry_ofAStage_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(tenrec.asyncCommand("Subject", this::failsFirstStage).retry(retry()));
  }

  @Test
  void hedge_ofWorkOnAPool_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(tenrec.command("Subject", this::isSlowFirst).hedge(hedge()));
  }

  @Test
  void hedge_ofAStage_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(tenrec.asyncCommand("Subject", this::isSlowFirstStage).hedge(hedge()));
  }

  @Test
  void round_afterOneThatFailed_isKeyedByTheCaller() throws Exception {
    assertKeyedByTheCaller(
        tenrec
            .command("Subject", this::failsFirst)
            .retry(retry())
            .hedge(Hedge.after(Duration.ofHours(1)).budget(100, 100)));
  }
}
