// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingOrigin;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the log has of changed settings. */
class ChangeLogTest {

  @Test
  void lines_ofOneChangeForManyKeys_areOneThatNamesAFew() {
    List<SettingChange> changes =
        IntStream.range(0, 8)
            .mapToObj(i -> new SettingChange("command", "C" + i, "fallback.enabled", "true", null))
            .toList();
    assertThat(ChangeLog.lines(changes))
        .containsExactly("command C0, C1, C2, C3, C4 and 3 more: fallback.enabled true -> null");
  }

  @Test
  void lines_ofFiveKeys_nameThemAll() {
    List<SettingChange> changes =
        IntStream.range(0, 5)
            .mapToObj(i -> new SettingChange("command", "C" + i, "fallback.enabled", "true", null))
            .toList();
    assertThat(ChangeLog.lines(changes))
        .containsExactly("command C0, C1, C2, C3, C4: fallback.enabled true -> null");
  }

  @Test
  void lines_ofKeysAndValuesWithLineBreaks_areOneLineEach() {
    assertThat(
            ChangeLog.lines(
                List.of(
                    new SettingChange("command", "A\nB", "threadPoolKeyOverride", null, "X\r\nY"))))
        .containsExactly("command A\\nB: threadPoolKeyOverride null -> X\\r\\nY");
  }

  @Test
  void lines_ofAVersion_nameItAndItsAuthor_escaped() {
    assertThat(
            ChangeLog.lines(
                List.of(
                    new SettingChange(
                        "command",
                        "A",
                        "p",
                        "1",
                        "2",
                        new SettingOrigin(3, "eve\nINFO all is well")),
                    new SettingChange("command", "B", "p", "1", "2", new SettingOrigin(4, "bob")))))
        .containsExactly(
            "command A: p 1 -> 2 (version 3 by eve\\nINFO all is well)",
            "command B: p 1 -> 2 (version 4 by bob)");
  }
}
