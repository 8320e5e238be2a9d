// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.hystrix.stream.internal.event.RequestEvents;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every stream's events, as a client of the JDK's server reads them. */
class DashboardTest {

  private static final List<String> COMMAND_FIELDS =
      List.of(
          "type",
          "name",
          "group",
          "currentTime",
          "isCircuitBreakerOpen",
          "errorPercentage",
          "errorCount",
          "requestCount",
          "rollingCountBadRequests",
          "rollingCountCollapsedRequests",
          "rollingCountEmit",
          "rollingCountExceptionsThrown",
          "rollingCountFailure",
          "rollingCountFallbackEmit",
          "rollingCountFallbackFailure",
          "rollingCountFallbackMissing",
          "rollingCountFallbackRejection",
          "rollingCountFallbackSuccess",
          "rollingCountResponsesFromCache",
          "rollingCountSemaphoreRejected",
          "rollingCountShortCircuited",
          "rollingCountSuccess",
          "rollingCountThreadPoolRejected",
          "rollingCountTimeout",
          "currentConcurrentExecutionCount",
          "rollingMaxConcurrentExecutionCount",
          "latencyExecute_mean",
          "latencyExecute",
          "latencyTotal_mean",
          "latencyTotal",
          "propertyValue_circuitBreakerRequestVolumeThreshold",
          "propertyValue_circuitBreakerSleepWindowInMilliseconds",
          "propertyValue_circuitBreakerErrorThresholdPercentage",
          "propertyValue_circuitBreakerForceOpen",
          "propertyValue_circuitBreakerForceClosed",
          "propertyValue_circuitBreakerEnabled",
          "propertyValue_executionIsolationStrategy",
          "propertyValue_executionIsolationThreadTimeoutInMilliseconds",
          "propertyValue_executionTimeoutInMilliseconds",
          "propertyValue_executionIsolationThreadInterruptOnTimeout",
          "propertyValue_executionIsolationThreadPoolKeyOverride",
          "propertyValue_executionIsolationSemaphoreMaxConcurrentRequests",
          "propertyValue_fallbackIsolationSemaphoreMaxConcurrentRequests",
          "propertyValue_metricsRollingStatisticalWindowInMilliseconds",
          "propertyValue_requestCacheEnabled",
          "propertyValue_requestLogEnabled",
          "reportingHosts",
          "threadPool");

  private static final List<String> POOL_FIELDS =
      List.of(
          "type",
          "name",
          "currentTime",
          "currentActiveCount",
          "currentCompletedTaskCount",
          "currentCorePoolSize",
          "currentLargestPoolSize",
          "currentMaximumPoolSize",
          "currentPoolSize",
          "currentQueueSize",
          "currentTaskCount",
          "rollingCountThreadsExecuted",
          "rollingMaxActiveThreads",
          "rollingCountCommandRejections",
          "propertyValue_queueSizeRejectionThreshold",
          "propertyValue_metricsRollingStatisticalWindowInMilliseconds",
          "reportingHosts");

  private static final List<String> COLLAPSER_FIELDS =
      List.of(
          "type",
          "name",
          "currentTime",
          "rollingCountRequestsBatched",
          "rollingCountBatches",
          "rollingCountResponsesFromCache",
          "batchSize_mean",
          "batchSize",
          "propertyValue_requestCacheEnabled",
          "propertyValue_maxRequestsInBatch",
          "propertyValue_timerDelayInMilliseconds",
          "reportingHosts");

  private static final String SILENT = "metrics.rollingStats.timeInMilliseconds";

  private final Tenrec tenrec = Tenrec.create();
  private HystrixStream stream;
  private HystrixStreamServer server;

  @BeforeEach
  void start() throws Exception {
    // what has rolled out of the window while a test is held up would be missing in its figures
    tenrec.set(
        Map.of(
            "tenrec.command.default." + SILENT,
            "600000",
            "tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds",
            "30000",
            "tenrec.threadpool.default." + SILENT,
            "600000",
            "tenrec.collapser.default." + SILENT,
            "600000"));
    stream =
        HystrixStream.builder(tenrec)
            .interval(Duration.ofMillis(20))
            .configInterval(Duration.ofMillis(20))
            .build();
    server = HystrixStreamServers.on(stream);
  }

  @AfterEach
  void stop() {
    server.close();
    stream.close();
    tenrec.close();
  }

  private Lines lines(StreamKind kind) throws Exception {
    Lines lines = Lines.of(server.address().getPort(), kind.path());
    assertThat(lines.response.statusCode()).isEqualTo(200);
    return lines;
  }

  private static List<String> names(JsonNode event) {
    List<String> names = new ArrayList<>();
    event.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void stream_withoutCommands_pingsAndSaysNothingElse() throws Exception {
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      assertThat(lines.response.headers().firstValue("Content-Type"))
          .hasValue("text/event-stream;charset=UTF-8");
      assertThat(lines.response.headers().firstValue("Cache-Control").get()).contains("no-cache");
      for (int i = 0; i < 2; i++) {
        assertThat(lines.next()).isEqualTo("ping: ");
        assertThat(lines.next()).isEmpty();
      }
    }
  }

  @Test
  void command_thatWasNeverCalled_isInTheStream() throws Exception {
    tenrec.command("Quiet", (Integer i) -> i).build();
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      JsonNode event = lines.event("HystrixCommand", "Quiet");
      assertThat(event.get("requestCount").asInt()).isZero();
      assertThat(event.get("latencyTotal_mean").asInt()).isZero();
    }
  }

  @Test
  void command_withCallsOfAllKinds_hasTheFieldsOfHystrixInItsOrderAndTheViewsFigures()
      throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "GetQuote",
                (Integer i) -> {
                  if (i < 0) {
                    throw new IllegalStateException("down");
                  }
                  return i;
                })
            .group("Pricing")
            .isolation(Isolation.semaphore(7))
            .timeout(Duration.ofMillis(31_300))
            .errorThreshold(50, 4)
            .sleepWindow(Duration.ofHours(1))
            .fallbackValue(0)
            .build();
    command.attempt(1);
    await()
        .atMost(PatientWaits.patience())
        .until(
            () -> {
              command.attempt(-1);
              return command.view().circuitState() == CircuitState.OPEN;
            });
    command.attempt(1);
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      JsonNode event = lines.event("HystrixCommand", "GetQuote");
      assertThat(names(event)).isEqualTo(COMMAND_FIELDS);
      assertThat(names(event.get("latencyExecute")))
          .containsExactly("0", "25", "50", "75", "90", "95", "99", "99.5", "100");
      assertThat(names(event.get("latencyTotal"))).isEqualTo(names(event.get("latencyExecute")));
      assertThat(event.get("group").asText()).isEqualTo("Pricing");
      assertThat(event.get("isCircuitBreakerOpen").isBoolean()).isTrue();
      assertThat(event.get("isCircuitBreakerOpen").asBoolean()).isTrue();
      long failures = command.view().rollingCount(EventType.FAILURE);
      assertThat(event.get("errorCount").asLong()).isEqualTo(failures);
      assertThat(event.get("requestCount").asLong()).isEqualTo(failures + 1);
      assertThat(event.get("errorPercentage").asInt())
          .isEqualTo(command.view().health().errorPercentage());
      assertThat(event.get("rollingCountFailure").asLong()).isEqualTo(failures);
      assertThat(event.get("rollingCountSuccess").asLong()).isOne();
      assertThat(event.get("rollingCountShortCircuited").asLong())
          .isEqualTo(command.view().rollingCount(EventType.SHORT_CIRCUITED))
          .isPositive();
      assertThat(event.get("rollingCountFallbackSuccess").asLong())
          .isEqualTo(command.view().rollingCount(EventType.FALLBACK_SUCCESS));
      assertThat(event.get("rollingMaxConcurrentExecutionCount").asInt()).isOne();
      assertThat(event.get("propertyValue_executionIsolationStrategy").asText())
          .isEqualTo("SEMAPHORE");
      assertThat(event.get("propertyValue_executionTimeoutInMilliseconds").asInt())
          .isEqualTo(31_300);
      assertThat(
              event.get("propertyValue_executionIsolationSemaphoreMaxConcurrentRequests").asInt())
          .isEqualTo(7);
      assertThat(event.get("propertyValue_executionIsolationThreadPoolKeyOverride").isNull())
          .isTrue();
      assertThat(event.get("propertyValue_circuitBreakerSleepWindowInMilliseconds").asInt())
          .isEqualTo(3_600_000);
      assertThat(event.get("reportingHosts").asInt()).isOne();
    }
  }

  @Test
  void setting_changedLive_isInTheStream() throws Exception {
    tenrec.command("Live", (Integer i) -> i).build();
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      assertThat(
              lines
                  .event("HystrixCommand", "Live")
                  .get("propertyValue_circuitBreakerForceOpen")
                  .asBoolean())
          .isFalse();
      tenrec.set("tenrec.command.Live.circuitBreaker.forceOpen", "true");
      // a reading has the circuit's state before the properties, which may be newer
      JsonNode forced = lines.event(event -> event.path("isCircuitBreakerOpen").asBoolean(false));
      assertThat(forced.get("propertyValue_circuitBreakerForceOpen").asBoolean()).isTrue();
    }
  }

  @Test
  void latencies_always_areWholeMilliseconds() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Slow",
                (Integer i) -> {
                  TimeUnit.MILLISECONDS.sleep(30);
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(PatientWaits.patience())
            .build();
    command.attempt(1);
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      JsonNode event = lines.event("HystrixCommand", "Slow");
      assertThat(event.get("latencyExecute_mean").asInt()).isGreaterThanOrEqualTo(29);
      assertThat(event.get("latencyExecute").get("99.5").isIntegralNumber()).isTrue();
      assertThat(event.get("latencyTotal").get("100").asInt())
          .isGreaterThanOrEqualTo(event.get("latencyTotal").get("0").asInt())
          .isGreaterThanOrEqualTo(29);
    }
  }

  @Test
  void pool_always_hasTheFieldsOfHystrixInItsOrderAndTheViewsFigures() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command("Pooled", (Integer i) -> i)
            .isolation(Isolation.threadPool().key("Threads").coreSize(3).queueSize(8))
            .timeout(PatientWaits.patience())
            .build();
    for (int i = 0; i < 5; i++) {
      command.attempt(i);
    }
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      JsonNode event =
          lines.event(
              each ->
                  each.path("type").asText().equals("HystrixThreadPool")
                      && each.path("currentCompletedTaskCount").asInt() == 5);
      assertThat(names(event)).isEqualTo(POOL_FIELDS);
      assertThat(event.get("name").asText()).isEqualTo("Threads");
      assertThat(event.get("currentCorePoolSize").asInt()).isEqualTo(3);
      assertThat(event.get("currentMaximumPoolSize").asInt()).isEqualTo(3);
      assertThat(event.get("currentTaskCount").asInt()).isEqualTo(5);
      assertThat(event.get("rollingCountThreadsExecuted").asInt()).isEqualTo(5);
      assertThat(event.get("propertyValue_queueSizeRejectionThreshold").asInt()).isEqualTo(8);
      assertThat(lines.event("HystrixCommand", "Pooled").get("threadPool").asText())
          .isEqualTo("Threads");
    }
  }

  @Test
  void collapser_always_hasTheFieldsOfHystrixInItsOrderAndTheViewsFigures() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Batched",
                (List<Integer> all) ->
                    all.stream().collect(Collectors.toMap(Function.identity(), i -> i)))
            .maxRequestsInBatch(2)
            .timerDelay(Duration.ofHours(1))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      CompletableFuture<Integer> other = collapser.executeAsync(2);
      one.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      other.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      JsonNode event = lines.event("HystrixCollapser", "Batched");
      assertThat(names(event)).isEqualTo(COLLAPSER_FIELDS);
      assertThat(names(event.get("batchSize")))
          .containsExactly("25", "50", "75", "90", "95", "99", "99.5", "100");
      assertThat(event.get("rollingCountRequestsBatched").asInt()).isEqualTo(2);
      assertThat(event.get("rollingCountBatches").asInt()).isOne();
      assertThat(event.get("batchSize").get("100").asInt()).isEqualTo(2);
      assertThat(event.get("propertyValue_maxRequestsInBatch").asInt()).isEqualTo(2);
      assertThat(event.get("propertyValue_timerDelayInMilliseconds").asInt()).isEqualTo(3_600_000);
      assertThat(
              lines.event("HystrixCommand", "Batched").get("rollingCountCollapsedRequests").asInt())
          .isEqualTo(2);
    }
  }

  @Test
  void utilization_ofACommandAndItsPool_isOneEvent() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command("Pooled", (Integer i) -> i)
            .isolation(Isolation.threadPool().key("Threads").coreSize(3))
            .timeout(PatientWaits.patience())
            .build();
    command.attempt(1);
    try (Lines lines = lines(StreamKind.UTILIZATION)) {
      JsonNode event = lines.event(each -> true);
      assertThat(names(event)).containsExactly("type", "commands", "threadpools");
      assertThat(event.get("type").asText()).isEqualTo("HystrixUtilization");
      assertThat(names(event.get("commands").get("Pooled"))).containsExactly("activeCount");
      assertThat(names(event.get("threadpools").get("Threads")))
          .containsExactly("activeCount", "queueSize", "corePoolSize", "poolSize");
      assertThat(event.get("threadpools").get("Threads").get("corePoolSize").asInt()).isEqualTo(3);
    }
  }

  @Test
  void config_ofAll_isOneEventWithTheSettingsInForce() throws Exception {
    tenrec
        .command("Pooled", (Integer i) -> i)
        .group("Group")
        .isolation(Isolation.threadPool().key("Threads").coreSize(3).maximumSize(5).queueSize(8))
        .timeout(Duration.ofMillis(700))
        .build()
        .attempt(1);
    tenrec.collapser("Batched", (List<Integer> all) -> Map.<Integer, Integer>of()).build();
    try (Lines lines = lines(StreamKind.CONFIG)) {
      JsonNode event = lines.event(each -> true);
      assertThat(names(event)).containsExactly("type", "commands", "threadpools", "collapsers");
      JsonNode command = event.get("commands").get("Pooled");
      assertThat(names(command))
          .containsExactly("threadPoolKey", "groupKey", "execution", "metrics", "circuitBreaker");
      assertThat(names(command.get("execution")))
          .containsExactly(
              "isolationStrategy",
              "threadPoolKeyOverride",
              "requestCacheEnabled",
              "requestLogEnabled",
              "timeoutEnabled",
              "fallbackEnabled",
              "timeoutInMilliseconds",
              "semaphoreSize",
              "fallbackSemaphoreSize",
              "threadInterruptOnTimeout");
      assertThat(command.get("execution").get("timeoutInMilliseconds").asInt()).isEqualTo(700);
      assertThat(names(command.get("metrics")))
          .containsExactly(
              "healthBucketSizeInMs",
              "percentileBucketSizeInMilliseconds",
              "percentileBucketCount",
              "percentileEnabled",
              "counterBucketSizeInMilliseconds",
              "counterBucketCount");
      assertThat(command.get("metrics").get("counterBucketSizeInMilliseconds").asInt())
          .isEqualTo(60_000);
      assertThat(names(command.get("circuitBreaker")))
          .containsExactly(
              "enabled",
              "isForcedOpen",
              "isForcedClosed",
              "requestVolumeThreshold",
              "errorPercentageThreshold",
              "sleepInMilliseconds");
      JsonNode pool = event.get("threadpools").get("Threads");
      assertThat(names(pool))
          .containsExactly(
              "coreSize",
              "maximumSize",
              "actualMaximumSize",
              "maxQueueSize",
              "queueRejectionThreshold",
              "keepAliveTimeInMinutes",
              "allowMaximumSizeToDivergeFromCoreSize",
              "counterBucketSizeInMilliseconds",
              "counterBucketCount");
      assertThat(pool.get("actualMaximumSize").asInt()).isEqualTo(5);
      assertThat(names(event.get("collapsers").get("Batched")))
          .containsExactly(
              "maxRequestsInBatch", "timerDelayInMilliseconds", "requestCacheEnabled", "metrics");
    }
  }

  @Test
  void request_thatHasClosed_isAnEventOfItsCallsWithHitsCounted() throws Exception {
    Command<Integer, Integer> cached =
        tenrec
            .command("Cached", (Integer i) -> i)
            .isolation(Isolation.semaphore(2))
            .cacheKey(i -> i)
            .build();
    Command<Integer, Integer> plain =
        tenrec.command("Plain", (Integer i) -> i).isolation(Isolation.semaphore(2)).build();
    try (Lines lines = lines(StreamKind.REQUESTS)) {
      assertThat(lines.next()).isEqualTo("ping: "); // it follows the requests from before this on
      try (RequestContext request = tenrec.openRequest()) {
        cached.execute(1);
        cached.execute(1);
        cached.execute(1);
        plain.execute(1);
        plain.execute(2);
      }
      JsonNode event = lines.event(each -> true);
      assertThat(event.isArray()).isTrue();
      assertThat(event).hasSize(2);
      assertThat(event.get(0).get("name").asText()).isEqualTo("Cached");
      assertThat(event.get(0).get("events")).hasSize(1);
      assertThat(event.get(0).get("events").get(0).asText()).isEqualTo("SUCCESS");
      assertThat(event.get(0).get("latencies")).hasSize(1);
      assertThat(event.get(0).get("cached").asInt()).isEqualTo(2);
      assertThat(event.get(1).get("latencies")).hasSize(2);
      assertThat(event.get(1).has("cached")).isFalse();
    }
  }

  @Test
  void events_ofARequestsCalls_areThoseOfHystrix() throws Exception {
    int own =
        bits(
            EventType.RETRY,
            EventType.RETRY_BUDGET_EXHAUSTED,
            EventType.HEDGE,
            EventType.HEDGE_REFUSED,
            EventType.ATTEMPT_OUTRUN,
            EventType.FALLBACK_DISABLED,
            EventType.EXCEPTION_THROWN);
    RequestLog log =
        new RequestLog(
            List.of(
                new RequestLog.Entry(
                    "Get", own | bits(EventType.FAILURE, EventType.FALLBACK_MISSING), 1_000_000),
                new RequestLog.Entry(
                    "Get", bits(EventType.FAILURE, EventType.FALLBACK_MISSING), 2_000_000),
                new RequestLog.Entry("Late", bits(EventType.DEADLINE_EXCEEDED), 0),
                new RequestLog.Entry(
                    "Late", bits(EventType.TIMEOUT, EventType.DEADLINE_EXCEEDED), 0),
                new RequestLog.Entry("Limited", bits(EventType.RATE_LIMITED), 0),
                new RequestLog.Entry("Items", bits(EventType.EMIT, EventType.SUCCESS), 0, 3, 0)),
            0);

    assertThat(new String(RequestEvents.of(List.of(log)), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            data: [{"name":"Get","events":["FAILURE","FALLBACK_MISSING"],"latencies":[1,2]},\
            {"name":"Late","events":["TIMEOUT"],"latencies":[0,0]},\
            {"name":"Limited","events":["SEMAPHORE_REJECTED"],"latencies":[0]},\
            {"name":"Items","events":[{"name":"EMIT","count":3},"SUCCESS"],"latencies":[0]}]

            """);
    for (EventType event : EventType.values()) {
      RequestLog one = new RequestLog(List.of(new RequestLog.Entry("Get", bits(event), 0)), 0);
      String text = new String(RequestEvents.of(List.of(one)), StandardCharsets.UTF_8);
      JsonNode events =
          new ObjectMapper().readTree(text.substring("data: ".length())).get(0).get("events");
      assertThat(events).allSatisfy(name -> assertThat(name.asText()).isIn(EVENTS_OF_HYSTRIX));
    }
  }

  /** Those that a call's list can have. */
  private static final List<String> EVENTS_OF_HYSTRIX =
      List.of(
          "EMIT",
          "SUCCESS",
          "FAILURE",
          "TIMEOUT",
          "BAD_REQUEST",
          "SHORT_CIRCUITED",
          "THREAD_POOL_REJECTED",
          "SEMAPHORE_REJECTED",
          "FALLBACK_EMIT",
          "FALLBACK_SUCCESS",
          "FALLBACK_FAILURE",
          "FALLBACK_REJECTION",
          "FALLBACK_MISSING",
          "CANCELLED");

  private static int bits(EventType... events) {
    return Stream.of(events).mapToInt(event -> 1 << event.ordinal()).sum();
  }

  @Test
  void key_withMarkupOrOfAMegabyte_isHarmlessAndStaysItsOwn() throws Exception {
    String odd = "Odd<script>alert(\"1\")</script>'&\\\nsecond {{line}}";
    String other = "Odd<script>alert(\"2\")</script>'&\\\nsecond {{line}}";
    String huge = "x".repeat(1_000_000);
    for (String key : List.of(odd, other, huge, "Feign#get(String[],int)", "größe")) {
      tenrec.command(key, (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    }
    List<String> names = new ArrayList<>();
    try (Lines lines = lines(StreamKind.DASHBOARD)) {
      for (int i = 0; i < 5; i++) {
        names.add(lines.event(each -> true).get("name").asText());
      }
    }
    assertThat(names)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.length() < 250)
        .allMatch(name -> name.matches("[\\p{L}\\p{N}._:/(),#$@\\[\\]~-]+"))
        .contains("Feign#get(String[],int)", "größe");
  }
}
