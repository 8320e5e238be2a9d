// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The alert rules, by Prometheus' own tool. */
class AlertRulesTest {

  private static final Path DOCS = Path.of("..", "docs", "observability");
  private static final String UNCHECKED = "the alert rules were checked by no promtool";

  @Test
  void rules_byPromtool_areValidAndPassTheirTests() throws Exception {
    String promtool = Programs.find("promtool", UNCHECKED);
    Programs.Ended checked = Programs.run(DOCS, promtool, "check", "rules", "tenrec-alerts.yml");
    assertThat(checked.exitCode()).as(checked.output()).isZero();
    Programs.Ended tested = Programs.run(DOCS, promtool, "test", "rules", "tenrec-alerts-test.yml");
    assertThat(tested.exitCode()).as(tested.output()).isZero();
    assertThat(tested.output()).contains("SUCCESS");
  }

  /** Without promtool, too: a rule that no test makes fire, or keeps quiet, is found. */
  @Test
  void rules_all_haveATestInWhichTheyFireAndOneInWhichTheyDoNot() throws Exception {
    Map<String, List<Map<String, List<Map<String, Object>>>>> rules = read("tenrec-alerts.yml");
    Set<Object> all = new HashSet<>();
    rules.get("groups").get(0).get("rules").forEach(rule -> all.add(rule.get("alert")));
    Map<String, List<Map<String, List<Map<String, Object>>>>> tests =
        read("tenrec-alerts-test.yml");
    Set<Object> firing = new HashSet<>();
    Set<Object> quiet = new HashSet<>();
    for (Map<String, List<Map<String, Object>>> test : tests.get("tests")) {
      for (Map<String, Object> alert : test.get("alert_rule_test")) {
        List<?> expected = (List<?>) alert.get("exp_alerts");
        (expected.isEmpty() ? quiet : firing).add(alert.get("alertname"));
      }
    }
    assertThat(all).hasSize(13);
    assertThat(firing).isEqualTo(all);
    assertThat(quiet).containsAll(all);
  }

  private static <T> T read(String file) throws Exception {
    return new Yaml().load(Files.readString(DOCS.resolve(file)));
  }
}
