// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.test.published.Storm;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spans as they arrive by OTLP, and the context they stand in. */
class SpansTest {

  private OtlpReceiver receiver;
  private SdkTracerProvider provider;
  private Tracer tracer;
  private Tenrec tenrec;

  @BeforeEach
  void start() throws Exception {
    receiver = new OtlpReceiver();
    provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(
                SimpleSpanProcessor.create(
                    OtlpHttpSpanExporter.builder()
                        .setEndpoint(receiver.endpoint("traces"))
                        .setTimeout(PatientWaits.patience())
                        .build()))
            .build();
    OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    tracer = telemetry.getTracer("test");
    tenrec =
        Storm.patient()
            .listen(CallSpans.of(telemetry, key -> !key.equals("Unseen")))
            .propagate(new OpenTelemetryPropagator())
            .build();
  }

  @AfterEach
  void stop() {
    tenrec.close();
    provider.close();
    receiver.close();
  }

  private Span received(String name) {
    await()
        .atMost(PatientWaits.patience())
        .until(() -> receiver.spans.stream().anyMatch(span -> span.getName().equals(name)));
    return receiver.spans.stream().filter(span -> span.getName().equals(name)).findFirst().get();
  }

  private static Map<String, String> attributes(Span span) {
    return span.getAttributesList().stream()
        .collect(Collectors.toMap(each -> each.getKey(), each -> each.getValue().getStringValue()));
  }

  @Test
  void call_thatSucceeds_isAChildOfItsCallersSpan() {
    Command<Integer, Integer> command =
        tenrec.command("GetQuote", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    io.opentelemetry.api.trace.Span caller = tracer.spanBuilder("caller").startSpan();
    try (var scope = caller.makeCurrent()) {
      command.execute(1);
    } finally {
      caller.end();
    }
    Span span = received("GetQuote");
    assertThat(span.getParentSpanId()).isEqualTo(received("caller").getSpanId());
    assertThat(attributes(span))
        .containsEntry("tenrec.command.name", "GetQuote")
        .containsEntry("tenrec.outcome", "success")
        .doesNotContainKey("error.type");
    assertThat(span.getEventsList()).isEmpty();
    assertThat(span.getStatus().getCode()).isNotEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
  }

  @Test
  void work_onAPool_hasTheCallersContext() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Pooled",
                (Integer i) -> {
                  tracer.spanBuilder("inside").startSpan().end();
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(PatientWaits.patience())
            .build();
    io.opentelemetry.api.trace.Span caller = tracer.spanBuilder("caller").startSpan();
    try (var scope = caller.makeCurrent()) {
      command.execute(1);
    } finally {
      caller.end();
    }
    assertThat(received("inside").getParentSpanId()).isEqualTo(received("caller").getSpanId());
    assertThat(received("inside").getTraceId()).isEqualTo(received("caller").getTraceId());
  }

  @Test
  void call_thatFailsWithAFallback_hasTheFallbackAsAnEvent() {
    tenrec
        .command(
            "Falls",
            (Integer i) -> {
              throw new IllegalStateException("secret");
            })
        .isolation(Isolation.semaphore(1))
        .fallback((i, cause) -> null)
        .build()
        .execute(1);
    Span span = received("Falls");
    assertThat(span.getEventsList()).extracting(Span.Event::getName).contains("tenrec.fallback");
    assertThat(attributes(span)).containsEntry("tenrec.outcome", "fallback_success");
    assertThat(span.toString()).doesNotContain("secret");
  }

  @Test
  void call_thatIsRefused_hasTheRefusalAsAnEventAndTheReason() {
    Command<Integer, Integer> refused =
        tenrec.command("Refused", (Integer i) -> i).isolation(Isolation.semaphore(0)).build();
    assertThat(refused.attempt(1).isSuccess()).isFalse();
    Span span = received("Refused");
    assertThat(span.getEventsList()).extracting(Span.Event::getName).contains("tenrec.refused");
    assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(attributes(span))
        .containsEntry("tenrec.outcome", "exception_thrown")
        .containsEntry("error.type", "semaphore");
  }

  @Test
  void call_thatTimesOut_hasTheTimeOutAsAnEvent() {
    tenrec
        .command(
            "Slow",
            (Integer i) -> new CountDownLatch(1).await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isolation(Isolation.threadPool().coreSize(1))
        .timeout(Duration.ofMillis(20))
        .build()
        .attempt(1);
    assertThat(received("Slow").getEventsList())
        .extracting(Span.Event::getName)
        .contains("tenrec.timeout");
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_areNotKeptByTheListener() {
    List<WeakReference<CommandDetails>> gone = new ArrayList<>();
    try (Tenrec many =
        Storm.patient().listen(CallSpans.of(OpenTelemetry.noop(), key -> true)).build()) {
      for (int i = 0; i < 1_000; i++) {
        gone.add(passing(many, "Passing" + i));
        assertThat(many.remove("Passing" + i)).isTrue();
      }
      await()
          .atMost(PatientWaits.patience())
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(gone).filteredOn(each -> each.get() != null).isEmpty();
              });
    }
  }

  /** With an answer, a failure and a refusal. */
  private static WeakReference<CommandDetails> passing(Tenrec tenrec, String key) {
    Command<Integer, Integer> command =
        tenrec
            .command(key, (Integer i) -> 1 / i)
            .isolation(Isolation.semaphore(1))
            .fallbackValue(0)
            .build();
    assertThat(command.execute(1)).isOne();
    assertThat(command.execute(0)).isZero();
    tenrec.set("tenrec.command." + key + ".circuitBreaker.forceOpen", "true");
    assertThat(command.execute(1)).isZero();
    tenrec.clear("tenrec.command." + key + ".circuitBreaker.forceOpen");
    return new WeakReference<>(command.view());
  }

  @Test
  void call_ofACommandThatIsNotChosen_hasNoSpan() {
    for (String key : new String[] {"Unseen", "Seen"}) {
      tenrec.command(key, (Integer i) -> i).isolation(Isolation.semaphore(1)).build().execute(1);
    }
    received("Seen");
    assertThat(receiver.spans).extracting(Span::getName).doesNotContain("Unseen");
  }
}
