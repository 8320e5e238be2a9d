// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EffectiveHashTest {

  private static EffectiveSetting setting(String key, String property, String value) {
    return new EffectiveSetting("command", key, property, value, SettingLevel.GLOBAL, null);
  }

  private final List<EffectiveSetting> some =
      List.of(
          setting("A", "timeout", "1"),
          setting("A", "enabled", null),
          setting("B", "timeout", "1"));

  @Test
  void hash_afterChanges_isThatOfWhatIsThereNow() {
    EffectiveHash grown = new EffectiveHash();
    String first = grown.of(some);
    List<EffectiveSetting> changed = new ArrayList<>(some);
    changed.set(2, setting("B", "timeout", "2"));
    String second = grown.of(changed);
    List<EffectiveSetting> fewer = changed.subList(0, 2);

    assertThat(second).isNotEqualTo(first).isEqualTo(new EffectiveHash().of(changed));
    assertThat(grown.of(fewer)).isEqualTo(new EffectiveHash().of(fewer)).isNotEqualTo(second);
    assertThat(grown.of(some)).isEqualTo(first);
  }

  @Test
  void hash_ofCommandsBuiltInAnotherOrder_isTheSame() {
    List<EffectiveSetting> other = List.of(some.get(2), some.get(0), some.get(1));

    assertThat(new EffectiveHash().of(other)).isEqualTo(new EffectiveHash().of(some));
  }

  @Test
  void hash_ofAValueThatMovedToAnotherKey_isAnother() {
    assertThat(new EffectiveHash().of(List.of(setting("A", "timeout", "1"))))
        .isNotEqualTo(new EffectiveHash().of(List.of(setting("B", "timeout", "1"))))
        .isNotEqualTo(new EffectiveHash().of(List.of(setting("A", "timeout", "11"))));
  }
}
