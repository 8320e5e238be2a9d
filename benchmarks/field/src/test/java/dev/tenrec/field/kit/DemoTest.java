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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer sees of each system in a minute; the one on Boot has its own. */
@Tag("field")
class DemoTest {

  @TempDir Path directory;

  @Test
  void collapse_showsThatItHappens_andIsSurvived() throws Exception {
    String surge = ": answered \\d+ % in the surge, \\d+ % after it; recovered after s: .+";

    List<String> lines = Demo.of(Collapse.class, List.of(), directory, 5);

    assertThat(lines.get(1)).matches("1 kB, unguarded" + surge);
    assertThat(lines.get(3)).matches("1 kB, guarded" + surge);
  }

  @Test
  void gateway_showsWhatALimitThatFitsIsWorth() throws Exception {
    assertThat(Demo.of(GatewayLoads.class, List.of(), directory, 5)).isNotEmpty();
  }

  @Test
  void sweep_showsThePlateau_andACanaryThatIsKept() throws Exception {
    assertThat(Demo.of(Sweep.class, List.of(), directory, 5))
        .anyMatch(line -> line.startsWith("isFollow: of the pools swept, most answers with"))
        .anyMatch(line -> line.startsWith("Canary fixed 16, no queue") && line.contains("kept"));
  }

  @Test
  void comparison_showsThatThePoolLies() throws Exception {
    assertThat(Demo.of(Comparison.class, List.of(), directory, 5)).isNotEmpty();
  }

  @Test
  void attempts_showWhatTheyCost() throws Exception {
    assertThat(Demo.of(Attempts.class, List.of(), directory, 4)).isNotEmpty();
  }

  @Test
  void strategies_showWhatTheyCost() throws Exception {
    assertThat(Demo.of(Collapse.class, List.of("--attempts"), directory, 4)).isNotEmpty();
  }
}
