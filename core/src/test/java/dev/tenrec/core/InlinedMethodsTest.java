// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The methods on every call's way can be inlined. HotSpot inlines no method of more than 325 bytes
 * of bytecode, however hot it is ({@code -XX:FreqInlineSize}). The method for a failed call had
 * once grown past that by eleven, and was called instead.
 */
class InlinedMethodsTest {

  private static final int MOST = 325;

  private static final Pattern METHOD = Pattern.compile("^  (\\S.*\\(.*\\).*);$");
  private static final Pattern INSTRUCTION = Pattern.compile("^ +(\\d+): .*");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.tenrec.core.internal.breaker.CircuitBreaker",
        "dev.tenrec.core.internal.call.CallerPath",
        "dev.tenrec.core.internal.call.Completion",
        "dev.tenrec.core.internal.call.OutcomeRecorder",
        "dev.tenrec.core.internal.call.Pipeline",
        "dev.tenrec.core.internal.gate.BreakerGate",
        "dev.tenrec.core.internal.gate.BulkheadGate",
        "dev.tenrec.core.internal.gate.FallbackGate",
        "dev.tenrec.core.internal.gate.Gates",
        "dev.tenrec.core.internal.isolation.Permits",
        "dev.tenrec.core.internal.sharing.CacheGate",
        "dev.tenrec.metrics.internal.CommandCounters",
        "dev.tenrec.metrics.internal.CommandMetrics",
        "dev.tenrec.metrics.internal.latency.LatencyRecorder",
        "dev.tenrec.metrics.internal.rolling.StripedCounters",
      })
  void method_onTheWayOfACall_isSmallEnoughToBeInlined(String type) {
    Map<String, Integer> lengths = lengths(type);

    assertThat(lengths).isNotEmpty();
    assertThat(lengths)
        .allSatisfy((method, length) -> assertThat(length).isLessThanOrEqualTo(MOST));
  }

  /** Where each method's last instruction begins. */
  private static Map<String, Integer> lengths(String type) {
    URL found =
        Objects.requireNonNull(
            InlinedMethodsTest.class.getResource("/" + type.replace('.', '/') + ".class"), type);
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int exit =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(
                new PrintWriter(out, true),
                new PrintWriter(errors, true),
                "-c",
                "-p",
                found.toString());
    assertThat(exit).as(errors.toString()).isZero();
    Map<String, Integer> lengths = new TreeMap<>();
    String method = "";
    for (String line : out.toString().lines().toList()) {
      Matcher begins = METHOD.matcher(line);
      Matcher instruction = INSTRUCTION.matcher(line);
      if (begins.matches()) {
        method = begins.group(1);
      } else if (instruction.matches()) {
        lengths.put(method, Integer.parseInt(instruction.group(1)) + 1);
      }
    }
    return lengths;
  }
}
