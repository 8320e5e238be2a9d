// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.PoolProperties;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CodeSettingsTest {

  @Test
  void equals_sameValuesHoweverGiven_isTrue() {
    CodeSettings typed =
        CodeSettings.command()
            .set(CommandProperties.TIMEOUT, Duration.ofMillis(300))
            .set(CommandProperties.FORCE_OPEN, true)
            .build();
    CodeSettings named =
        CodeSettings.command()
            .set("circuitBreaker.forceOpen", "yes")
            .set("execution.isolation.thread.timeoutInMilliseconds", "100")
            .set("execution.isolation.thread.timeoutInMilliseconds", " 300 ")
            .build();
    assertThat(typed).isEqualTo(named).hasSameHashCodeAs(named);
    assertThat(typed)
        .hasToString(
            "{circuitBreaker.forceOpen=true, execution.isolation.thread.timeoutInMilliseconds=300}");
    assertThat(typed.get(CommandProperties.FORCE_OPEN)).isTrue();
    assertThat(typed.get(CommandProperties.FORCE_CLOSED)).isNull();
  }

  @Test
  void equals_otherValuesOrKind_isFalse() {
    assertThat(CodeSettings.command().set(CommandProperties.FORCE_OPEN, true).build())
        .isNotEqualTo(CodeSettings.command().build());
    assertThat(CodeSettings.command().build()).isNotEqualTo(CodeSettings.pool().build());
    assertThat(CodeSettings.command().build().isEmpty()).isTrue();
  }

  @Test
  void build_thenSet_leavesWhatWasBuilt() {
    CodeSettings.Builder builder = CodeSettings.pool().set(PoolProperties.CORE_SIZE, 5);
    CodeSettings built = builder.build();
    builder.set(PoolProperties.CORE_SIZE, 6);
    assertThat(built.get(PoolProperties.CORE_SIZE)).isEqualTo(5);
  }

  @Test
  void set_breakingTheRule_throwsAtOnce() {
    assertThatThrownBy(
            () -> CodeSettings.command().set(CommandProperties.ERROR_THRESHOLD_PERCENTAGE, 0))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage("circuitBreaker.errorThresholdPercentage = 0: must be from 1 to 100");
    assertThatThrownBy(
            () -> CodeSettings.pool().set(PoolProperties.KEEP_ALIVE, Duration.ofSeconds(-90)))
        .hasMessage("keepAliveTimeMinutes = PT-1M-30S: must be from 0 to 365 days");
  }

  @Test
  void set_lessThanAMillisecond_isTaken() {
    CodeSettings code =
        CodeSettings.command().set(CommandProperties.TIMEOUT, Duration.ofNanos(250_000)).build();
    assertThat(code.get(CommandProperties.TIMEOUT)).isEqualTo(Duration.ofNanos(250_000));
  }

  @Test
  void set_unknownName_suggestsNearNames() {
    assertThatThrownBy(() -> CodeSettings.command().set("execution.timeout.enable", "true"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("near names: execution.timeout.enabled, ");
  }

  @Test
  void set_propertyOfAnotherScope_throws() {
    assertThatThrownBy(() -> CodeSettings.command().set(PoolProperties.CORE_SIZE, 5))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage("coreSize = 5: belongs to a threadpool, not to a command");
    assertThatThrownBy(() -> CodeSettings.pool().set(CommandProperties.ROLLING_BUCKETS, 5))
        .as("although a pool has a property of that name")
        .isInstanceOf(InvalidSettingException.class);
  }

  @Test
  void set_propertyThatOnlyAnInstanceHas_throws() {
    assertThatThrownBy(
            () -> CodeSettings.command().set(CommandProperties.THREAD_POOL_KEY_OVERRIDE, "Other"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "threadPoolKeyOverride = Other: can be set by the dynamic property of one command only");
  }
}
