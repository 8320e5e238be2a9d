// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What health says of where the settings come from. */
class CircuitReportTest {

  /** A source that follows a store, which can be played to be away. */
  private static final class Following implements SettingsSource, SourceStatus {

    private volatile boolean away;

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public SourceStatus status() {
      return this;
    }

    @Override
    public void close() {}

    @Override
    public boolean connected() {
      return !away;
    }

    @Override
    public String instance() {
      return "shop-7";
    }

    @Override
    public @Nullable String zone() {
      return null;
    }

    @Override
    public long version() {
      return 17;
    }

    @Override
    public String author() {
      return "alice";
    }

    @Override
    public String reason() {
      return "pricing is slow";
    }

    @Override
    public boolean fromLastGood() {
      return false;
    }

    @Override
    public @Nullable String canary() {
      return null;
    }

    @Override
    public List<String> alarms() {
      return away ? List.of("the store was begun anew") : List.of();
    }
  }

  @Test
  void instance_thatIsCutOffFromItsSettings_saysSoAndIsUp() {
    Following source = new Following();
    try (Tenrec steered = Tenrec.builder().remoteSource(source).build();
        Tenrec plain = Tenrec.create()) {
      assertThat(CircuitReport.of(steered).details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", true)
          .containsEntry("instance", "shop-7")
          .containsEntry("version", 17L)
          .containsEntry("author", "alice")
          .containsEntry("alarms", List.of())
          .doesNotContainKeys("zone", "canary");
      source.away = true;
      CircuitReport away = CircuitReport.of(steered);
      assertThat(away.status()).isEqualTo("UP");
      assertThat(away.details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", false)
          .containsEntry("alarms", List.of("the store was begun anew"));
      assertThat(CircuitReport.of(plain).details()).doesNotContainKey("settings");
    }
  }
}
