// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All ways to write a key lead to the one the tables have. */
class SpellingTest {

  private final Spelling spelling = new Spelling("tenrec");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tenrec.command.Quotes.bySku.circuit-breaker.force-open \
          | tenrec.command.Quotes.bySku.circuitBreaker.forceOpen
          tenrec.command.A.execution.isolation.thread.timeout-in-milliseconds \
          | tenrec.command.A.execution.isolation.thread.timeoutInMilliseconds
          tenrec.command[Quotes.bySku].fallback.enabled | tenrec.command.Quotes.bySku.fallback.enabled
          tenrec.command[Quotes.byId(long[])].fallback.enabled \
          | tenrec.command.Quotes.byId(long[]).fallback.enabled
          tenrec.thread-pool.Pricing.core-size | tenrec.threadpool.Pricing.coreSize
          tenrec.threadPool[Pricing].CORESIZE | tenrec.threadpool.Pricing.coreSize
          tenrec.thread_pool.default.max_queue_size | tenrec.threadpool.default.maxQueueSize
          tenrec.command.fallback.enabled.fallback.enabled \
          | tenrec.command.fallback.enabled.fallback.enabled
          """)
  void key_inAnySpelling_isTheOneOfTheTable(String written, String key) {
    assertThat(spelling.apply(written)).isEqualTo(key);
    assertThat(spelling.apply(key)).as("the key itself").isEqualTo(key);
  }

  @Test
  void keyOfTheInstance_staysAsItIs() {
    assertThat(spelling.apply("tenrec.command.quotes.by-sku.fallback.enabled"))
        .isEqualTo("tenrec.command.quotes.by-sku.fallback.enabled");
  }

  @ParameterizedTest
  @CsvSource({
    "tenrec.command[A.b].fallback.enabeld, tenrec.command.A.b.fallback.enabeld",
    "tenrec.thread-pool.A.core-siez, tenrec.threadpool.A.core-siez"
  })
  void nameOfNoProperty_staysToBeRefused(String written, String key) {
    assertThat(spelling.apply(written)).isEqualTo(key);
  }

  /** Jazzer found it: the first was of the key A.b where its name was written exactly. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenrec.command[A].b.fallback.enabled",
        "tenrec.command[A].b.fallback-enabled",
        "tenrec.command[A.fallback].enabled",
        "tenrec.Thread-Pool[A].b.core-size"
      })
  void keyInBrackets_withNoPropertyBehindIt_isNoOtherKeys(String written) {
    String spelled = spelling.apply(written);

    assertThat(SettingKey.parse("tenrec", spelled)).as("%s", spelled).isNull();
    assertThat(spelling.apply(spelled)).isEqualTo(spelled);
    StrayKeys strays = new StrayKeys("tenrec", List.of(CommandSettings.SCOPE, PoolSettings.SCOPE));
    assertThat(strays.mistake(spelled)).as("%s", spelled).contains("is no scope with a key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tenrec",
        "tenrec.",
        "tenrec.command",
        "tenrec.command.",
        "tenrec.command[",
        "tenrec.command[A",
        "tenrec.properties-file",
        "tenrec.comand.A.fallback.enabled",
        "other.command.A.fallback-enabled",
        "tenrecs.thread-pool.A.core-size"
      })
  void otherText_staysAsItIs(String written) {
    assertThat(spelling.apply(written)).isEqualTo(written);
  }
}
