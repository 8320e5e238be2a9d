// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.Tenrec;
import dev.tenrec.test.published.Storm;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Board and rules of {@code docs/observability} name only what is published: each metric, each
 * label of it, and each value that a label is compared with.
 */
class ObservabilityTest {

  private static final Path DOCS = Path.of("..", "docs", "observability");

  /** What Prometheus adds to every series. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  private static final Pattern SERIES =
      Pattern.compile("(tenrec_\\w+?)(?:_bucket|_count|_sum)?\\{(.*)} .*|(tenrec_\\w+) .*");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern SELECTOR = Pattern.compile("(tenrec_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!=|!~|=)\\s*\"([^\"]*)\"");
  private static final Pattern BY = Pattern.compile("by\\s*\\(([^)]*)\\)");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\w+");

  /** Values by label, by the name of the series without what a histogram appends. */
  private static final Map<String, Map<String, Set<String>>> PUBLISHED = new HashMap<>();

  private static JsonNode board;
  private static List<Map<String, Object>> rules;

  @BeforeAll
  static void read() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Tenrec tenrec = Storm.patient().remoteSource(new Following()).build();
        TenrecMetrics metrics = TenrecMetrics.of(tenrec)) {
      metrics.bindTo(registry);
      Storm.over(tenrec);
      for (String line : registry.scrape().split("\n")) {
        published(line);
      }
    }
    board = new ObjectMapper().readTree(DOCS.resolve("tenrec-board.json").toFile());
    Map<String, List<Map<String, List<Map<String, Object>>>>> file =
        new Yaml().load(Files.readString(DOCS.resolve("tenrec-alerts.yml")));
    rules = file.get("groups").get(0).get("rules");
  }

  private static void published(String line) {
    Matcher series = SERIES.matcher(line);
    if (!series.matches()) {
      assertThat(line).startsWith("#");
      return;
    }
    String name = series.group(1) == null ? series.group(3) : series.group(1);
    Map<String, Set<String>> labels = PUBLISHED.computeIfAbsent(name, each -> new HashMap<>());
    if (series.group(2) != null) {
      Matcher label = LABEL.matcher(series.group(2));
      while (label.find()) {
        labels.computeIfAbsent(label.group(1), each -> new HashSet<>()).add(label.group(2));
      }
    }
  }

  /** What is wrong with an expression, in words. */
  private static List<String> faults(String expression) {
    List<String> faults = new ArrayList<>();
    Set<String> labels = new TreeSet<>(ADDED);
    Matcher selector = SELECTOR.matcher(expression);
    while (selector.find()) {
      String name = selector.group(1).replaceFirst("_bucket$", "");
      Map<String, Set<String>> known = PUBLISHED.get(name);
      if (known == null) {
        faults.add("no metric " + name);
        continue;
      }
      labels.addAll(known.keySet());
      Matcher matcher = MATCHER.matcher(selector.group(2) == null ? "" : selector.group(2));
      while (matcher.find()) {
        compare(name, known, matcher.group(1), matcher.group(3), faults);
      }
    }
    Matcher by = BY.matcher(expression);
    while (by.find()) {
      for (String label : by.group(1).split("\\s*,\\s*")) {
        if (!labels.contains(label.strip())) {
          faults.add("no label " + label + " to sum by");
        }
      }
    }
    for (String pair : List.of("()", "{}", "[]")) {
      long opened = expression.chars().filter(sign -> sign == pair.charAt(0)).count();
      long closed = expression.chars().filter(sign -> sign == pair.charAt(1)).count();
      if (opened != closed) {
        faults.add(opened + " " + pair.charAt(0) + " and " + closed + " " + pair.charAt(1));
      }
    }
    return faults;
  }

  private static void compare(
      String name,
      Map<String, Set<String>> known,
      String label,
      String values,
      List<String> faults) {
    if (ADDED.contains(label)) {
      return;
    }
    if (!known.containsKey(label)) {
      faults.add(name + " has no label " + label);
    } else if (!VARIABLE.matcher(values).find()) {
      Arrays.stream(values.split("\\|"))
          .filter(value -> !known.get(label).contains(value))
          .forEach(value -> faults.add(name + " has never " + label + "=" + value));
    }
  }

  private static List<String> boardsExpressions() {
    List<String> all = new ArrayList<>();
    board.findValues("expr").forEach(each -> all.add(each.asText()));
    for (JsonNode variable : board.get("templating").get("list")) {
      if (variable.get("type").asText().equals("query")) {
        all.add(variable.get("query").get("query").asText());
      }
    }
    return all;
  }

  @Test
  void faults_ofWhatIsNotPublished_areFound() {
    assertThat(faults("sum by (pool) (rate(tenrec_command_nothing_total[5m]))"))
        .containsExactly("no metric tenrec_command_nothing_total", "no label pool to sum by");
    assertThat(faults("tenrec_circuit_state{stat=\"open\"} + tenrec_circuit_state{state=\"up\"}"))
        .containsExactly(
            "tenrec_circuit_state has no label stat", "tenrec_circuit_state has never state=up");
    assertThat(faults("tenrec_commands{} )")).containsExactly("0 ( and 1 )");
  }

  @Test
  void board_always_namesWhatIsPublishedOnly() {
    List<String> all = boardsExpressions();
    assertThat(all)
        .hasSizeGreaterThan(25)
        .allSatisfy(expression -> assertThat(faults(expression)).as(expression).isEmpty())
        .allSatisfy(expression -> assertThat(expression).contains("tenrec_"));
  }

  @Test
  void board_always_hasPanelsOfItsDataSourceSideBySide() {
    Set<Integer> ids = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (JsonNode panel : board.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).isTrue();
      JsonNode place = panel.get("gridPos");
      assertThat(place.get("x").asInt() + place.get("w").asInt()).isLessThanOrEqualTo(24);
      assertThat(places.add(place.get("x") + "," + place.get("y"))).as("%s", panel).isTrue();
      if (!panel.get("type").asText().equals("row")) {
        assertThat(panel.get("datasource").get("uid").asText()).isEqualTo("${datasource}");
        assertThat(panel.get("description").asText()).isNotBlank();
        assertThat(panel.get("targets")).isNotEmpty();
      }
    }
  }

  @Test
  void quantiles_onTheBoard_areOfHistogramsAndInBothForms() {
    List<String> quantiles =
        boardsExpressions().stream().filter(each -> each.contains("quantile")).toList();
    assertThat(quantiles).hasSize(8).allMatch(each -> each.startsWith("histogram_quantile("));
    assertThat(quantiles.stream().filter(each -> each.contains("_seconds_bucket{"))).hasSize(4);
    assertThat(boardsExpressions()).noneMatch(each -> each.contains("avg"));
  }

  @Test
  void rules_always_nameWhatIsPublishedOnly() {
    assertThat(rules)
        .hasSize(13)
        .allSatisfy(
            rule -> {
              String expression = (String) rule.get("expr");
              assertThat(faults(expression)).as(expression).isEmpty();
            });
  }

  @Test
  void rules_always_haveALineInTheRunbook() throws Exception {
    List<String> anchors =
        Files.readAllLines(DOCS.resolve("runbook.md")).stream()
            .filter(line -> line.startsWith("## "))
            .map(
                line ->
                    "runbook.md#" + line.substring(3).toLowerCase(Locale.ROOT).replace(' ', '-'))
            .toList();
    assertThat(texts("annotations", "runbook"))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(anchors);
    assertThat(texts("annotations", "summary")).allMatch(text -> text.contains("$labels.instance"));
    assertThat(texts("labels", "severity"))
        .allMatch(severity -> List.of("info", "warning", "critical").contains(severity));
  }

  private static List<String> texts(String part, String name) {
    return rules.stream()
        .map(rule -> String.valueOf(((Map<?, ?>) rule.get(part)).get(name)))
        .toList();
  }

  @Test
  void figures_onThePage_arePublished() throws Exception {
    Matcher quoted =
        Pattern.compile("`([^`]*)`").matcher(Files.readString(DOCS.resolve("figures.md")));
    int metrics = 0;
    while (quoted.find()) {
      if (quoted.group(1).contains("tenrec_")) {
        metrics++;
        assertThat(faults(quoted.group(1))).as(quoted.group(1)).isEmpty();
      }
    }
    assertThat(metrics).isGreaterThan(10);
  }
}
