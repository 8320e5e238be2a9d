// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Links between the pages of this repository, and from them into it, lead somewhere. */
class LinksTest {

  private static final Pattern FENCED = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern NAMED = Pattern.compile("`((?:docs|benchmarks)/[\\w/.-]+\\.md)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ELSEWHERE = Pattern.compile("\\w+:.*");

  private static String text(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }

  /** As GitHub and the site name them. */
  private static Set<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(text(page))
        .results()
        .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(heading -> heading.strip().replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<String> broken(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(text(page));
    while (link.find()) {
      String path = link.group(1);
      String anchor = link.group(2);
      Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
      if (ELSEWHERE.matcher(path).matches()) {
        continue;
      }
      boolean anchored = anchor != null && target.toString().endsWith(".md");
      if (!Files.exists(target) || (anchored && !anchors(target).contains(anchor))) {
        broken.add(link.group());
      }
    }
    Matcher named = NAMED.matcher(text(page));
    while (named.find()) {
      if (!Files.exists(Pages.ROOT.resolve(named.group(1)))) {
        broken.add(named.group());
      }
    }
    return broken;
  }

  @Test
  void pages_linkToWhatExists() throws IOException {
    List<Path> pages = Pages.all();
    assertThat(pages)
        .hasSizeGreaterThan(50)
        .anyMatch(page -> page.endsWith("benchmarks/field/README.md"))
        .anyMatch(page -> page.endsWith("examples/README.md"));
    for (Path page : pages) {
      assertThat(broken(page)).as("broken links of %s", page).isEmpty();
    }
  }

  @Test
  void brokenLinks_areFound() throws IOException {
    Path page = Files.createTempFile("page", ".md");
    try {
      Files.writeString(
          page,
          "# One heading\n[good](#one-heading) [no](missing.md) [other](#missing) `docs/no.md`\n");
      assertThat(broken(page)).containsExactly("](missing.md)", "](#missing)", "`docs/no.md`");
    } finally {
      Files.delete(page);
    }
  }
}
