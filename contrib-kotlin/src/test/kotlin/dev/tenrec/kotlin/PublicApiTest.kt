// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.metrics.PublicApi
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** A change of what users can write down is seen in review: it changes a file of its own. */
class PublicApiTest {

  private val record = Path.of("..", "api", "tenrec-kotlin.txt")
  private val api = PublicApi.of(Path.of("target", "classes"))

  @Test
  fun signatures_always_areThoseOfTheRecord() {
    assertThat(api.differences(record))
        .`as`("write it anew with -Dtenrec.api.write=true, and say in CHANGELOG what changed")
        .isEmpty()
  }

  @Test
  fun signatures_always_nameWhatUsersCanNameOnly() {
    assertThat(api.leaks()).isEmpty()
  }
}
