// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.attempts.Attempts;
import dev.tenrec.field.gateway.GatewayLoads;
import dev.tenrec.field.load.comparison.Comparison;
import dev.tenrec.field.provider.Sweep;
import dev.tenrec.field.thrift.Collapse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer sees of each system in a minute; the one on Boot has its own. */
@Tag("field")
class DemoTest {

  private static final Pattern RATIO = Pattern.compile(" = (\\d[\\d,.]*)");

  @TempDir Path directory;

  @Test
  void collapse_showsThatItHappens_andIsSurvived() throws Exception {
    Pattern surge =
        Pattern.compile(
            "1 kB, (un)?guarded: answered (\\d+) % in the surge, (\\d+) % after it;"
                + " recovered after s: .+");
    Pattern work =
        Pattern.compile(
            "1 kB, (un)?guarded: of (\\d+) calls the provider did, (\\d+) were for callers that had"
                + " gone");

    List<String> lines = Demo.of(Collapse.class, List.of(), directory, 5);

    assertThat(lines.get(1)).doesNotContain("nothing collapsed");
    assertThat(number(surge, lines.get(3), 3)).isGreaterThan(number(surge, lines.get(1), 3));
    assertThat(number(work, lines.get(2), 3) / number(work, lines.get(2), 2)).isGreaterThan(0.2);
    assertThat(number(work, lines.get(4), 3) / number(work, lines.get(4), 2)).isLessThan(0.1);
  }

  private static double number(Pattern pattern, String line, int group) {
    Matcher matcher = pattern.matcher(line);
    assertThat(matcher.matches()).as("%s matches %s", line, pattern).isTrue();
    return Double.parseDouble(matcher.group(group));
  }

  /** The first one of the line that begins so. */
  private static double ratio(String shape, List<String> lines) {
    String line =
        lines.stream().filter(one -> one.startsWith(shape + ": ")).findFirst().orElse("none");
    Matcher matcher = RATIO.matcher(line);
    assertThat(matcher.find()).as("%s in %s", shape, lines).isTrue();
    return Double.parseDouble(matcher.group(1).replace(",", ""));
  }

  @Test
  void gateway_showsWhatALimitThatFitsIsWorth() throws Exception {
    List<String> lines = Demo.of(GatewayLoads.class, List.of(), directory, 5);

    assertThat(ratio("the limit refuses most", lines)).isGreaterThan(0.9);
    assertThat(lines).anyMatch(line -> line.startsWith("a limit that fits refuses nobody: 0 of"));
  }

  @Test
  void sweep_showsThePlateau_andACanaryThatIsKept() throws Exception {
    assertThat(Demo.of(Sweep.class, List.of(), directory, 5))
        .anyMatch(line -> line.startsWith("isFollow: of the pools swept, most answers with"))
        .anyMatch(line -> line.startsWith("Canary fixed 16, no queue") && line.contains("kept"));
  }

  @Test
  void comparison_showsThatThePoolLies() throws Exception {
    List<String> lines = Demo.of(Comparison.class, List.of(), directory, 5);

    assertThat(ratio("and is lying", lines)).isGreaterThan(5);
    assertThat(ratio("the 500 ms service exposes it", lines)).isGreaterThan(5);
  }

  @Test
  void attempts_showWhatTheyCost() throws Exception {
    List<String> lines = Demo.of(Attempts.class, List.of(), directory, 4);

    assertThat(ratio("a hedge takes the tail away", lines)).isLessThan(0.7);
    assertThat(ratio("so that more is done in time", lines)).isGreaterThan(1);
  }

  @Test
  void strategies_showWhatTheyCost() throws Exception {
    assertThat(Demo.of(Collapse.class, List.of("--attempts"), directory, 4)).isNotEmpty();
  }
}
