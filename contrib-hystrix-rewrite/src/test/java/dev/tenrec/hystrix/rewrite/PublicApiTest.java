// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.PublicApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A change of what users can write down is seen in review: it changes a file of its own. */
class PublicApiTest {

  private static final Path RECORD = Path.of("..", "api", "tenrec-hystrix-rewrite.txt");

  private static PublicApi api() throws Exception {
    return PublicApi.of(Path.of("target", "classes"));
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
