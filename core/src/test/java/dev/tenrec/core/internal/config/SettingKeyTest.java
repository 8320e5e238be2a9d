// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingKeyTest {

  @ParameterizedTest
  @CsvSource({
    "tenrec.command.A.circuitBreaker.forceOpen, command, A, circuitBreaker.forceOpen",
    "tenrec.command.a.b.c.fallback.enabled, command, a.b.c, fallback.enabled",
    "tenrec.command.default.fallback.enabled, command, default, fallback.enabled",
    "tenrec.threadpool.P.coreSize, threadpool, P, coreSize",
    "tenrec.semaphore.S.maxConcurrentRequests, semaphore, S, maxConcurrentRequests",
    "tenrec.ratelimiter.R.burst, ratelimiter, R, burst",
    "tenrec.collapser.C.timerDelayInMilliseconds, collapser, C, timerDelayInMilliseconds"
  })
  void parse_ofAProperty_takesItApart(String full, String scope, String key, String property) {
    assertThat(SettingKey.parse("tenrec", full)).isEqualTo(new SettingKey(scope, key, property));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenrec.command.A.none",
        "tenrec.command.A",
        "tenrec.command.coreSize",
        "tenrec.threadpool..coreSize",
        "tenrec.threadpool.coreSize",
        "tenrec.pool.P.coreSize",
        "hystrix.threadpool.P.coreSize",
        "tenrec.threadpool.P.coreSize.",
        ""
      })
  void parse_ofAnythingElse_isNull(String full) {
    assertThat(SettingKey.parse("tenrec", full)).isNull();
  }

  @Test
  void parse_withAnotherPrefix_goesByThat() {
    assertThat(SettingKey.parse("my.app", "my.app.threadpool.P.coreSize"))
        .isEqualTo(new SettingKey("threadpool", "P", "coreSize"));
  }
}
