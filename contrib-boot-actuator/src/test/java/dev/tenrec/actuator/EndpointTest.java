// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static dev.tenrec.actuator.Shop.encoded;
import static dev.tenrec.actuator.Shop.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;

/** The endpoint on a management port of a servlet application, where writes are allowed. */
class EndpointTest {

  private static final String FORCE_OPEN = "tenrec.command.Quotes.circuitBreaker.forceOpen";
  private static final String HEALTH = "/health/tenrec";
  private static Shop shop;

  @BeforeAll
  static void start() {
    shop =
        Shop.start(
            WebApplicationType.SERVLET,
            "management.server.port=0",
            "management.server.address=127.0.0.1",
            "management.endpoint.tenrec.access=unrestricted");
  }

  @AfterAll
  static void stop() {
    shop.close();
  }

  @BeforeEach
  void call() {
    shop.call(Shop.QUOTES);
    shop.call(Shop.ODD_KEY);
  }

  @AfterEach
  void remove() {
    shop.tenrec.clear(FORCE_OPEN);
    shop.tenrec.remove(Shop.QUOTES);
    shop.tenrec.remove(Shop.ODD_KEY);
  }

  private CommandDetails quotes() {
    return shop.tenrec.commands().stream()
        .filter(command -> command.key().equals(Shop.QUOTES))
        .findFirst()
        .orElseThrow();
  }

  private static void openQuotes() {
    shop.tenrec.set(FORCE_OPEN, "true");
  }

  @Test
  void bootLine_isTheOneThisBuildNames() {
    assertThat(SpringBootVersion.getVersion())
        .isEqualTo(System.getProperty("tenrec.test.boot", "3.5.16"));
  }

  @Test
  void overview_namesSectionsAndWhatRefuses() throws Exception {
    openQuotes();
    Map<String, Object> overview = json(shop.get("/tenrec"));
    assertThat(overview).containsEntry("commands", 2).containsEntry("refusing", 1);
    assertThat((List<?>) overview.get("sections")).isNotEmpty();
    for (Object section : (List<?>) overview.get("sections")) {
      assertThat(json(shop.get("/tenrec/" + section))).containsKey((String) section);
    }
  }

  @Test
  void command_readByPathAndByParameter_isTheSameAndAgreesWithTheView() throws Exception {
    Map<String, Object> byPath = json(shop.get("/tenrec/commands/Quotes"));
    assertThat(byPath).isEqualTo(json(shop.get("/tenrec/commands?key=Quotes")));
    assertThat(byPath)
        .containsEntry("key", "Quotes")
        .containsEntry("circuit", "CLOSED")
        .containsKeys("explanation", "transitions", "journal", "settings");
    Map<?, ?> total = (Map<?, ?>) byPath.get("total");
    assertThat(total.get("SUCCESS")).isEqualTo(5);
    assertThat(((Number) total.get("FAILURE")).longValue())
        .isEqualTo(quotes().cumulativeCount(EventType.FAILURE));
  }

  @Test
  void key_thatHoldsAnything_isEscapedAndFound() throws Exception {
    HttpResponse<String> response = shop.get("/tenrec/commands?key=" + encoded(Shop.ODD_KEY));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow()).contains("json");
    assertThat(response.body()).doesNotContain("\n/second").contains("\\\"<script>");
    assertThat(json(response)).containsEntry("key", Shop.ODD_KEY);
  }

  @Test
  void whatIsNotThere_isNotFound() throws Exception {
    assertThat(shop.get("/tenrec/nonsense").statusCode()).isEqualTo(404);
    assertThat(shop.get("/tenrec/commands/None").statusCode()).isEqualTo(404);
    assertThat(shop.post("/tenrec/nonsense", "{}").statusCode()).isEqualTo(404);
    assertThat(shop.post("/tenrec/metrics", "{\"key\":\"None\"}").statusCode()).isEqualTo(404);
  }

  @Test
  void argumentsResultsAndFailures_areShownNowhere() throws Exception {
    openQuotes();
    for (String section : List.of("commands", "journal", "explain", "settings")) {
      assertThat(shop.get("/tenrec/" + section).body()).contains("Quotes").doesNotContain("secret");
    }
    assertThat(shop.get("/tenrec/commands/Quotes").body()).doesNotContain("secret");
    assertThat(shop.get("/health").body()).doesNotContain("secret");
    assertThat(shop.get("/prometheus").body()).contains("Quotes").doesNotContain("secret");
  }

  @Test
  void property_setAndDeleted_isInForceAndGoneAgain() throws Exception {
    assertThat(
            shop.post(
                    "/tenrec/settings", "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"true\"}")
                .statusCode())
        .isEqualTo(204);
    assertThat(quotes().circuitState()).isEqualTo(CircuitState.FORCED_OPEN);
    assertThat(shop.get("/tenrec/settings?key=Quotes").body()).contains("INSTANCE");

    assertThat(shop.delete("/tenrec/settings?property=" + FORCE_OPEN).statusCode()).isEqualTo(204);
    assertThat(quotes().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void retryBudget_isShownWithItsSettings_andChangedWhileItRuns() throws Exception {
    String percent = "tenrec.retrybudget.Warehouse.percent";
    shop.tenrec
        .command("Stock", (Integer n) -> n)
        .isolation(Isolation.semaphore(1))
        .retry(Retry.attempts(2).budget(0, 1).sharedBudget("Warehouse"))
        .build()
        .execute(1);
    try {
      assertThat(json(shop.get("/tenrec"))).containsEntry("retrybudgets", 1);
      Map<String, Object> shown =
          Map.of("key", "Warehouse", "spent", 0, "available", 10, "commands", List.of("Stock"));
      assertThat(json(shop.get("/tenrec/retrybudgets")))
          .containsEntry("retrybudgets", List.of(shown));
      assertThat(json(shop.get("/tenrec/retrybudgets/Warehouse")))
          .containsAllEntriesOf(shown)
          .containsEntry(
              "settings",
              List.of(
                  Map.of("property", "percent", "value", "0", "level", "CODE"),
                  Map.of("property", "perSecond", "value", "1", "level", "CODE")));
      assertThat(shop.get("/tenrec/retrybudgets/None").statusCode()).isEqualTo(404);

      assertThat(
              shop.post("/tenrec/settings", "{\"property\":\"" + percent + "\",\"value\":\"101\"}")
                  .statusCode())
          .isEqualTo(422);
      assertThat(
              shop.post("/tenrec/settings", "{\"property\":\"" + percent + "\",\"value\":\"100\"}")
                  .statusCode())
          .isEqualTo(204);
      assertThat(shop.get("/tenrec/settings?key=Warehouse").body())
          .contains("retrybudget")
          .contains("INSTANCE");
      assertThat(shop.tenrec.retryBudgets().get(0).settings().get(0).value()).isEqualTo("100");
    } finally {
      shop.tenrec.clear(percent);
      shop.tenrec.remove("Stock");
    }
  }

  @Test
  void property_thatIsRefused_isAnsweredWithTheRule() throws Exception {
    for (String wrong :
        List.of(
            "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"perhaps\"}",
            "{\"property\":\"tenrec.command.Quotes.mistyped\",\"value\":\"1\"}")) {
      HttpResponse<String> response = shop.post("/tenrec/settings", wrong);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
      assertThat(json(response)).containsKey("rule");
    }
    shop.tenrec.clear("tenrec.command.Quotes.mistyped");
    assertThat(shop.post("/tenrec/settings", "{}").statusCode()).isEqualTo(400);
    assertThat(shop.delete("/tenrec/settings").statusCode()).isEqualTo(400);
  }

  @Test
  void property_thatIsRefused_inAnotherSpelling_isAnsweredWithTheRule() throws Exception {
    for (String spelling :
        List.of(
            "tenrec.command.Quotes.circuit-breaker.force-open",
            "tenrec.COMMAND[Quotes].circuit_breaker.FORCEOPEN")) {
      HttpResponse<String> response =
          shop.post(
              "/tenrec/settings", "{\"property\":\"" + spelling + "\",\"value\":\"perhaps\"}");
      assertThat(response.statusCode()).as(spelling).isEqualTo(422);
      assertThat(json(response)).containsKey("rule");

      response =
          shop.post("/tenrec/settings", "{\"property\":\"" + spelling + "\",\"value\":\"true\"}");
      assertThat(response.statusCode()).as(spelling).isEqualTo(204);
      assertThat(quotes().circuitState()).isEqualTo(CircuitState.FORCED_OPEN);
      shop.tenrec.clear(spelling);
    }
  }

  @Test
  void property_thatIsRefusedAndSetAgain_isAnsweredWithTheRuleAgain() throws Exception {
    String window = "tenrec.command.Quotes.metrics.rollingStats.timeInMilliseconds";
    for (String wrong :
        List.of(
            "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"perhaps\"}",
            "{\"property\":\"" + window + "\",\"value\":\"9995\"}",
            "{\"property\":\"tenrec.command.Quotes.mistyped\",\"value\":\"1\"}")) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> response = shop.post("/tenrec/settings", wrong);
        assertThat(response.statusCode()).as(wrong).isEqualTo(422);
        assertThat(json(response)).containsKey("rule");
      }
    }
    shop.tenrec.clear(window);
    shop.tenrec.clear("tenrec.command.Quotes.mistyped");
    assertThat(shop.delete("/tenrec/settings?property=" + FORCE_OPEN).statusCode()).isEqualTo(204);
  }

  @Test
  void property_besideARefusedOneOfAKeyInAnotherCase_isTaken() throws Exception {
    String other = FORCE_OPEN.replace("Quotes", "quotes");
    shop.tenrec.set(other, "perhaps");
    try {
      String body = "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"true\"}";
      assertThat(shop.post("/tenrec/settings", body).statusCode()).isEqualTo(204);
    } finally {
      shop.tenrec.clear(other);
    }
  }

  @Test
  void circuit_closedByHand_isInTheJournalWithItsReason() throws Exception {
    shop.tenrec.set("tenrec.command.Quotes.circuitBreaker.errorThresholdPercentage", "1");
    shop.tenrec.set("tenrec.command.Quotes.circuitBreaker.requestVolumeThreshold", "1");
    await()
        .atMost(PatientWaits.patience())
        .until(
            () -> {
              shop.fail(Shop.QUOTES);
              return quotes().circuitState() == CircuitState.OPEN;
            });

    String why = quotes().transitions().get(0).explanation();
    await() // the circuit is open before the journal says so
        .atMost(PatientWaits.patience())
        .until(() -> quotes().journal().stream().anyMatch(entry -> entry.text().contains(why)));
    assertThat((String) json(shop.get("/tenrec/explain/Quotes")).get("explanation"))
        .startsWith("Quotes: the circuit is open since ")
        .contains(": " + why + ". ");
    for (String path : List.of("/tenrec", "/tenrec/commands/Quotes", "/tenrec/journal", HEALTH)) {
      assertThat(shop.get(path).body()).as(path).contains(why);
    }
    HttpResponse<String> response =
        shop.post("/tenrec/circuits", "{\"key\":\"Quotes\",\"why\":\"<it> is \\\"well\\\"\"}");

    assertThat(json(response)).containsEntry("closed", true);
    assertThat(quotes().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(quotes().journal())
        .extracting(JournalEntry::text)
        .anyMatch(text -> text.contains("<it> is \"well\""));
    assertThat(shop.post("/tenrec/circuits", "{\"key\":\"Quotes\"}").statusCode()).isEqualTo(400);
    shop.tenrec.clear(
        List.of(
            "tenrec.command.Quotes.circuitBreaker.errorThresholdPercentage",
            "tenrec.command.Quotes.circuitBreaker.requestVolumeThreshold"));
  }

  @Test
  void whatIsWritten_withLinesOrTooLong_isTurnedAway() throws Exception {
    for (String text : List.of("well\\nWARN forged line", "x".repeat(1_001), " ", "\\u001b[2J")) {
      assertThat(
              shop.post("/tenrec/circuits", "{\"key\":\"Quotes\",\"why\":\"" + text + "\"}")
                  .statusCode())
          .isEqualTo(400);
      assertThat(
              shop.post(
                      "/tenrec/settings",
                      "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"" + text + "\"}")
                  .statusCode())
          .isEqualTo(400);
      assertThat(
              shop.post("/tenrec/settings", "{\"property\":\"" + text + "\",\"value\":\"1\"}")
                  .statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void metrics_reset_startRollingCountsAnewAndLeaveTotals() throws Exception {
    assertThat(shop.post("/tenrec/metrics", "{\"key\":\"Quotes\"}").statusCode()).isEqualTo(204);
    assertThat(quotes().rollingCount(EventType.SUCCESS)).isZero();
    assertThat(quotes().cumulativeCount(EventType.SUCCESS)).isEqualTo(5);
  }

  @Test
  void form_insteadOfJson_isTurnedAway() throws Exception {
    HttpResponse<String> response =
        shop.post(
            "/tenrec/settings",
            "property=" + FORCE_OPEN + "&value=true",
            "application/x-www-form-urlencoded");
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(quotes().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void health_withAnOpenCircuit_isUpAndOnlyTheGroupThatAsksForItIsDown() throws Exception {
    assertThat(shop.get("/health/traffic").statusCode()).isEqualTo(200);
    openQuotes();

    HttpResponse<String> all = shop.get("/health");
    assertThat(all.statusCode()).isEqualTo(200);
    assertThat(json(all)).containsEntry("status", "UP");
    HttpResponse<String> ours = shop.get(HEALTH);
    assertThat(ours.statusCode()).isEqualTo(200);
    assertThat(json(ours)).containsEntry("status", "CIRCUIT_OPEN");
    assertThat(ours.body()).contains("Quotes").contains("FORCED_OPEN");
    assertThat(shop.get("/health/traffic").statusCode()).isEqualTo(503);
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_areShownNowhere() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      String key = "Passing" + i;
      shop.tenrec
          .command(key, (Integer n) -> n)
          .isolation(Isolation.semaphore(1))
          .build()
          .execute(i);
      if (i % 250 == 0) { // all have shown some of them
        assertThat(shop.get("/tenrec/commands").body()).contains(key);
        assertThat(shop.get("/prometheus").body()).contains(key);
      }
      assertThat(shop.tenrec.remove(key)).isTrue();
    }
    Map<String, Object> overview = json(shop.get("/tenrec"));
    assertThat(overview).containsEntry("commands", 2);
    for (Object section : (List<?>) overview.get("sections")) {
      assertThat(shop.get("/tenrec/" + section).body()).doesNotContain("Passing");
    }
    for (String path : List.of("/prometheus", "/health", HEALTH)) {
      HttpResponse<String> response = shop.get(path);
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      assertThat(response.body()).doesNotContain("Passing");
    }
  }

  @Test
  void info_saysHowManyThereAre() throws Exception {
    assertThat((Map<?, ?>) json(shop.get("/info")).get("tenrec"))
        .isNotNull()
        .extracting("commands")
        .isEqualTo(2);
  }

  @Test
  void prometheus_isBoundByItself_withHistograms() throws Exception {
    assertThat(shop.get("/prometheus").body())
        .containsPattern("tenrec_command_events_total\\{.*command=\"Quotes\".*} 5\\.0")
        .contains("tenrec_command_caller_seconds_bucket{");
  }
}
