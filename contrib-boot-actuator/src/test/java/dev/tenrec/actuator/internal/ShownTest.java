// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.config.SettingOrigin;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the endpoint shows of a setting whose source has versions, and of one whose has none. */
class ShownTest {

  @Test
  void settings_ofASourceWithVersions_nameVersionAndAuthor() {
    SettingOrigin bob = new SettingOrigin(2, "bob");
    Refusal refused = new Refusal("tenrec.command.A.p", "many", "must be a number", bob);
    var shown =
        Shown.settings(
            List.of(
                new EffectiveSetting("command", "A", "p", "1", SettingLevel.INSTANCE, refused, bob),
                new EffectiveSetting("command", "A", "q", "1", SettingLevel.CODE, null)));
    assertThat(shown.get(0))
        .containsEntry("version", 2L)
        .containsEntry("author", "bob")
        .containsEntry("refused", "tenrec.command.A.p = many: must be a number (version 2 by bob)");
    assertThat(shown.get(1)).doesNotContainKeys("version", "author");
  }
}
