// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.SettingsFile;
import dev.tenrec.examples.storefront.command.ShopClient;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.CallLog;
import dev.tenrec.examples.storefront.load.Shoppers;
import dev.tenrec.examples.storefront.shop.Shop;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.TestTenrec;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storefront's commands, and some that end in rarer ways, over an outage: each publisher says
 * the same of each command and event. In real time, for the shops are servers, and the publishers
 * have sockets and intervals of their own. What is claimed depends on no clock: so many shoppers
 * come, however late, and the rarer endings are waited for.
 */
class AccountsAgreeTest {

  /** What is in such a window stays in it for the whole test. */
  private static final Duration FROZEN = Duration.ofMinutes(10);

  @TempDir Path directory;

  @Test
  void publishers_afterARunWithAnOutage_agreeWithTheViews() throws Exception {
    SettingsFile file = SettingsFile.create(directory, Duration.ofMillis(300), FROZEN);
    long begin = System.nanoTime();
    Ticker clock = () -> System.nanoTime() - begin;
    try (Shop shop = Shop.open(1);
        ShopClient client = new ShopClient(shop);
        TestTenrec test = TestTenrec.inRealTime(builder -> builder.propertiesFile(file.path()));
        AllPublishers all = new AllPublishers(test.tenrec(), directory)) {
      Tenrec tenrec = test.tenrec();
      client.greet();
      Calls calls = new Calls(tenrec, client, clock);
      CallLog log = new CallLog(clock, calls.watched().stream().map(WatchedCommand::key).toList());
      shop.reviews().die();
      try (Shoppers shoppers = new Shoppers(clock, calls, log)) {
        shoppers.comeUntil(Duration.ofNanos(clock.nanoTime()).plusMillis(1_500), 60);
        shop.reviews().comeBack();
        Rarities.over(tenrec);
        shoppers.comeUntil(Duration.ofNanos(clock.nanoTime()).plusMillis(800), 60);
        assertThat(shoppers.awaitAnswers(PatientWaits.patience())).isTrue();
      }
      await() // a permit is back before its thread has counted the ending
          .atMost(PatientWaits.patience())
          .until(
              () ->
                  tenrec.pools().stream().allMatch(pool -> pool.active() == 0)
                      && tenrec.commands().stream()
                          .allMatch(command -> command.concurrency() + command.stillBusy() == 0));
      agree(all);
    }
  }

  private static void agree(AllPublishers all) throws Exception {
    Map<String, EventCounts> views = all.views();
    assertThat(total(views)).as("nothing is compared that did not happen").doesNotContainValue(0L);
    assertThat(transitions(all.tenrec)).isNotEmpty();

    assertThat(all.scraped()).as("the scrape").isEqualTo(views);
    assertThat(all.metered()).as("another registry").isEqualTo(views);
    await().atMost(PatientWaits.patience()).until(() -> all.shown().equals(views));
    assertThat(all.streamed()).as("hystrix.stream").isEqualTo(known(views));

    List<Metric> export = all.otlp.export();
    assertThat(all.exported(export)).as("OTLP").isEqualTo(views);
    assertThat(all.answersScraped()).as("histograms").isEqualTo(answers(all.tenrec));
    assertThat(AllPublishers.answersExported(export)).isEqualTo(answers(all.tenrec));
    assertThat(all.transitionsScraped()).as("transitions").isEqualTo(transitions(all.tenrec));
    assertThat(AllPublishers.transitionsExported(export)).isEqualTo(transitions(all.tenrec));

    List<RecordedEvent> events = all.flight.read();
    assertThat(all.recorded(events)).as("JFR").isEqualTo(ofCalls(views));
    assertThat(FlightRecords.byCommand(events, "CircuitTransition", each -> true))
        .isEqualTo(transitions(all.tenrec));
    assertThat(FlightRecords.byCommand(events, "Timeout", each -> true))
        .isEqualTo(counted(views, EventType.TIMEOUT));
    assertThat(FlightRecords.byCommand(events, "BeyondDeadline", each -> true))
        .isEqualTo(counted(views, EventType.DEADLINE_EXCEEDED));
    assertThat(FlightRecords.byCommand(events, "Refused", each -> true))
        .isEqualTo(
            counted(
                views,
                EventType.SHORT_CIRCUITED,
                EventType.THREAD_POOL_REJECTED,
                EventType.SEMAPHORE_REJECTED,
                EventType.RATE_LIMITED,
                EventType.FALLBACK_REJECTION));
    assertThat(FlightRecords.of(events, "SettingChange").map(AccountsAgreeTest::changed))
        .isNotEmpty()
        .containsExactlyElementsOf(changes(all.tenrec));
    assertThat(FlightRecords.of(events, "SettingRefused"))
        .isNotEmpty()
        .hasSize((int) all.tenrec.refusedSettings());
    assertThat(all.views()).as("nothing has happened meanwhile").isEqualTo(views);
  }

  private static String changed(RecordedEvent event) {
    return Stream.of("scope", "key", "property", "oldValue", "newValue")
        .map(event::getString)
        .collect(Collectors.joining(" "));
  }

  /** What the journal has of changed settings, of which it keeps more than there are here. */
  private static List<String> changes(Tenrec tenrec) {
    return tenrec.journal().stream()
        .filter(entry -> entry instanceof JournalEntry.SettingChanged)
        .map(entry -> ((JournalEntry.SettingChanged) entry).change())
        .map(
            change ->
                String.join(
                    " ",
                    change.scope(),
                    change.key(),
                    change.property(),
                    change.oldValue(),
                    change.newValue()))
        .toList();
  }

  private static Map<EventType, Long> total(Map<String, EventCounts> views) {
    Map<EventType, Long> total = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      total.put(event, views.values().stream().mapToLong(counts -> counts.get(event)).sum());
    }
    return total;
  }

  /** Without what is counted for an attempt when its call has ended and is written down. */
  private static Map<String, EventCounts> ofCalls(Map<String, EventCounts> views) {
    return only(EnumSet.complementOf(EnumSet.of(EventType.ATTEMPT_OUTRUN)), views);
  }

  /** Without the events that Hystrix's stream has no field for. */
  private static Map<String, EventCounts> known(Map<String, EventCounts> views) {
    return only(Set.copyOf(AllPublishers.OF_THE_STREAM.values()), views);
  }

  private static Map<String, EventCounts> only(
      Set<EventType> known, Map<String, EventCounts> views) {
    Map<String, EventCounts> all = new TreeMap<>();
    views.forEach(
        (key, counts) ->
            all.put(key, EventCounts.of(event -> known.contains(event) ? counts.get(event) : 0L)));
    return all;
  }

  private static Map<String, Long> counted(Map<String, EventCounts> views, EventType... events) {
    Map<String, Long> all = new TreeMap<>();
    views.forEach(
        (key, counts) -> {
          long sum = 0;
          for (EventType event : events) {
            sum += counts.get(event);
          }
          if (sum > 0) {
            all.put(key, sum);
          }
        });
    return all;
  }

  private static Map<String, Long> answers(Tenrec tenrec) {
    Map<String, Long> all = new TreeMap<>();
    for (CommandDetails command : tenrec.commands()) {
      all.put(command.key(), command.totals().caller().count());
    }
    return all;
  }

  private static Map<String, Long> transitions(Tenrec tenrec) {
    Map<String, Long> all = new TreeMap<>();
    for (CommandDetails command : tenrec.commands()) {
      List<Transition> made = command.transitions();
      if (!made.isEmpty()) {
        assertThat(made.get(0).from()).isEqualTo(CircuitState.CLOSED);
        all.put(command.key(), made.get(made.size() - 1).number());
      }
    }
    return all;
  }
}
