// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.test.TenrecExtension;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and the page to start with say what compiles, and what happens. */
class ReadmeTest {

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/get-started.md"})
  void javaOfThePage_isCompiledAsItStands(String page) throws IOException {
    String compiled =
        Pages.bare(
            Pages.read("examples/src/test/java/dev/tenrec/examples/readme/ReadmeExamples.java"));
    assertThat(Pages.blocks(page, "java"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(compiled).contains(Pages.bare(block)));
  }

  @Test
  void quickStart_hasItsTwoCommands() throws IOException {
    assertThat(Pages.blocks("README.md", "sh"))
        .hasSize(2)
        .allSatisfy(block -> assertThat(block).startsWith("mvn ").hasLineCount(1))
        .isEqualTo(Pages.blocks("README.md", "\\w+").subList(0, 2));
  }

  /** In virtual time, but for what makes its own Tenrec: no call is late. */
  @Test
  @ExtendWith(TenrecExtension.class)
  void javaOfTheReadme_runs(Tenrec tenrec) {
    ReadmeExamples examples = new ReadmeExamples();
    examples.firstCommand();
    ReadmeExamples.Quote quote = new ReadmeExamples.Quote(new ReadmeExamples.Sku("four"), 100);
    assertThat(examples.doors(tenrec, examples.getQuote(tenrec)))
        .containsExactly(quote, quote, quote, true);
    assertThat(examples.otherForms(tenrec)).containsExactly(quote, quote, 4);
    examples.settings(tenrec);
    assertThat(tenrec.refusedSettings()).isZero();
  }
}
