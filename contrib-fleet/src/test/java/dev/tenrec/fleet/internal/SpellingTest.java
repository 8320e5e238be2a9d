// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A key means to a fleet what it means to an instance. */
class SpellingTest {

  private static final String PREFIX = "of.spelling"; // of which no system property is

  /** What an instance makes of what its remote source has. */
  private static Map<String, String> byAnInstance(Map<String, String> written) {
    SettingsSource source =
        new SettingsSource() {

          @Override
          public Map<String, String> values(String prefix) {
            return written;
          }

          @Override
          public Subscription subscribe(Runnable onChange) {
            return () -> {};
          }

          @Override
          public void close() {}
        };
    try (Tenrec tenrec = Tenrec.builder().prefix(PREFIX).remoteSource(source).build()) {
      return tenrec.resolvedSettings().properties();
    }
  }

  private static void isAsInstancesDo(Map<String, String> written) {
    assertThat(new Spelling(PREFIX).respelled(written))
        .containsExactlyInAnyOrderEntriesOf(byAnInstance(written));
  }

  @Test
  void key_ofEachProperty_isWhatInstancesMakeOfIt() {
    Map<String, String> written = new LinkedHashMap<>();
    for (List<Property<?>> scope : Spelling.SCOPES) {
      for (Property<?> property : scope) {
        String path = PREFIX + "." + property.scope();
        String dashes = property.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        written.put(path + ".One." + property.name(), "1");
        written.put(path + ".Two." + dashes, "2");
        written.put(
            path.toUpperCase(Locale.ROOT).replace(PREFIX.toUpperCase(Locale.ROOT), PREFIX)
                + "[Three.x]."
                + property.name().toUpperCase(Locale.ROOT),
            "3");
        written.put(path + ".Fo.ur." + dashes.replace('-', '_'), "4");
      }
    }
    isAsInstancesDo(written);
    assertThat(new Spelling(PREFIX).respelled(written)).hasSameSizeAs(written);
  }

  @Test
  void key_thatIsOdd_isWhatInstancesMakeOfIt() {
    for (String odd :
        List.of(
            "command",
            "command.",
            "command[",
            "command[A",
            "command[A]",
            "command[A].",
            "command[A].no-such",
            "command[A.circuit-breaker].force-open",
            "command[A.circuitBreaker].forceOpen",
            "command[A].b].force-open",
            "command[A].fallback.enabled.x",
            "command..circuit-breaker.force-open",
            "command..forceOpen",
            "command.circuitBreaker.forceOpen",
            "command.circuitBreaker.circuitBreaker.forceOpen",
            "command.A.circuit-breaker.force-open.circuit-breaker.force-open",
            "command.A.no-such",
            "Com_mand.A.no-such",
            "com-mand.A.fallback.ENABLED",
            "thread-pool.A.core_size",
            "nothing.A.fallback.enabled",
            ".A",
            "[A].x")) {
      isAsInstancesDo(Map.of(PREFIX + "." + odd, "1"));
    }
    assertThat(new Spelling(PREFIX).of("other.command[A].force-open"))
        .as("of another prefix")
        .isEqualTo("other.command[A].force-open");
  }

  @Test
  void key_inSeveralSpellings_isWhatInstancesMakeOfIt() {
    String path = PREFIX + ".command.A.";
    Map<String, String> others =
        new TreeMap<>(
            Map.of(
                path + "circuit-breaker.force-open", "1", path + "circuitbreaker.forceopen", "2"));
    isAsInstancesDo(others);
    others.put(path + "circuitBreaker.forceOpen", "3");
    isAsInstancesDo(others);
    assertThat(new Spelling(PREFIX).respelled(others)).hasSize(1).containsValue("3");
  }
}
