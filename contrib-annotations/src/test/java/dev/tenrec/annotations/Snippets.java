// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares the Java of a page with what is compiled. */
final class Snippets {

  private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private Snippets() {}

  /** Each block of the page stands in the source of one of the classes; layout does not count. */
  static void areIn(String page, String... types) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(page))) { // the tests run in two modules
      root = root.getParent();
    }
    StringBuilder sources = new StringBuilder();
    for (String type : types) {
      sources.append(
          Files.readString(
              root.resolve("contrib-annotations/src/test/java/dev/tenrec/annotations")
                  .resolve(type + ".java")));
    }
    String compiled = bare(sources.toString());
    List<String> blocks = new ArrayList<>();
    Matcher fenced = FENCED.matcher(Files.readString(root.resolve(page)));
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }
    assertThat(blocks).isNotEmpty().allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
