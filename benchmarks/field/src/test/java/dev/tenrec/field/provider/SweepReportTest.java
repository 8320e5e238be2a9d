// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepReportTest {

  @Test
  void print_besideTheOriginal_dividesByTheSamePool() {
    String shown =
        print(
            measured(Part.SWEEP, PoolSetting.fixed(25, 100), 1_000),
            measured(Part.SWEEP, PoolSetting.fixed(6, 100), 2_000),
            measured(Part.SWEEP, PoolSetting.fixed(50, 100), 900),
            measured(Part.KINDS, PoolSetting.growing(5, 50, 0), 700));

    // 2.38 of 3.00 there; here with 200 threads not measured, growing to 50 on two cores 700 of
    // 2000; fixed 50 with a queue is no like of it
    assertThat(shown)
        .contains("| 200 cached, no queue | isFollow | 0.79 | - | 0.35 | 1.00 | - | 1.00 |")
        .contains("| 50 fixed, queue 100 | isFollow | 0.85 | 0.90 | - |")
        .contains("| 25 fixed, queue 100 | isFollow | 1.00 | 1.00 | 1.00 |")
        .contains("- isFollow: of the pools swept, most answers with fixed 6, queue 100, 2000/s.");
  }

  @Test
  void print_ofSmallAndLarge_saysWhatTheSmallOneProtects() {
    String shown =
        print(measured(Part.KINDS, Form.SMALL, 300), measured(Part.KINDS, Form.DEFAULT, 600));

    assertThat(shown)
        .contains("isFollow, fixed 8, no queue ÷ growing 20 to 200, no queue: CPU 1.00")
        .contains("at the store at once 8 of 20, answers 0.50.");
  }

  @Test
  void print_ofNothing_saysSo() {
    assertThat(print()).contains("0 of 9 points (the last perhaps cut short); in each");
  }

  private static Measured measured(Part part, PoolSetting pool, long answered) {
    return new SomeMeasured(part, Method.IS_FOLLOW, pool, answered, 0).measured();
  }

  private static String print(Measured... measured) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new SweepReport(List.of(measured), 9, 1, Ending.COMPLETE)
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
