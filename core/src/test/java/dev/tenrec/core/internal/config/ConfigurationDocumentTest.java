// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/configuration.md} lists what there is, with the defaults and rules there
 * are.
 */
class ConfigurationDocumentTest {

  private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

  /** A row of a table of properties: name, type and rule, default, meaning. */
  private static final Pattern ROW =
      Pattern.compile("^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|(.*)");

  private static final Pattern AT_LEAST =
      Pattern.compile("(count|ms|minutes), (more than )?(-?\\d+)(?: or more)?.*");

  private static final Pattern BETWEEN = Pattern.compile("count, (-?\\d+) to (\\d+).*");

  private static final String KEY = "text, a key: not blank, not `default`, no `${`";

  /** The greatest value of a type that has no other bound: for times, 365 days. */
  private static final Map<String, Long> MOST =
      Map.of("count", (long) Integer.MAX_VALUE, "ms", 31_536_000_000L, "minutes", 525_600L);

  private static Map<String, String[]> rowsBelow(String heading) throws IOException {
    Map<String, String[]> rows = new LinkedHashMap<>();
    boolean below = false;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        below = line.equals("## " + heading);
      }
      Matcher row = ROW.matcher(line);
      if (below && row.matches()) {
        String[] before =
            rows.put(
                row.group(1),
                new String[] {row.group(2).trim(), row.group(3).trim(), row.group(4)});
        assertThat(before).as("row twice: %s", row.group(1)).isNull();
      }
    }
    return rows;
  }

  private static void verify(String heading, Scope<?> scope) throws IOException {
    PropertyTable table = scope.table();
    Map<String, String[]> rows = rowsBelow(heading);
    assertThat(rows.keySet())
        .containsExactlyInAnyOrderElementsOf(
            table.properties().stream().map(Property::name).toList());
    for (Property<?> property : table.properties()) {
      String[] row = rows.get(property.name());
      assertThat(row[1]).as("default of %s", property).isEqualTo(documented(property));
      assertThat(row[0]).as("type of %s", property).startsWith(type(property));
      verifyRule(property, row[0]);
      assertThat(row[2].contains("Instance level only."))
          .as("levels of %s", property)
          .isEqualTo(property.onlyPerInstance());
    }
    assertThat(rulesBelow(heading))
        .containsExactlyInAnyOrderElementsOf(
            scope.rules().stream().map(ConfigurationDocumentTest::documented).toList());
  }

  /** What is listed between the properties of a table. */
  private static List<String> rulesBelow(String heading) throws IOException {
    List<String> rules = new ArrayList<>();
    String section = "";
    boolean below = false;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
        below = false;
      } else if (line.equals("Rules between them:")) {
        below = section.equals(heading);
      } else if (!line.isEmpty() && !line.startsWith("- ")) {
        below = false;
      } else if (below && !line.isEmpty()) {
        rules.add(line);
      }
    }
    return rules;
  }

  /** In a rule's words, which its refusals have too, with its properties marked as such. */
  private static String documented(CrossRule rule) {
    String words = " " + rule.words() + " ";
    for (Property<?> property : rule.properties()) {
      words = words.replace(" " + property.name() + " ", " `" + property.name() + "` ");
    }
    return "- " + words.strip() + ".";
  }

  /** What a rule of a number says holds at its bounds, and no further; and that of a text. */
  private static void verifyRule(Property<?> property, String typeAndRule) {
    Matcher from = AT_LEAST.matcher(typeAndRule);
    Matcher between = BETWEEN.matcher(typeAndRule);
    if (between.matches()) {
      long least = Long.parseLong(between.group(1));
      long most = Long.parseLong(between.group(2));
      accepts(property, least, most);
      refuses(property, least - 1, most + 1);
    } else if (from.matches()) {
      long least = Long.parseLong(from.group(3)) + (from.group(2) == null ? 0 : 1);
      long most = MOST.get(from.group(1));
      accepts(property, least, most);
      refuses(property, least - 1, most + 1);
    } else if (typeAndRule.equals(KEY)) {
      accepts(property, "Pool", "a.b c", "Default", "$", "{}");
      refuses(property, "", " ", "default", " default ", "${", "${a}", "a${b");
    } else {
      assertThat(typeAndRule).as("rule of %s", property).matches("flag|strategy|count, any.*");
    }
  }

  private static void accepts(Property<?> property, Object... values) {
    for (Object value : values) {
      assertThatNoException()
          .as("%s = %s", property, value)
          .isThrownBy(() -> property.read("key", value.toString()));
    }
  }

  private static void refuses(Property<?> property, Object... values) {
    for (Object value : values) {
      assertThatExceptionOfType(InvalidSettingException.class)
          .as("%s = %s", property, value)
          .isThrownBy(() -> property.read("key", value.toString()));
    }
  }

  private static String documented(Property<?> property) {
    if (property == PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD) {
      return "`maxQueueSize`";
    }
    if (property == CommandProperties.RATE_LIMITER_BURST) {
      return "`rateLimiter.permits`";
    }
    if (property == RateLimiterProperties.BURST) {
      return "`permits`";
    }
    String value = property.write(property.defaultValue());
    if (value == null) {
      return "unset";
    }
    return property == CommandProperties.ISOLATION_STRATEGY ? "`" + value + "`" : value;
  }

  private static String type(Property<?> property) {
    if (property.name().endsWith("Minutes")) {
      return "minutes";
    }
    if (property.name().endsWith("InMilliseconds")) {
      return "ms";
    }
    Object value = property.defaultValue();
    if (value instanceof Boolean) {
      return "flag";
    }
    if (value instanceof IsolationStrategy) {
      return "strategy";
    }
    return property == CommandProperties.THREAD_POOL_KEY_OVERRIDE ? "text" : "count";
  }

  @Test
  void propertiesOfACommand_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a command", CommandSettings.SCOPE);
  }

  @Test
  void propertiesOfAPool_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a pool", PoolSettings.SCOPE);
  }

  @Test
  void propertiesOfASharedRateLimiter_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a shared rate limiter", RateSettings.SCOPE);
  }

  @Test
  void propertiesOfASharedBudget_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a shared retry budget", RetryBudgetSettings.SCOPE);
  }

  @Test
  void propertiesOfASharedSemaphore_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a shared semaphore", SemaphoreSettings.SCOPE);
  }

  @Test
  void propertiesOfACollapser_areAllThereWithTheirDefaults() throws IOException {
    verify("Properties of a collapser", CollapserSettings.SCOPE);
  }

  @Test
  void propertyWithTheFirstLevelOnly_isTheOneItNames() throws IOException {
    List<String> names =
        Stream.of(
                CommandSettings.SCOPE.table(),
                PoolSettings.SCOPE.table(),
                SemaphoreSettings.SCOPE.table(),
                RateSettings.SCOPE.table(),
                RetryBudgetSettings.SCOPE.table(),
                CollapserSettings.SCOPE.table())
            .flatMap(table -> table.properties().stream())
            .filter(Property::onlyPerInstance)
            .map(property -> "`" + property.name() + "`")
            .toList();
    assertThat(Files.readString(PAGE))
        .contains(" " + String.join(", ", names) + " has the first level only.");
  }

  /** That they have none is shown by {@code RateLimitTest}. */
  @Test
  void propertiesWithoutEffectOnWhoSharesALimiter_areThoseOfTheLimiter() throws IOException {
    List<String> names =
        RateSettings.SCOPE.table().properties().stream().map(Property::name).toList();
    int last = names.size() - 1;
    String listed =
        "`rateLimiter."
            + String.join("`, `.", names.subList(0, last))
            + "` and `."
            + names.get(last)
            + "`";
    assertThat(Files.readString(PAGE))
        .contains("Without effect on a command that shares a rate limiter are " + listed + ":");
  }
}
