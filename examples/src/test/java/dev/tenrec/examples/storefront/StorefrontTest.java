// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.test.Faults;
import dev.tenrec.test.Leaks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the storefront once, in its short form, and looks at what it leaves. In real time, for it is
 * the program as users start it: three servers, a file that is watched, a table each second. No
 * claim depends on how fast the machine is: what is due comes late, and is waited for.
 */
class StorefrontTest {

  private static final List<String> ENDINGS =
      List.of(
          "success",
          "fallback",
          "failure",
          "badRequest",
          "timeout",
          "rejected",
          "shortCircuited",
          "cancelled");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

  @TempDir static Path directory;
  private static final Faults FAULTS = Faults.inRealTime();
  private static @Nullable Tenrec tenrec;
  private static int exitCode;
  private static String shown = "";
  private static Map<String, Object> report = Map.of();

  @BeforeAll
  static void run() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Scenario scenario = new Scenario(Duration.ofSeconds(10), 50, 1, directory);
    exitCode =
        Storefront.run(
            scenario,
            new PrintStream(bytes, true, StandardCharsets.UTF_8),
            builder -> {
              Tenrec built = FAULTS.applyTo(builder).build();
              FAULTS.attach(built);
              tenrec = built;
              return built;
            });
    shown = bytes.toString(StandardCharsets.UTF_8);
    report = object(JSON.readValue(directory.resolve("storefront.json").toFile(), Object.class));
  }

  @Test
  void run_short_holds() {
    assertThat(exitCode).as(shown).isEqualTo(Storefront.HOLDS);
    assertThat(report).containsEntry("accountingHolds", true);
    assertThat(list(report.get("differences"))).isEmpty();
  }

  @Test
  void page_hasItsAddressShown() {
    assertThat(shown).containsPattern("Console: http://localhost:\\d+/tenrec/ in a browser");
  }

  @Test
  void endings_areOnePerCall() {
    assertThat(number(report.get("calls"))).isGreaterThan(1_000);
    assertThat(object(report.get("endings")).keySet()).containsExactlyElementsOf(ENDINGS);
    assertThat(sum(object(report.get("endings")))).isEqualTo(number(report.get("calls")));
    long ofCommands = commands().mapToLong(command -> sum(object(command.get("endings")))).sum();
    assertThat(ofCommands).isEqualTo(number(report.get("calls")));
  }

  @Test
  void endings_areOfMoreThanOneKind() {
    Map<String, Object> endings = object(report.get("endings"));

    assertThat(Stream.of("success", "fallback", "badRequest", "timeout", "shortCircuited"))
        .allSatisfy(ending -> assertThat(number(endings.get(ending))).as(ending).isPositive());
  }

  @Test
  void events_areTheSumOfTheCommands() {
    Map<String, Object> events = object(report.get("events"));

    assertThat(events.keySet())
        .containsExactlyElementsOf(Stream.of(EventType.values()).map(EventType::name).toList());
    for (String event : events.keySet()) {
      long ofCommands =
          commands().mapToLong(command -> number(object(command.get("events")).get(event))).sum();
      assertThat(number(events.get(event))).as(event).isEqualTo(ofCommands);
    }
    long answers =
        Stream.of("SUCCESS", "FALLBACK_SUCCESS", "EXCEPTION_THROWN", "CANCELLED")
            .mapToLong(event -> number(events.get(event)))
            .sum();
    assertThat(answers).isEqualTo(number(report.get("calls")));
  }

  @Test
  void afterwards_nothingIsLeft() {
    assertThat(number(report.get("permitsOutstanding"))).isZero();
    assertThat(number(report.get("threadsLeft"))).isZero();
    Tenrec closed = Objects.requireNonNull(tenrec);
    Leaks.assertNone(closed, FAULTS);
    Leaks.assertNoneAndClose(closed);
  }

  @Test
  void circuitOfReviews_opensAndClosesAgain() {
    List<Object> transitions = list(command("GetReviews").get("transitions"));

    assertThat(object(transitions.get(0)))
        .containsEntry("from", "CLOSED")
        .containsEntry("to", "OPEN")
        .containsEntry("reason", "THRESHOLD_REACHED");
    // a slow machine may have had it open, and close, more than once
    assertThat(transitions)
        .anySatisfy(
            transition ->
                assertThat(object(transition))
                    .containsEntry("to", "CLOSED")
                    .containsEntry("reason", "TRIALS_SUCCEEDED"));
    assertThat(transitions.stream().mapToLong(each -> number(object(each).get("atMillis"))))
        .isSorted();
  }

  @Test
  void settingChange_isTakenOverAndShowsInTheTimeouts() {
    Map<String, Object> change = object(list(report.get("settingChanges")).get(0));

    assertThat(change)
        .containsEntry("key", "GetPrice")
        .containsEntry("property", "execution.isolation.thread.timeoutInMilliseconds")
        .containsEntry("from", "1000")
        .containsEntry("to", "200");
    assertThat(number(change.get("atMillis"))).isGreaterThanOrEqualTo(5_000);
    assertThat(number(object(command("GetPrice").get("endings")).get("timeout"))).isPositive();
  }

  @Test
  void percentiles_areNumbersInOrder() {
    assertThat(commands())
        .allSatisfy(
            command ->
                assertThat(decimal(command.get("p99Millis")))
                    .isGreaterThanOrEqualTo(decimal(command.get("p50Millis")))
                    .isPositive());
  }

  @Test
  void table_showsEachCommandInEachSecond() {
    List<String> lines = shown.lines().toList();

    assertThat(lines.stream().filter(line -> line.contains("short-c. bad-req.")))
        .hasSizeGreaterThanOrEqualTo(9);
    for (String key : List.of("GetProduct", "GetPrice", "GetReviews", "PostReview")) {
      assertThat(
              lines.stream().filter(line -> line.startsWith("  " + key) && line.contains("most")))
          .as(key)
          .hasSizeGreaterThanOrEqualTo(9);
    }
    assertThat(shown)
        .contains("Java " + Runtime.version())
        .contains(Runtime.version().feature() >= 21 ? "virtual threads" : "a second thread pool")
        .contains("reviews died")
        .contains("GetReviews: circuit HALF_OPEN -> CLOSED")
        .doesNotContain("WRONG");
  }

  private static Stream<Map<String, Object>> commands() {
    return object(report.get("commands")).values().stream().map(StorefrontTest::object);
  }

  private static Map<String, Object> command(String key) {
    return object(object(report.get("commands")).get(key));
  }

  private static long sum(Map<String, Object> counts) {
    return counts.values().stream().mapToLong(StorefrontTest::number).sum();
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private static Map<String, Object> object(Object json) {
    assertThat(json).isInstanceOf(Map.class);
    return (Map<String, Object>) json;
  }

  @SuppressWarnings("unchecked") // of whatever
  private static List<Object> list(Object json) {
    assertThat(json).isInstanceOf(List.class);
    return (List<Object>) json;
  }

  private static long number(Object json) {
    assertThat(json).isInstanceOf(Long.class);
    return (Long) json;
  }

  private static double decimal(Object json) {
    assertThat(json).isInstanceOf(Double.class);
    return (Double) json;
  }
}
