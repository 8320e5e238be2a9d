// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What shares its answer, and asks for it while it makes it, gets an error instead of waiting. */
class SelfAskingTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final AtomicReference<@Nullable Command<String, String>> self = new AtomicReference<>();

  @AfterEach
  void close() {
    tenrec.close();
  }

  static List<Isolation> isolations() {
    return RequestContextTest.isolations().toList();
  }

  private Command<String, String> built(
      Isolation isolation, Function<String, @Nullable String> work) {
    Command<String, String> command =
        tenrec
            .<String, String>command("Subject", work::apply)
            .cacheKey(argument -> argument)
            .isolation(isolation)
            .withoutTimeout()
            .build();
    self.set(command);
    return command;
  }

  /** From a thread of its own, which may hang. */
  private Outcome<String> attempt(Command<String, String> command) throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      return CompletableFuture.supplyAsync(
              request.wrapSupplier(() -> command.attempt("key")), task -> new Thread(task).start())
          .get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
  }

  private static void assertSelfCallRefused(Outcome<?> outcome) {
    assertThat(outcome.error())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Subject was called with its own cache key")
        .hasMessageContaining("would wait for itself");
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void ownKey_inItsWork_failsThatCall(Isolation isolation) throws Exception {
    AtomicReference<@Nullable Outcome<String>> inner = new AtomicReference<>();
    Command<String, String> command =
        built(
            isolation,
            key -> {
              inner.set(self.get().attempt(key));
              return "answer";
            });

    assertThat(attempt(command).value()).isEqualTo("answer");

    assertSelfCallRefused(inner.get());
    assertThat(inner.get().events())
        .containsExactly(EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void ownKey_throughAnotherCommand_failsThatCall(Isolation isolation) throws Exception {
    AtomicReference<@Nullable Outcome<String>> inner = new AtomicReference<>();
    Command<String, String> between =
        tenrec
            .command(
                "Between",
                (String key) -> {
                  inner.set(self.get().attemptAsync(key).get());
                  return "between";
                })
            .cacheKey(key -> key)
            .isolation(Isolation.threadPool().key("Between").coreSize(2))
            .build();
    Command<String, String> command = built(isolation, between::execute);

    assertThat(attempt(command).value()).isEqualTo("between");

    assertSelfCallRefused(inner.get());
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void otherKey_inItsWork_isAnswered_andSoIsItsOwnAfterIt(Isolation isolation) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Command<String, String> command =
        built(
            isolation,
            key -> {
              runs.incrementAndGet();
              return key.length() > 4 ? key : self.get().execute(key + "+");
            });

    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("key")).isEqualTo("key++");
      assertThat(command.execute("key")).isEqualTo("key++");
    }
    assertThat(runs).hasValue(3);
  }

  @Test
  void ownKey_inTheFallback_failsThatCall() throws Exception {
    AtomicReference<@Nullable Outcome<String>> inner = new AtomicReference<>();
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                argument -> {
                  throw new IllegalArgumentException();
                })
            .cacheKey(argument -> argument)
            .withoutTimeout()
            .fallback(
                (argument, cause) -> {
                  inner.set(self.get().attempt(argument));
                  return "fallback";
                })
            .build();
    self.set(command);

    assertThat(attempt(command).value()).isEqualTo("fallback");

    assertSelfCallRefused(inner.get());
  }

  @Test
  void collapser_ownKeyInItsBatch_failsThatMember() throws Exception {
    AtomicReference<@Nullable Collapser<String, String>> collapser = new AtomicReference<>();
    AtomicReference<@Nullable Outcome<String>> inner = new AtomicReference<>();
    collapser.set(
        tenrec
            .<String, String>collapser(
                "Subject",
                ids -> {
                  inner.compareAndSet(null, collapser.get().attempt(ids.get(0)));
                  return Map.of(ids.get(0), "answer");
                })
            .cacheKey(id -> id)
            .build());
    try (RequestContext request = tenrec.openRequest()) {
      Outcome<String> outcome =
          CompletableFuture.supplyAsync(
                  request.wrapSupplier(() -> collapser.get().attempt("key")),
                  task -> new Thread(task).start())
              .get(PatientWaits.seconds(), TimeUnit.SECONDS);

      assertThat(outcome.value()).isEqualTo("answer");
    }
    assertSelfCallRefused(inner.get());
  }
}
