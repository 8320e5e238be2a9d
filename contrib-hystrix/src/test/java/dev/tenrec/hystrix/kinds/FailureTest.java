// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A command that fails fast, one that fails silently, one whose caller asked wrongly. */
@ExtendWith(FreshHystrix.class)
class FailureTest {

  private static final HystrixCommandGroupKey GROUP = HystrixCommandGroupKey.Factory.asKey("Fails");

  static class FailsFast extends HystrixCommand<String> {

    private final boolean fails;

    FailsFast(boolean fails) {
      super(GROUP);
      this.fails = fails;
    }

    @Override
    protected String run() {
      if (fails) {
        throw new RuntimeException("from FailsFast");
      }
      return "answered";
    }
  }

  static class FailsSilently extends HystrixCommand<List<String>> {

    private final boolean fails;

    FailsSilently(boolean fails) {
      super(GROUP);
      this.fails = fails;
    }

    @Override
    protected List<String> run() {
      if (fails) {
        throw new RuntimeException("from FailsSilently");
      }
      return List.of("answered");
    }

    @Override
    protected List<String> getFallback() {
      return List.of();
    }
  }

  static class FailsByItsCaller extends HystrixCommand<String> {

    FailsByItsCaller() {
      super(GROUP);
    }

    @Override
    protected String run() {
      throw new HystrixBadRequestException("no such id", new IllegalArgumentException("-1"));
    }

    @Override
    protected String getFallback() {
      return "never";
    }
  }

  @Test
  void failFast_whenTheWorkAnswers_answers() {
    assertThat(new FailsFast(false).execute()).isEqualTo("answered");
  }

  @Test
  void failFast_whenTheWorkThrows_throwsItWrapped() {
    assertThatThrownBy(() -> new FailsFast(true).execute())
        .isInstanceOfSatisfying(
            HystrixRuntimeException.class,
            thrown -> {
              assertThat(thrown.getFailureType()).isEqualTo(FailureType.COMMAND_EXCEPTION);
              assertThat(thrown).hasMessage("FailsFast failed and no fallback available.");
              assertThat(thrown.getCause()).hasMessage("from FailsFast");
              assertThat(thrown.getFallbackException())
                  .isInstanceOf(UnsupportedOperationException.class);
              assertThat(thrown.getImplementingClass()).isEqualTo(FailsFast.class);
            });
  }

  @Test
  void failSilently_whenTheWorkThrows_answersNothing() {
    assertThat(new FailsSilently(false).execute()).containsExactly("answered");
    assertThat(new FailsSilently(true).execute()).isEmpty();
  }

  @Test
  void badRequest_always_reachesTheCallerPastTheFallback() {
    FailsByItsCaller command = new FailsByItsCaller();

    assertThatThrownBy(command::execute)
        .isInstanceOf(HystrixBadRequestException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FailsByItsCaller().queue().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(HystrixBadRequestException.class);
    assertThat(command.getMetrics().getHealthCounts().getTotalRequests()).isZero();
  }
}
