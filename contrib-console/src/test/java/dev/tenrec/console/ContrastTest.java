// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contrasts of the page's colours, by WCAG 2.2, level AA: 4.5 to 1 for text (1.4.3), 3 to 1 for
 * what shows a control, its focus, or a figure (1.4.11). Computed from the style sheet and from the
 * scripts that draw, so that a colour which is used anew is looked at as well.
 */
class ContrastTest {

  private static final double TEXT = 4.5;
  private static final double SHAPE = 3;

  /** What stands behind text: the page, and rows, heads and quotations. */
  private static final List<String> BEHIND = List.of("back", "soft");

  private static final Pattern ROOT = Pattern.compile(":root\\s*\\{([^}]*)}");
  private static final Pattern VARIABLE = Pattern.compile("--([\\w-]+):\\s*(#[0-9a-fA-F]+);");
  private static final Pattern RULE = Pattern.compile("([^{}]+)\\{([^{}]*)}");

  enum Scheme {
    LIGHT,
    DARK
  }

  private String css;

  @BeforeEach
  void read() throws IOException {
    css = resource("console.css").replaceAll("(?s)/\\*.*?\\*/", "");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ContrastTest.class.getResourceAsStream("page/" + name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** The page's colours by name: those of the light page, then what the dark one says anew. */
  private Map<String, String> colours(Scheme scheme) {
    List<String> roots = new ArrayList<>();
    Matcher root = ROOT.matcher(css);
    while (root.find()) {
      roots.add(root.group(1));
    }
    assertThat(roots).as("a light and a dark page").hasSize(2);
    Map<String, String> colours = named(roots.get(0));
    Map<String, String> dark = named(roots.get(1));
    assertThat(dark.keySet()).as("each has one for the dark").isEqualTo(colours.keySet());
    return scheme == Scheme.LIGHT ? colours : dark;
  }

  private static Map<String, String> named(String declarations) {
    Map<String, String> colours = new HashMap<>();
    Matcher variable = VARIABLE.matcher(declarations);
    while (variable.find()) {
      colours.put(variable.group(1), variable.group(2));
    }
    return colours;
  }

  /** The rules but those that name colours. */
  private List<MatchResult> rules() {
    return RULE.matcher(ROOT.matcher(css).replaceAll(""))
        .results()
        .filter(rule -> !rule.group(2).isBlank())
        .toList();
  }

  /** Which colours a property has, where the selector contains {@code selector}. */
  private Set<String> used(String property, String selector) {
    Pattern declared = Pattern.compile("(?<![\\w-])" + property + ":[^;]*?var\\(--([\\w-]+)\\)");
    Set<String> names = new TreeSet<>();
    for (MatchResult rule : rules()) {
      if (rule.group(1).contains(selector)) {
        Matcher matcher = declared.matcher(rule.group(2));
        while (matcher.find()) {
          names.add(matcher.group(1));
        }
      }
    }
    return names;
  }

  private static double contrast(String one, String other) {
    double lighter = Math.max(luminance(one), luminance(other));
    double darker = Math.min(luminance(one), luminance(other));
    return (lighter + 0.05) / (darker + 0.05);
  }

  /** Relative luminance, as WCAG defines it for sRGB. */
  private static double luminance(String colour) {
    String digits = colour.substring(1);
    String six = digits.length() == 3 ? digits.replaceAll("(.)", "$1$1") : digits;
    assertThat(six).as(colour).hasSize(6);
    return 0.2126 * linear(six, 0) + 0.7152 * linear(six, 2) + 0.0722 * linear(six, 4);
  }

  private static double linear(String digits, int at) {
    double part = Integer.parseInt(digits.substring(at, at + 2), 16) / 255.0;
    return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
  }

  private void assertApart(Scheme scheme, Set<String> names, List<String> behind, double atLeast) {
    Map<String, String> colours = colours(scheme);
    for (String name : names) {
      for (String back : behind) {
        assertThat(contrast(colours.get(name), colours.get(back)))
            .as("%s on %s, %s", name, back, scheme)
            .isGreaterThanOrEqualTo(atLeast);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void formula_always_isThatOfWcag(Scheme scheme) {
    assertThat(contrast("#fff", "#000000")).isEqualTo(21);
    assertThat(contrast("#777777", "#ffffff")).isBetween(4.47, 4.48);
    assertThat(colours(scheme)).containsKeys("back", "soft", "front", "line");
  }

  @ParameterizedTest
  @EnumSource
  void text_always_isReadable(Scheme scheme) {
    Set<String> text = used("color", "");
    assertThat(text).contains("front", "faint", "good", "bad", "warn", "focus");
    assertApart(scheme, text, BEHIND, TEXT);
  }

  @ParameterizedTest
  @EnumSource
  void textOfFigures_always_isReadable(Scheme scheme) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher filled = Pattern.compile("fillStyle = colours\\.(\\w+)").matcher(resource("charts.js"));
    while (filled.find()) {
      names.add(filled.group(1));
    }
    assertThat(names).contains("faint");
    assertApart(scheme, names, List.of("back"), TEXT);
  }

  @ParameterizedTest
  @EnumSource
  void controls_always_haveAnEdgeThatIsSeen(Scheme scheme) {
    Set<String> edges = used("border", "input, select");
    assertThat(edges).hasSize(1);
    assertApart(scheme, edges, List.of("back"), SHAPE);
    assertThat(used("color", "::placeholder")).as("the browser's own is too faint").hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void focus_andTheTabThatIsShown_areSeen(Scheme scheme) {
    Set<String> names = used("outline", ":focus-visible");
    names.addAll(used("border-color", "[aria-current]"));
    assertThat(names).isNotEmpty();
    assertApart(scheme, names, BEHIND, SHAPE);
  }

  @ParameterizedTest
  @EnumSource
  void linesOfFigures_always_areSeen(Scheme scheme) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String script : List.of("charts.js", "story.js", "main.js")) {
      Matcher matcher =
          Pattern.compile("colour: '(\\w+)'|history\\.\\w+, '(\\w+)'|\\['\\w+', '(\\w+)', \\[")
              .matcher(resource(script));
      while (matcher.find()) {
        for (int group = 1; group <= 3; group++) {
          if (matcher.group(group) != null) {
            names.add(matcher.group(group));
          }
        }
      }
    }
    assertThat(names).contains("p50", "p99", "other");
    assertApart(scheme, names, List.of("back"), SHAPE);
  }

  @ParameterizedTest
  @EnumSource
  void bars_always_areSeenOnWhatIsLeftOfThem(Scheme scheme) {
    Set<String> bars = used("background", ".bar i");
    bars.addAll(used("background", ".bar.full i"));
    assertThat(bars).contains("good", "bad");
    assertApart(scheme, bars, List.of("line"), SHAPE);
  }

  @ParameterizedTest
  @EnumSource
  void backgrounds_always_areThoseThatAreLookedAt(Scheme scheme) {
    Set<String> all = used("background", "");
    all.removeAll(used("background", ".bar"));
    assertThat(all).as("%s", scheme).containsExactlyInAnyOrderElementsOf(BEHIND);
    for (MatchResult rule : rules()) {
      assertThat(rule.group(2))
          .as("a colour without a name")
          .doesNotContainPattern("#[0-9a-fA-F]{3}");
    }
  }
}
