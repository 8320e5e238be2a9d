// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Mono;

/** What methods may hand back, and how each is a command. */
class ReturnTypeTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Sources.class);
  private final Sources sources = context.getBean(Sources.class);

  @AfterEach
  void close() {
    context.close();
  }

  private long successes(String method) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals("Sources." + method))
        .mapToLong(view -> view.cumulativeCount(EventType.SUCCESS))
        .sum();
  }

  static class Sources {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean cancelled = new AtomicBoolean();

    // a proxy has no fields to look at

    int calls() {
      return calls.get();
    }

    boolean cancelled() {
      return cancelled.get();
    }

    @Command
    public Future<String> future() {
      String thread = Thread.currentThread().getName();
      return CompletableFuture.supplyAsync(() -> "made on " + thread);
    }

    @Command
    public Future<String> failedFuture() {
      return CompletableFuture.failedFuture(new IOException("later"));
    }

    @Command
    public CompletionStage<String> stage() {
      String thread = Thread.currentThread().getName();
      return CompletableFuture.supplyAsync(() -> "started on " + thread);
    }

    @Command(isolation = IsolationStrategy.THREAD)
    public CompletableFuture<String> elsewhere() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @Command(timeout = "20ms")
    public CompletableFuture<String> never() {
      return new CompletableFuture<>();
    }

    @Command(fallbackMethod = "otherSingle")
    public Single<Integer> single(boolean fails) {
      int call = calls.incrementAndGet();
      return fails ? Single.error(new IOException("single")) : Single.just(call);
    }

    private Single<Integer> otherSingle(boolean fails) {
      return Single.just(-1);
    }

    @Command
    public Maybe<String> maybe(String value) {
      return value == null ? Maybe.empty() : Maybe.just(value);
    }

    @Command(fallbackMethod = "done")
    public Completable completable() {
      return Completable.error(new IOException("completable"));
    }

    private Completable done() {
      return Completable.fromAction(calls::incrementAndGet);
    }

    @Command
    public Single<String> neverSingle() {
      return Single.<String>never().doOnDispose(() -> cancelled.set(true));
    }

    @Command(fallbackMethod = "otherMono")
    public Mono<String> mono(String fails) {
      calls.incrementAndGet();
      return Mono.deferContextual(
          context ->
              fails == null
                  ? Mono.just("for " + context.get("user"))
                  : Mono.error(new IOException(fails)));
    }

    Mono<String> otherMono(String fails, IOException cause) {
      return Mono.deferContextual(
          context -> Mono.just("instead of " + cause.getMessage() + " for " + context.get("user")));
    }

    @Command
    public Mono<Void> emptyMono() {
      return Mono.empty();
    }
  }

  @Test
  void future_runsOnThePool() throws Exception {
    assertThat(sources.future().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .startsWith("made on tenrec-Sources-");
    assertThatThrownBy(() -> sources.failedFuture().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("later");
  }

  @Test
  void stage_isStartedByItsCaller_orElsewhereIfDeclared() throws Exception {
    assertThat(sources.stage().toCompletableFuture().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isEqualTo("started on " + Thread.currentThread().getName());
    assertThat(sources.elsewhere().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .startsWith("tenrec-Sources-");
    assertThatThrownBy(() -> sources.never().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void single_isOneExecutionPerSubscription() {
    Single<Integer> single = sources.single(false);
    assertThat(sources.calls()).as("before a subscription").isEqualTo(0);

    assertThat(single.blockingGet()).isEqualTo(1);
    assertThat(single.blockingGet()).isEqualTo(2);
    assertThat(sources.single(true).blockingGet()).isEqualTo(-1);
  }

  @Test
  void maybe_mayBeEmpty() {
    assertThat(sources.maybe("a").blockingGet()).isEqualTo("a");
    assertThat(sources.maybe(null).blockingGet()).isNull();
  }

  @Test
  void completable_completesByItsFallback() {
    sources.completable().blockingAwait();

    assertThat(sources.calls()).isEqualTo(1);
  }

  @Test
  void disposal_givesTheWorkUp() {
    sources.neverSingle().subscribe().dispose();

    await().untilAsserted(() -> assertThat(sources.cancelled()).isTrue());
  }

  @Test
  void mono_runsPerSubscription_inItsContext_andSoDoesItsFallback() {
    Mono<String> mono = sources.mono(null).contextWrite(written -> written.put("user", "ann"));
    assertThat(sources.calls()).as("before a subscription").isEqualTo(0);

    assertThat(mono.block()).isEqualTo("for ann");
    assertThat(mono.block()).isEqualTo("for ann");
    assertThat(sources.calls()).isEqualTo(2);
    assertThat(sources.mono("x").contextWrite(written -> written.put("user", "bob")).block())
        .isEqualTo("instead of x for bob");
    assertThat(sources.emptyMono().block()).isNull();
    assertThat(successes("mono")).isEqualTo(2);
  }
}
