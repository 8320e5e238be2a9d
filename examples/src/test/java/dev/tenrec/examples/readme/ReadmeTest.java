// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and the page to start with say what compiles, and what happens. */
class ReadmeTest {

  private static final Path HERE = Files.isDirectory(Path.of("docs")) ? Path.of("") : Path.of("..");

  private static List<String> blocks(String page, String language) throws IOException {
    Matcher fenced =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(HERE.resolve(page)));
    List<String> found = new ArrayList<>();
    while (fenced.find()) {
      found.add(fenced.group(1));
    }
    return found;
  }

  /** Without the layout: a formatter may break lines elsewhere. */
  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/get-started.md"})
  void javaOfThePage_isCompiledAsItStands(String page) throws IOException {
    String compiled =
        bare(
            Files.readString(
                HERE.resolve(
                    "examples/src/test/java/dev/tenrec/examples/readme/ReadmeExamples.java")));
    assertThat(blocks(page, "java"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  @Test
  void quickStart_hasItsTwoCommands() throws IOException {
    assertThat(blocks("README.md", "sh"))
        .hasSize(2)
        .allSatisfy(block -> assertThat(block).startsWith("mvn ").hasLineCount(1))
        .isEqualTo(blocks("README.md", "\\w+").subList(0, 2));
  }

  @Test
  void javaOfTheReadme_runs() {
    ReadmeExamples examples = new ReadmeExamples();
    examples.firstCommand();
    try (Tenrec tenrec = Tenrec.create()) {
      ReadmeExamples.Quote quote = new ReadmeExamples.Quote(new ReadmeExamples.Sku("four"), 100);
      assertThat(examples.doors(tenrec, examples.getQuote(tenrec)))
          .containsExactly(quote, quote, quote, true);
      assertThat(examples.otherForms(tenrec)).containsExactly(quote, quote, 4);
      examples.settings(tenrec);
      assertThat(tenrec.refusedSettings()).isZero();
    }
  }
}
