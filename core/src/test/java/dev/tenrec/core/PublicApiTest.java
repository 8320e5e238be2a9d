// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.PublicApi;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A change of what users can write down is seen in review: it changes a file of its own. */
class PublicApiTest {

  private static final Path RECORD = Path.of("..", "api", "tenrec-core.txt");

  /**
   * How settings are read and kept. It is one knot with the properties that users name, and so not
   * below internal yet; nothing that a user types leads there.
   */
  private static final Set<String> PLUMBING =
      Stream.of(
              "CodeSettings",
              "CodeSettings$Builder",
              "CollapserSettings",
              "CommandSettings",
              "Configuration",
              "LiveSettings",
              "PoolSettings",
              "PreparedChange",
              "SemaphoreSettings",
              "SettingsOwner")
          .map(name -> "dev.tenrec.core.config." + name)
          .collect(Collectors.toSet());

  private static PublicApi api() throws Exception {
    return PublicApi.of(Path.of("target", "classes")).without(PLUMBING);
  }

  @Test
  void signatures_always_areThoseOfTheRecord() throws Exception {
    assertThat(api().differences(RECORD))
        .as("write it anew with -Dtenrec.api.write=true, and say in CHANGELOG what changed")
        .isEmpty();
  }

  @Test
  void signatures_always_nameWhatUsersCanNameOnly() throws Exception {
    assertThat(api().leaks()).isEmpty();
  }
}
