// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openrewrite.properties.PropertiesParser;
import org.openrewrite.yaml.YamlParser;

/** The keys of settings, in both kinds of files. */
class MovePropertyKeysTest {

  @Test
  void properties_moved_haveTenrecsPrefix() {
    List<String> moved =
        Moved.by(
            "MovePropertyKeys",
            new PropertiesParser(),
            """
            server.port=80
            hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds=800
            hystrix.threadpool.Users.coreSize=7
            hystrix.collapser.getAll.maxRequestsInBatch=50
            hystrix.timer.threadpool.default.coreSize=4
            """);

    assertThat(moved)
        .containsExactly(
            """
            server.port=80
            tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds=800
            tenrec.threadpool.Users.coreSize=7
            tenrec.collapser.getAll.maxRequestsInBatch=50
            # Tenrec: no counterpart: TenrecBuilder.callbacks sizes the executor that runs user code
            hystrix.timer.threadpool.default.coreSize=4
            """);
  }

  @Test
  void yaml_moved_hasTenrecsPrefix() {
    List<String> moved =
        Moved.by(
            "MovePropertyKeys",
            YamlParser.builder().build(),
            """
            server:
              port: 80
            hystrix:
              command:
                default:
                  execution:
                    timeout:
                      enabled: false
              threadpool:
                Users:
                  coreSize: 7
              stream:
                dashboard:
                  intervalInMilliseconds: 500
            """);

    Map<String, Object> settings = new org.yaml.snakeyaml.Yaml().load(moved.get(0));
    assertThat(flat("", settings))
        .containsOnly(
            Map.entry("server.port", 80),
            Map.entry("tenrec.command.default.execution.timeout.enabled", false),
            Map.entry("tenrec.threadpool.Users.coreSize", 7),
            Map.entry("hystrix.stream.dashboard.intervalInMilliseconds", 500));
    assertThat(moved.get(0))
        .contains("# Tenrec: no counterpart: give intervals and limits to the stream");
  }

  @Test
  void yaml_withDotsInItsNames_isMarkedOnce() {
    String mark = "# Tenrec: " + PropertyKeys.adviceFor("hystrix.timer");

    List<String> moved =
        Moved.by(
            "MovePropertyKeys",
            YamlParser.builder().build(),
            """
            hystrix.timer.threadpool.default.coreSize: 4
            """,
            """
            hystrix:
              timer.threadpool.default.coreSize: 4
            """,
            """
            hystrix.timer:
              threadpool.default.coreSize: 4
            """);

    assertThat(moved)
        .containsExactly(
            mark + "\nhystrix.timer.threadpool.default.coreSize: 4\n",
            "hystrix:\n  " + mark + "\n  timer.threadpool.default.coreSize: 4\n",
            mark + "\nhystrix.timer:\n  threadpool.default.coreSize: 4\n");
  }

  private static Map<String, Object> flat(String above, Object value) {
    Map<String, Object> all = new java.util.HashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (key, below) -> all.putAll(flat(above + (above.isEmpty() ? "" : ".") + key, below)));
    } else {
      all.put(above, value);
    }
    return all;
  }
}
