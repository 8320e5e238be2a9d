// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On live commands, in manual time. */
class AdviserTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Command<Integer, Integer> command =
      tenrec
          .command(
              "Quote",
              (Integer millis) -> {
                time.advanceMillis(millis);
                return millis;
              })
          .isolation(Isolation.semaphore(1))
          .timeout(Duration.ofSeconds(2))
          .fallbackLimit(10)
          .build();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private Adviser watch() {
    return Adviser.watch(command.view(), tenrec::pools, time);
  }

  private void callOneAfterAnother(int calls, int millis) {
    for (int i = 0; i < calls; i++) {
      command.execute(millis);
    }
  }

  @Test
  void advice_canBeTakenAsItIs() {
    Adviser adviser = watch();
    callOneAfterAnother(1_200, 100); // one always at work

    Advice advice = adviser.advise();
    Map<String, String> properties = advice.properties("tenrec");
    tenrec.set(properties);

    String timeout = "tenrec.command.Quote.execution.isolation.thread.timeoutInMilliseconds";
    String permits = "tenrec.command.Quote.execution.isolation.semaphore.maxConcurrentRequests";
    assertThat(properties).containsKeys(timeout, permits);
    assertThat(Integer.parseInt(properties.get(timeout))).isBetween(100, 104);
    assertThat(command.view().concurrencyLimit())
        .isEqualTo(Integer.parseInt(properties.get(permits)))
        .isGreaterThan(1);
    assertThat(tenrec.refusedSettings()).isZero();
  }

  @Test
  void advice_isOfWhatCameSinceTheWatchBegan() {
    callOneAfterAnother(1_200, 1_000);
    Adviser adviser = watch();
    callOneAfterAnother(1_200, 100);

    assertThat(adviser.advise().toString()).contains("10.0 calls a second");

    adviser.restart();
    assertThat(adviser.advise().withheld()).containsExactly("anything: the watch has only begun");
    callOneAfterAnother(120, 100);
    assertThat(adviser.advise().withheld())
        .anySatisfy(said -> assertThat(said).contains("120 latencies in 12 s"));
  }

  @Test
  void commandOnAPool_isAdvisedOnThePool() {
    Command<Integer, Integer> onPool =
        tenrec
            .command("Pooled", (Integer millis) -> millis)
            .isolation(Isolation.threadPool().coreSize(200).maximumSize(200))
            .timeout(Duration.ofSeconds(1))
            .build();
    Adviser adviser = Adviser.watch(onPool.view(), tenrec::pools, time);
    for (int i = 0; i < 1_200; i++) {
      onPool.execute(i);
      time.advanceMillis(10);
    }

    assertThat(adviser.advise().properties("tenrec"))
        .containsKey("tenrec.threadpool.Pooled.coreSize");
  }

  /** Its own property bounds nothing there. */
  @Test
  void commandOnASharedSemaphore_isNotAdvisedOnPermitsOfItsOwn() {
    Command<Integer, Integer> sharing =
        tenrec
            .command(
                "Sharing",
                (Integer millis) -> {
                  time.advanceMillis(millis);
                  return millis;
                })
            .isolation(Isolation.semaphore(1).shared("Gateway"))
            .timeout(Duration.ofSeconds(2))
            .build();
    Adviser adviser = Adviser.watch(sharing.view(), tenrec::pools, time);
    for (int i = 0; i < 1_200; i++) {
      sharing.execute(100);
    }

    Advice advice = adviser.advise();

    assertThat(advice.properties("tenrec"))
        .doesNotContainKey(
            "tenrec.command.Sharing.execution.isolation.semaphore.maxConcurrentRequests");
    assertThat(advice.withheld())
        .anySatisfy(said -> assertThat(said).contains("semaphore Gateway"));

    tenrec.set("tenrec.command.Sharing.execution.isolation.strategy", "THREAD");
    adviser.restart();
    time.advanceMillis(20_000);
    assertThat(adviser.advise().withheld())
        .noneSatisfy(said -> assertThat(said).contains("semaphore Gateway"));
  }

  @Test
  void commandThatMoves_isNotAdvisedOnTwoPools() {
    Command<Integer, Integer> onPool =
        tenrec.command("Pooled", (Integer millis) -> millis).withoutTimeout().build();
    Adviser adviser = Adviser.watch(onPool.view(), tenrec::pools, time);
    tenrec.set("tenrec.command.Pooled.threadPoolKeyOverride", "Other");
    onPool.execute(1);
    time.advanceMillis(10);

    assertThat(adviser.advise().withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("moved to another pool"));
  }

  @Test
  void commandWithoutPermits_isNotJudged() {
    tenrec.set("tenrec.command.Quote.execution.isolation.semaphore.maxConcurrentRequests", "0");
    Adviser adviser = watch();
    time.advanceMillis(20_000);

    assertThat(adviser.advise().withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("no permits"));
  }
}
