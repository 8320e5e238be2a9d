// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrayKeysTest {

  private final StrayKeys strays =
      new StrayKeys("tenrec", List.of(CommandSettings.SCOPE, PoolSettings.SCOPE));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenrec.comand.A.fallback.enabled",
        "tenrec.commnds",
        "tenrec.cmmnd.A",
        "tenrec.thread-pool.A",
        "tenrec.pool.A.coreSize",
        "tenrec.A.b.fallback.enabled",
        "tenrec..coreSize"
      })
  void mistake_ofAMistypedKey_namesTheScopes(String key) {
    String name = key.substring("tenrec.".length()).replaceAll("\\..*", "");
    assertThat(strays.mistake(key))
        .isEqualTo(
            "'"
                + name
                + "' is no scope with a key and a property after it; the scopes are command,"
                + " threadpool");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenrec.",
        "tenrec",
        "tenrec.timer.threadpool.default.coreSize",
        "tenrec.stream.A.coreSize",
        "tenrec.plugin.A.coreSize",
        "tenrec.cmnd.A",
        "tenrec.commandeer.A",
        "tenrec.coreSize",
        "tenrec.view.enabled",
        "tenrec.pool.A.none"
      })
  void mistake_ofAKeyThatIsNoneOfOurs_isNull(String key) {
    assertThat(strays.mistake(key)).isNull();
  }
}
