// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Mono;

/** What becomes of a fallback that has nothing to answer. */
class FallbackAnswerTest {

  private final AnnotationConfigApplicationContext context =
      Contexts.of(Nothing.class, Everybody.class);
  private final Nothing nothing = context.getBean(Nothing.class);

  @AfterEach
  void close() {
    context.close();
  }

  static class Nothing {

    @Command(fallbackMethod = "noStage")
    public CompletableFuture<String> stage() {
      return CompletableFuture.failedFuture(new IllegalStateException("first"));
    }

    CompletableFuture<String> noStage() {
      return null;
    }

    @Command(fallbackMethod = "noMono")
    public Mono<String> mono() {
      return Mono.error(new IllegalStateException("first"));
    }

    Mono<String> noMono() {
      return null;
    }

    @Command(fallbackMethod = "noNumber")
    public long number() {
      throw new IllegalStateException("first");
    }

    Long noNumber() {
      return null;
    }
  }

  @Test
  void fallbackThatReturnsNoStage_theCallerGetsTheFirstCause() {
    assertThatThrownBy(() -> nothing.stage().join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first");
    assertThatThrownBy(() -> nothing.mono().block())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first");
  }

  @Test
  void fallbackThatReturnsNullForANumber_theCallerGetsTheFirstCause() {
    assertThatThrownBy(nothing::number)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first");
  }

  static class Later {

    private final CompletableFuture<String> instead = new CompletableFuture<>();

    CompletableFuture<String> instead() {
      return instead;
    }

    @Command(fallbackMethod = "other")
    public CompletableFuture<String> stage() {
      return CompletableFuture.failedFuture(new IllegalStateException("first"));
    }

    CompletableFuture<String> other() {
      return instead;
    }
  }

  @Test
  void call_thatIsCancelledInItsFallback_cancelsTheFallbacksStage() {
    try (AnnotationConfigApplicationContext own = Contexts.of(Later.class)) {
      Later later = own.getBean(Later.class);
      CompletableFuture<String> call = later.stage();
      await()
          .atMost(PatientWaits.patience())
          .until(() -> later.instead().getNumberOfDependents() > 0);
      assertThat(call.cancel(true)).isTrue();
      assertThat(later.instead()).isCancelled();
    }
  }

  static class Kept extends Later {

    @Override
    @CacheResult
    @Command(fallbackMethod = "other")
    public CompletableFuture<String> stage() {
      return super.stage();
    }
  }

  @Test
  void oneCallOfAResultThatIsKept_isCancelled_theOthersHaveTheFallbacksAnswer() {
    try (AnnotationConfigApplicationContext own = Contexts.of(Kept.class);
        RequestContext request = own.getBean(Tenrec.class).openRequest()) {
      Kept kept = own.getBean(Kept.class);
      CompletableFuture<String> cancelled = kept.stage();
      CompletableFuture<String> other = kept.stage();
      await()
          .atMost(PatientWaits.patience())
          .until(() -> kept.instead().getNumberOfDependents() == 2);

      assertThat(cancelled.cancel(true)).isTrue();

      assertThat(kept.instead().complete("instead")).isTrue();
      assertThat(other).succeedsWithin(PatientWaits.patience()).isEqualTo("instead");
      assertThat(request.isClosed()).isFalse();
    }
  }

  @CommandDefaults(defaultFallback = "none")
  static class Everybody {

    @Command
    public String name() {
      throw new IllegalStateException("first");
    }

    @Command
    public String none() {
      return "nobody";
    }
  }

  @Test
  void defaultFallbackOfTheClass_mayBeACommandItself() {
    assertThat(context.getBean(Everybody.class).name()).isEqualTo("nobody");
    assertThat(context.getBean(Everybody.class).none()).isEqualTo("nobody");
    assertThat(context.getBean(Tenrec.class).commands())
        .extracting(view -> view.key())
        .contains("Everybody.name", "Everybody.none");
  }
}
