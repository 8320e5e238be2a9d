// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class CircuitOpenExceptionTest {

  private static final Instant SINCE = Instant.parse("2026-11-21T08:00:00Z");

  private final CircuitOpenException shared =
      CircuitOpenException.shared("GetQuote", "because", SINCE, SINCE.plusSeconds(5));

  @Test
  void shared_cannotBeChanged() {
    shared.addSuppressed(new IllegalStateException("of one call only"));
    assertThat(shared.getSuppressed()).isEmpty();
    assertThat(shared.getStackTrace()).isEmpty();
    assertThat(shared.getCause()).isNull();
  }

  @Test
  void fresh_saysTheSameAndTakesTheFallbackError() {
    IllegalStateException fallbackError = new IllegalStateException("fallback");
    CircuitOpenException fresh = shared.fresh(fallbackError, false);
    assertThat(fresh)
        .isNotSameAs(shared)
        .hasMessage(shared.getMessage())
        .hasSuppressedException(fallbackError);
    assertThat(fresh.getStackTrace()).isEmpty();
    assertThat(fresh.commandKey()).isEqualTo("GetQuote");
    assertThat(fresh.openSince()).isEqualTo(SINCE);
    assertThat(fresh.retryAfter()).isEqualTo(SINCE.plusSeconds(5));
    assertThat(fresh.reason()).isEqualTo("because");
  }

  @Test
  void fresh_whenAsked_hasTheCallersStackTrace() {
    assertThat(shared.fresh(null, true).getStackTrace())
        .anySatisfy(
            frame ->
                assertThat(frame.getClassName())
                    .isEqualTo(CircuitOpenExceptionTest.class.getName()));
    assertThat(shared.fresh(null, true).getSuppressed()).isEmpty();
  }

  @Test
  void forced_saysByWhatProperty() {
    assertThat(CircuitOpenException.forced("GetQuote"))
        .hasMessage("GetQuote: circuit open: forced by circuitBreaker.forceOpen=true");
    assertThat(CircuitOpenException.forced("GetQuote").retryAfter()).isNull();
  }
}
