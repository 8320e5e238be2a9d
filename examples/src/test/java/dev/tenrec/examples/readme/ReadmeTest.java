// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import java.io.IOException;
import org.junit.jupiter.api.Test;
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

  @Test
  void javaOfTheReadme_runs() {
    ReadmeExamples examples = new ReadmeExamples();
    examples.firstCommand();
    try (Tenrec tenrec = Tenrec.create()) {
      // whatever else the machine does
      tenrec.set(
          "tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "60000");
      ReadmeExamples.Quote quote = new ReadmeExamples.Quote(new ReadmeExamples.Sku("four"), 100);
      assertThat(examples.doors(tenrec, examples.getQuote(tenrec)))
          .containsExactly(quote, quote, quote, true);
      assertThat(examples.otherForms(tenrec)).containsExactly(quote, quote, 4);
      examples.settings(tenrec);
      assertThat(tenrec.refusedSettings()).isZero();
    }
  }
}
