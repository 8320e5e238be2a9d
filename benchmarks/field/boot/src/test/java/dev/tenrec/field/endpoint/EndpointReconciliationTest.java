// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What the reconciliation finds, one wrong entry at a time. */
class EndpointReconciliationTest {

  /** 100 sent: 90 from the dependency, 6 by the fallback, 3 refused, 1 failed. */
  private static final Counts COUNTS = new Counts(96, 1, 3, 0, 100, 100, 0);

  private final Map<String, Long> application =
      new HashMap<>(
          Map.ofEntries(
              Map.entry("SUCCESS", 90L),
              Map.entry("FAILURE", 0L),
              Map.entry("TIMEOUT", 5L),
              Map.entry("SHORT_CIRCUITED", 4L),
              Map.entry("THREAD_POOL_REJECTED", 1L),
              Map.entry("FALLBACK_SUCCESS", 6L),
              Map.entry("EXCEPTION_THROWN", 4L),
              Map.entry("asked", 94L),
              Map.entry("answered", 91L),
              Map.entry("brokenOff", 3L)));
  private final Map<String, Long> service =
      new HashMap<>(Map.of("received", 93L, "answered", 92L, "gone", 1L));

  @Test
  void differences_ofARunThatAgrees_areNone() {
    assertThat(EndpointReconciliation.differences(run(Configuration.B, COUNTS, 6))).isEmpty();
  }

  @Test
  void differences_ofAnyWrongEntry_nameIt() {
    assertThat(
            EndpointReconciliation.differences(
                run(Configuration.B, new Counts(96, 1, 2, 0, 100, 100, 0), 6)))
        .anyMatch(difference -> difference.startsWith("sent is 100, but answered + failed"));
    assertThat(EndpointReconciliation.differences(run(Configuration.B, COUNTS, 7)))
        .containsExactly("fallbacks the driver saw is 7, but those the command counted is 6");
    application.put("SHORT_CIRCUITED", 3L);
    assertThat(EndpointReconciliation.differences(run(Configuration.B, COUNTS, 6)))
        .containsExactly("the driver's sent is 100, but the command's executions is 99");
    application.put("SHORT_CIRCUITED", 4L);
    service.put("received", 95L);
    service.put("answered", 94L);
    assertThat(EndpointReconciliation.differences(run(Configuration.B, COUNTS, 6)))
        .containsExactly(
            "what the service received for the first time is 95, expected at least 91 (what the"
                + " client was answered) and at most 94 (what it was asked)");
    service.put("repeated", 1L);
    assertThat(EndpointReconciliation.differences(run(Configuration.B, COUNTS, 6))).isEmpty();
  }

  @Test
  void differences_ofAnUnguardedRun_knowOfNoFallback() {
    Counts counts = new Counts(91, 3, 0, 0, 94, 94, 0);
    assertThat(EndpointReconciliation.differences(run(Configuration.UNGUARDED, counts, 0)))
        .isEmpty();
    assertThat(EndpointReconciliation.differences(run(Configuration.UNGUARDED, counts, 1)))
        .containsExactly("answers of a fallback is 1, but what there is without one is 0");
  }

  private Run run(Configuration configuration, Counts counts, long degraded) {
    Plan plan =
        new Plan(
            Engines.ASYNC,
            2,
            new Arrivals.Closed(20),
            100,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    Latency none = new Latency(new Histogram(3));
    Result result =
        new Result(plan, counts, 20, 1, none, none, none, none, Presence.OPEN, Map.of(), List.of());
    return new Run(configuration, result, degraded, application, service, 0, 0);
  }
}
