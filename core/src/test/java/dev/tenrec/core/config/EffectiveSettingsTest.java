// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each setting is now, where from, in whatever spelling it was given. */
class EffectiveSettingsTest {

  private static final String TIMEOUT = CommandProperties.TIMEOUT.name();
  private static final String KEBAB = "execution.isolation.thread.timeout-in-milliseconds";
  private static final String SYSTEM_KEY = "tenrec.command[Spelt.out].circuit-breaker.force-open";

  @TempDir Path directory;

  private Tenrec tenrec;

  @BeforeEach
  void open() {
    tenrec = Tenrec.create();
  }

  @AfterEach
  void close() {
    tenrec.close();
    System.clearProperty(SYSTEM_KEY);
  }

  private static void command(Tenrec tenrec, String key) {
    Command<String, String> unused =
        tenrec.command(key, (String s) -> s).timeout(Duration.ofMillis(300)).build();
  }

  private static EffectiveSetting of(Tenrec tenrec, String key, String property) {
    return tenrec.resolvedSettings().effective().stream()
        .filter(one -> one.key().equals(key) && one.property().equals(property))
        .findFirst()
        .orElseThrow();
  }

  private EffectiveSetting timeout() {
    return of(tenrec, "A", TIMEOUT);
  }

  @Test
  void settings_always_haveTheValueAndTheLevelItComesFrom() {
    command(tenrec, "A");
    assertThat(timeout())
        .isEqualTo(new EffectiveSetting("command", "A", TIMEOUT, "300", SettingLevel.CODE, null));
    tenrec.set("tenrec.command.A." + TIMEOUT, "250");
    assertThat(timeout())
        .isEqualTo(
            new EffectiveSetting("command", "A", TIMEOUT, "250", SettingLevel.INSTANCE, null));
    tenrec.set("tenrec.command.default.fallback.enabled", "false");
    assertThat(tenrec.resolvedSettings().effective())
        .extracting(EffectiveSetting::property, EffectiveSetting::value, EffectiveSetting::level)
        .contains(
            tuple("fallback.enabled", "false", SettingLevel.GLOBAL),
            tuple("requestCache.enabled", "true", SettingLevel.DEFAULT),
            tuple("threadPoolKeyOverride", null, SettingLevel.DEFAULT));
  }

  @Test
  void settings_whoseValueWasRefused_areKept() {
    command(tenrec, "A");
    String window = "tenrec.command.A." + CommandProperties.ROLLING_WINDOW.name();
    tenrec.set(window, "9995"); // not to be divided into ten buckets
    assertThat(of(tenrec, "A", CommandProperties.ROLLING_WINDOW.name()))
        .extracting(EffectiveSetting::value, EffectiveSetting::level)
        .containsExactly("10000", SettingLevel.KEPT);
  }

  @Test
  void settings_ofACommandThatIsBuiltAgain_stillHaveTheRefusalOfAValueThatIsNone() {
    tenrec.set("tenrec.command.A." + TIMEOUT, "abc");
    command(tenrec, "A");
    Refusal refused = timeout().refusal();
    assertThat(refused).isNotNull().extracting(Refusal::value).isEqualTo("abc");
    assertThat(tenrec.remove("A")).isTrue();
    assertThat(tenrec.resolvedSettings().refusals()).containsExactly(refused);
    command(tenrec, "A");
    assertThat(timeout().refusal()).isEqualTo(refused);
    assertThat(tenrec.resolvedSettings().refusals()).containsExactly(refused);
  }

  @Test
  void settings_always_includePools() {
    Command<String, String> command =
        tenrec
            .command("A", (String s) -> s)
            .isolation(Isolation.threadPool().key("P"))
            .withoutTimeout()
            .build();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(of(tenrec, "P", PoolProperties.CORE_SIZE.name()).value()).isEqualTo("10");
  }

  @Test
  void memory_inAnotherSpelling_isSetReplacedAndCleared() {
    command(tenrec, "A");
    tenrec.set("tenrec.command[A]." + KEBAB, "10ms");
    assertThat(timeout().value()).isEqualTo("10");
    tenrec.set("tenrec.command.A." + TIMEOUT, "2s");
    assertThat(timeout().value()).isEqualTo("2000");
    tenrec.clear("tenrec.command.A." + KEBAB);
    assertThat(timeout().value()).isEqualTo("300");
    assertThat(tenrec.refusedSettings()).isZero();
  }

  @Test
  void strategy_withADash_isReadAsItsName() {
    command(tenrec, "A");
    tenrec.set("tenrec.command.A.execution.isolation.strategy", "virtual-thread");
    EffectiveSetting strategy = of(tenrec, "A", "execution.isolation.strategy");
    if (Runtime.version().feature() >= 21) {
      assertThat(strategy.value()).isEqualTo("VIRTUAL_THREAD");
    } else {
      assertThat(tenrec.refusedSettings()).as("known, but not to this JVM").isOne();
    }
    tenrec.set("tenrec.command.A.execution.isolation.strategy", "semaphore");
    assertThat(of(tenrec, "A", "execution.isolation.strategy").value()).isEqualTo("SEMAPHORE");
  }

  @Test
  void layers_inDifferentSpellings_rankAsLayers() throws IOException {
    Path file = directory.resolve("tenrec.properties");
    Files.writeString(
        file,
        """
        tenrec.command.Spelt.out.circuit-breaker.force-open=false
        tenrec.thread-pool.default.keep-alive-time-minutes=90s
        """);
    System.setProperty(SYSTEM_KEY, "true");
    try (Tenrec layered =
        Tenrec.builder()
            .propertiesFile(file)
            .baseProperties(Map.of("tenrec.command.Spelt.out.circuitBreaker.forceOpen", "maybe"))
            .build()) {
      command(layered, "Spelt.out");
      assertThat(of(layered, "Spelt.out", "circuitBreaker.forceOpen").value()).isEqualTo("true");
      assertThat(layered.refusedSettings()).isZero();
      assertThat(layered.resolvedSettings().properties())
          .containsEntry("tenrec.threadpool.default.keepAliveTimeMinutes", "90s")
          .containsEntry("tenrec.command.Spelt.out.circuitBreaker.forceOpen", "true");
    }
  }

  @Test
  void oneLayer_withAKeyInTwoSpellings_hasTheKeyItself() {
    command(tenrec, "A");
    tenrec.set(
        Map.of(
            "tenrec.command.A." + KEBAB, "10",
            "tenrec.command.A." + TIMEOUT, "20",
            "tenrec.command[A]." + TIMEOUT, "30"));
    assertThat(timeout().value()).isEqualTo("20");
  }

  @Test
  void baseProperties_replaced_areLiveInOneChange_andStayTheWeakest() {
    command(tenrec, "A");
    tenrec.replaceBaseProperties(Map.of("tenrec.command.A." + KEBAB, "1m"));
    assertThat(timeout().value()).isEqualTo("60000");
    tenrec.set("tenrec.command.A." + TIMEOUT, "5");
    tenrec.replaceBaseProperties(Map.of("tenrec.command.A." + KEBAB, "2m"));
    assertThat(timeout().value()).isEqualTo("5");
    tenrec.clear("tenrec.command.A." + TIMEOUT);
    assertThat(timeout().value()).isEqualTo("120000");
    tenrec.replaceBaseProperties(Map.of());
    assertThat(timeout().level()).isEqualTo(SettingLevel.CODE);
  }
}
