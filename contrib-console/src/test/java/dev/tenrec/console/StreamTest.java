// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page is sent agrees with the views, and is no more than it has to be. */
class StreamTest {

  private final Tenrec tenrec = Tenrec.create();
  private static final Duration BEAT = Duration.ofMillis(150);

  private final ManualTime time = new ManualTime();
  private Console console;

  @BeforeEach
  void start() throws Exception {
    String all = "tenrec.command.default."; // whatever else the machine does
    tenrec.set(all + "execution.isolation.thread.timeoutInMilliseconds", "30000");
    tenrec.set(all + "metrics.rollingStats.timeInMilliseconds", "600000");
    console = Console.builder(tenrec).interval(Duration.ofMillis(20)).start();
  }

  @AfterEach
  void stop() {
    console.close();
    tenrec.close();
  }

  /** One whose clients do not fall behind, however slow: it reads when its time moves. */
  private Console calm() throws IOException {
    return Console.builder(tenrec).interval(BEAT).time(time, time).start();
  }

  /** What the calm one sends next. */
  private void beat(Watched page) throws IOException {
    AttackTest.beat(time, BEAT);
    page.next();
  }

  private void beatUntil(Watched page, BooleanSupplier holds) throws IOException {
    for (int i = 0; i < 1_000 && !holds.getAsBoolean(); i++) {
      beat(page);
    }
    assertThat(holds.getAsBoolean()).isTrue();
  }

  private Command<Integer, Integer> failing(String key) {
    return tenrec
        .command(
            key,
            (Integer i) -> {
              if (i < 0) {
                throw new IllegalStateException("down");
              }
              return i;
            })
        .isolation(Isolation.semaphore(3))
        .errorThreshold(50, 4)
        .sleepWindow(Duration.ofHours(1))
        .fallbackValue(0)
        .build();
  }

  @Test
  void totals_afterCallsOfAllKinds_areThoseOfTheViews() throws Exception {
    Command<Integer, Integer> first = failing("First");
    try (Console calm = calm();
        Watched page = Watched.of(calm)) {
      page.next();
      Command<Integer, Integer> second = failing("Second");
      for (int i = 0; i < 40; i++) {
        first.attempt(i);
        second.attempt(i < 20 ? i : -1);
        if (i % 10 == 0) {
          beat(page);
        }
      }
      CommandDetails down =
          tenrec.commands().stream().filter(each -> each.key().equals("Second")).findAny().get();
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> {
                second.attempt(-1);
                return down.cumulativeCount(EventType.SHORT_CIRCUITED) > 0;
              });
      for (CommandDetails view : tenrec.commands()) {
        for (EventType event : EventType.values()) {
          long counted = view.cumulativeCount(event);
          beatUntil(page, () -> page.count(view.key(), event.name()) == counted);
        }
      }
      beat(page);
      for (CommandDetails view : tenrec.commands()) {
        for (EventType event : EventType.values()) {
          assertThat(page.count(view.key(), event.name()))
              .as("%s of %s", event, view.key())
              .isEqualTo(view.cumulativeCount(event));
        }
      }
      assertThat(page.count("Second", "SHORT_CIRCUITED")).isPositive();
      assertThat(page.wholes).isEqualTo(1);
    }
  }

  @Test
  void circuit_thatOpens_isSentWithReasonAndTimeOfItsTrial() throws Exception {
    Command<Integer, Integer> command = failing("Down");
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.state("Down").equals("CLOSED"));
      for (int i = 0; i < 4; i++) {
        command.attempt(-1);
      }
      page.until(() -> page.state("Down").equals("OPEN"));
      int id = page.id("Down");
      assertThat(page.reasons.get(id).get(2).asText()).startsWith("4 of 4 calls failed");
      assertThat(page.rows.get(id).get(10).asLong())
          .isEqualTo(tenrec.commands().get(0).nextTrialAt().toEpochMilli());
      tenrec.closeCircuit("Down", "by hand");
      page.until(() -> page.state("Down").equals("CLOSED"));
      assertThat(page.reasons.get(id).get(2).asText()).isEqualTo("closed by hand: by hand");
      assertThat(page.rows.get(id).get(10).asLong()).isZero();
    }
  }

  @Test
  void commands_thatDoNothing_areNotSentAgain() throws Exception {
    for (int i = 0; i < 200; i++) {
      failing("Quiet" + i);
    }
    Command<Integer, Integer> busy = failing("Busy");
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.rows.size() == 201);
      int whole = page.length;
      for (int i = 0; i < 20; i++) {
        busy.attempt(i);
        page.next();
        if (page.last.path("whole").isMissingNode()) {
          assertThat(page.last.path("commands").path("rows").size()).isLessThanOrEqualTo(1);
          assertThat(page.length).isLessThan(whole / 20);
        }
      }
      page.until(() -> page.count("Busy", "SUCCESS") == 20);
    }
  }

  @Test
  void command_thatIsRemovedAndBuiltAnew_isAnotherRow() throws Exception {
    failing("Again").attempt(1);
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.count("Again", "SUCCESS") == 1);
      int before = page.id("Again");
      tenrec.remove("Again");
      page.until(() -> page.names.isEmpty());
      failing("Again");
      page.until(() -> page.id("Again") != 0 && page.count("Again", "SUCCESS") == 0);
      assertThat(page.id("Again")).isNotEqualTo(before);
      assertThat(page.rows).hasSize(1);
    }
  }

  @Test
  void command_thatGetsAnotherPool_isTheSameRowUnderItsNewPool() throws Exception {
    tenrec
        .command("Moved", (Integer i) -> i)
        .isolation(Isolation.threadPool().key("Old"))
        .build()
        .execute(1);
    try (Console calm = calm();
        Watched page = Watched.of(calm)) {
      page.next();
      int id = page.id("Moved");
      assertThat(page.names.get(id).get(3).asText()).isEqualTo("Old");
      tenrec.set("tenrec.command.Moved.threadPoolKeyOverride", "New");
      beatUntil(page, () -> page.names.get(id).get(3).asText().equals("New"));
      assertThat(page.names).hasSize(1);
      // its thread may count it after the answer, if it is held up and its caller takes over
      beatUntil(page, () -> page.count("Moved", "SUCCESS") == 1);
      assertThat(page.wholes).isEqualTo(1);
    }
  }

  @Test
  void journal_ofManyEntries_isSentWholeAndSaysWhatItLeavesOut() throws Exception {
    for (int i = 0; i < 600; i++) {
      tenrec.set("tenrec.command.C" + i + ".rollingStats.timeInMilliseconds", "wrong");
    }
    int before = tenrec.journal().size();
    assertThat(before).isGreaterThan(100);
    try (Watched page = Watched.of(console)) {
      page.next();
      assertThat(page.last.get("every").asInt()).isEqualTo(20);
      assertThat(page.last.get("journal")).hasSize(before);
      assertThat(page.last.has("leftOut")).isFalse();
    }
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_leaveNothingBehind() throws Exception {
    try (Watched page = Watched.of(console)) {
      for (int i = 0; i < 1_000; i++) {
        failing("Turn" + i).attempt(i);
        tenrec.remove("Turn" + i);
        if (i % 100 == 0) {
          page.next();
        }
      }
      failing("Last");
      page.until(() -> page.id("Last") != 0 && page.names.size() == 1);
      assertThat(page.rows).hasSize(1);
    }
    await().atMost(PatientWaits.patience()).until(() -> console.clients() == 0);
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("tenrec-console")));
  }

  @Test
  void story_ofACommand_saysWhatTheViewSays() throws Exception {
    Command<Integer, Integer> command = failing("GetQuote");
    tenrec.set("tenrec.command.GetQuote.circuitBreaker.requestVolumeThreshold", "1000");
    for (int i = 0; i < 300; i++) {
      command.attempt(i);
    }
    command.attempt(-1);
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.id("GetQuote") != 0);
      HttpResponse<String> answer =
          Watched.get(console.uri().resolve("command?id=" + page.id("GetQuote")));
      assertThat(answer.statusCode()).isEqualTo(200);
      JsonNode story = Watched.JSON.readTree(answer.body());
      CommandDetails view = tenrec.commands().get(0);
      assertThat(story.get("key").asText()).isEqualTo("GetQuote");
      assertThat(story.get("explanation").asText()).isEqualTo(view.explain());
      assertThat(story.get("total").get("SUCCESS").asLong()).isEqualTo(300);
      assertThat(story.get("settings")).hasSameSizeAs(view.settings());
      assertThat(story.get("settings").toString())
          .contains(
              "{\"property\":\"circuitBreaker.requestVolumeThreshold\",\"value\":\"1000\","
                  + "\"level\":\"INSTANCE\"}");
      assertThat(story.get("journal").toString()).contains("requestVolumeThreshold");
      assertThat(sumOfSlots(story.get("execution"))).isEqualTo(301);
      assertThat(story.get("sizing").get("coreSize").asInt()).isPositive();
      assertThat(story.get("sizing").get("healthy").asBoolean()).isTrue();
    }
  }

  /** One setting, in one version. */
  private static final class OneVersion implements SettingsSource {

    static final String KEY = "tenrec.command.Signed.fallback.enabled";

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of(KEY, "false");
    }

    @Override
    public SettingOrigin origin(String key, String value) {
      return key.equals(KEY) && "false".equals(value) ? new SettingOrigin(17, "alice") : null;
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Test
  void story_ofASettingWithAVersion_saysWhichAndByWhom() throws Exception {
    try (Tenrec steered = Tenrec.builder().remoteSource(new OneVersion()).build();
        Console shown = Console.builder(steered).start()) {
      var unused =
          steered.command("Signed", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
      try (Watched page = Watched.of(shown)) {
        page.until(() -> page.id("Signed") != 0);
        HttpResponse<String> answer =
            Watched.get(shown.uri().resolve("command?id=" + page.id("Signed")));
        assertThat(answer.body())
            .contains(
                "{\"property\":\"fallback.enabled\",\"value\":\"false\","
                    + "\"level\":\"INSTANCE\",\"origin\":\"version 17 by alice\"}");
      }
    }
  }

  private static long sumOfSlots(JsonNode slots) {
    long sum = 0;
    for (int i = 2; i < slots.size(); i += 3) {
      sum += slots.get(i).asLong();
    }
    return sum;
  }

  @Test
  void shared_things_areThereWithTheirFigures() throws Exception {
    tenrec
        .command("Pooled", (Integer i) -> i)
        .isolation(Isolation.threadPool().coreSize(4))
        .build()
        .execute(1);
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.last != null && page.last.has("pools"));
      JsonNode row = page.last.get("pools").get("rows").get(0);
      assertThat(List.of(row.get(3).asInt(), row.get(4).asInt())).containsExactly(4, 4);
    }
  }

  @Test
  void shared_budgets_areThereUntilNoCommandSharesThem() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command("GetStock", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(3).budget(0, 1).sharedBudget("Warehouse"))
            .build();
    try (Console calm = calm();
        Watched page = Watched.of(calm)) {
      beatUntil(page, () -> page.last != null && page.last.has("budgets"));
      JsonNode first = page.last.get("budgets");
      assertThat(first.get("names").toString()).isEqualTo("[[1,\"Warehouse\"]]");
      assertThat(first.get("rows").toString()).isEqualTo("[[1,0,10,1]]");

      assertThat(tenrec.remove("GetStock")).isTrue();
      assertThat(command.isClosed()).isTrue();
      beatUntil(page, () -> page.last.path("budgets").has("gone"));
      assertThat(page.last.get("budgets").get("gone").toString()).isEqualTo("[1]");
    }
  }
}
