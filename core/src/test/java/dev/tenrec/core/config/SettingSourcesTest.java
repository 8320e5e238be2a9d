// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.PoolView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory over system properties over the watched file, as a Tenrec reads them. */
class SettingSourcesTest {

  private static final String FORCE_OPEN =
      "hystrix.command.SettingSourcesTest.circuitBreaker.forceOpen";

  @TempDir Path directory;

  private final ManualTime time = new ManualTime();
  private final List<String> changes = new CopyOnWriteArrayList<>();

  @AfterEach
  void clear() {
    System.clearProperty(FORCE_OPEN);
  }

  private Tenrec tenrec(Path file) {
    return Tenrec.builder()
        .time(time, time)
        .prefix("hystrix")
        .propertiesFile(file)
        .onSettingChange(change -> changes.add(change.property() + "=" + change.newValue()))
        .build();
  }

  private static Command<String, String> command(Tenrec tenrec) {
    return tenrec
        .command("SettingSourcesTest", (String s) -> s)
        .isolation(Isolation.semaphore(1))
        .build();
  }

  @Test
  void source_thatThrowsWhenItIsLeft_keepsNothingFromBeingClosed() {
    SettingsSource source =
        new SettingsSource() {
          @Override
          public Map<String, String> values(String prefix) {
            return Map.of();
          }

          @Override
          public Subscription subscribe(Runnable onChange) {
            return () -> {
              throw new IllegalStateException("of the source");
            };
          }

          @Override
          public void close() {}
        };
    Tenrec tenrec = Tenrec.builder().time(time, time).source(source).build();
    assertThat(tenrec.command("Pooled", (String s) -> s).build().execute("x")).isEqualTo("x");

    assertThat(tenrec.close(Duration.ZERO)).isEmpty();

    assertThat(tenrec.liveThreads()).isZero();
  }

  private static String state(Command<?, ?> command) {
    return command.view().circuitState().name();
  }

  /**
   * Time goes on until {@code command} is in {@code state}: the layers are looked at each second.
   */
  private void awaitState(Command<?, ?> command, String state) {
    await()
        .until(
            () -> {
              time.advanceMillis(100);
              return state(command).equals(state);
            });
  }

  @Test
  void layers_memoryOverSystemPropertiesOverFile_eachSeenLive() throws IOException {
    Path file = directory.resolve("tenrec.properties");
    Files.writeString(file, FORCE_OPEN + " = true\n");
    try (Tenrec tenrec = tenrec(file)) {
      Command<String, String> command = command(tenrec);
      assertThat(state(command)).as("from the file, at the start").isEqualTo("FORCED_OPEN");
      System.setProperty(FORCE_OPEN, "false");
      awaitState(command, "CLOSED");
      tenrec.set(FORCE_OPEN, "true");
      assertThat(state(command)).as("at once").isEqualTo("FORCED_OPEN");
      tenrec.clear(FORCE_OPEN);
      assertThat(state(command)).isEqualTo("CLOSED");
      System.clearProperty(FORCE_OPEN);
      awaitState(command, "FORCED_OPEN");
      Files.delete(file);
      awaitState(command, "CLOSED");
      assertThat(command.execute("x")).isEqualTo("x");
      assertThat(changes)
          .startsWith("circuitBreaker.forceOpen=false", "circuitBreaker.forceOpen=true");
      assertThat(tenrec.refusedSettings()).isZero();
    }
  }

  @Test
  void prefix_other_isNotRead() {
    try (Tenrec tenrec = tenrec(directory.resolve("none.properties"))) {
      Command<String, String> command = command(tenrec);
      tenrec.set("tenrec.command.SettingSourcesTest.circuitBreaker.forceOpen", "true");
      assertThat(state(command)).isEqualTo("CLOSED");
      tenrec.set(FORCE_OPEN, "true");
      assertThat(state(command)).isEqualTo("FORCED_OPEN");
    }
  }

  @Test
  void levels_instanceOverCodeOverGlobalOverDefault() {
    try (Tenrec tenrec = Tenrec.builder().time(time, time).build()) {
      Command<String, String> silent =
          tenrec.command("Silent", (String s) -> s).isolation(Isolation.semaphore(1)).build();
      Command<String, String> coded =
          tenrec
              .command("Coded", (String s) -> s)
              .isolation(Isolation.semaphore(1))
              .property("circuitBreaker.forceOpen", "false")
              .build();
      tenrec.set("tenrec.command.default.circuitBreaker.forceOpen", "true");
      assertThat(state(silent)).isEqualTo("FORCED_OPEN");
      assertThat(state(coded)).isEqualTo("CLOSED");
      tenrec.set("tenrec.command.Coded.circuitBreaker.forceOpen", "true");
      tenrec.set("tenrec.command.Silent.circuitBreaker.forceOpen", "false");
      assertThat(state(coded)).isEqualTo("FORCED_OPEN");
      assertThat(state(silent)).isEqualTo("CLOSED");
      tenrec.clear("tenrec.command.Coded.circuitBreaker.forceOpen");
      tenrec.clear("tenrec.command.Silent.circuitBreaker.forceOpen");
      tenrec.clear("tenrec.command.default.circuitBreaker.forceOpen");
      assertThat(state(silent) + state(coded)).isEqualTo("CLOSEDCLOSED");
    }
  }

  @Test
  void removedCommand_followsNoSettings() {
    try (Tenrec tenrec = Tenrec.builder().time(time, time).build()) {
      Command<String, String> command = command(tenrec);
      assertThat(tenrec.remove("SettingSourcesTest")).isTrue();
      tenrec.set("tenrec.command.SettingSourcesTest.circuitBreaker.forceOpen", "true");
      assertThatThrownBy(() -> command.execute("x")).hasMessageContaining("removed");
    }
  }

  @Test
  void baseProperties_areBelowTheFile_andAboveTheDefaults() throws IOException {
    Path file = directory.resolve("base.properties");
    Files.writeString(file, FORCE_OPEN + " = true\n");
    String pool = "tenrec.threadpool.default.coreSize";
    try (Tenrec tenrec =
        Unhurried.builder()
            .propertiesFile(file)
            .prefix("hystrix")
            .baseProperties(
                Map.of(FORCE_OPEN, "false", pool.replace("tenrec", "hystrix"), "${cores:3}"))
            .build()) {
      Command<String, String> command = command(tenrec);
      assertThat(state(command)).isEqualTo("FORCED_OPEN");
      assertThat(tenrec.command("Other", (String s) -> s).build().execute("x")).isEqualTo("x");
      assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(3);
    }
  }

  @Test
  void baseProperties_besideASourceOfItsOwn_areRefused() {
    TenrecBuilder builder =
        Unhurried.builder()
            .source(new FixedSource())
            .baseProperties(Map.of("spring.datasource.password", "hunter2"));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("baseProperties", "1 properties", "would be ignored")
        .hasMessageNotContaining("hunter2");
  }

  private static final class FixedSource implements SettingsSource {

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
