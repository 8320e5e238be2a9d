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
  void print_ofReaders_dividesByTheThreadThatAccepts() {
    Point own = Point.of(Part.READERS, Method.IS_FOLLOW, 100, PoolSetting.fixed(16, 100), 50);

    assertThat(
            print(
                new SomeMeasured(own, Method.IS_FOLLOW, 1_000, 0).measured(),
                new SomeMeasured(own.readBy(2), Method.IS_FOLLOW, 1_100, 0).measured()))
        .contains("besides the thread that accepts: 0: 1.00; 2: 1.10.");
  }

  @Test
  void print_ofCapacity_saysHowManyInstancesAPeakTakes() {
    List<Point> below = Form.DEMO.bySchedule(1_000);

    assertThat(below).extracting(Point::perSecond).containsExactly(800, 1_200, 800, 1_200);
    assertThat(
            print(
                new SomeMeasured(Form.CAPACITY, Method.FOLLOW, 1_000, 0).measured(),
                new SomeMeasured(below.get(0), Method.FOLLOW, 800, 0).measured(),
                new SomeMeasured(below.get(1), Method.FOLLOW, 900, 300).measured(),
                new SomeMeasured(below.get(3), Method.FOLLOW, 1_200, 0).measured()))
        .contains("An instance answers 1000/s of follow on fixed 32, queue 50.")
        .contains("At 800/s it refuses 0.0 %, p99 4 ms; at 1200/s 25.0 %")
        .contains("A peak of 10000/s takes 13 instances of 800/s each.");
  }

  @Test
  void print_ofACanary_saysWhatBecameOfIt() {
    Measured few = new SomeMeasured(Part.CANARY, Method.FOLLOW, Canary.BEFORE, 100, 0).measured();
    Measured more = new SomeMeasured(Part.CANARY, Method.FOLLOW, Canary.BETTER, 190, 0).measured();
    List<Canary.Phase> phases =
        List.of(
            new Canary.Phase("before", Canary.BETTER, few, few),
            new Canary.Phase("tried on one", Canary.BETTER, more, few),
            new Canary.Phase("kept, on both", Canary.BETTER, more, more));

    assertThat(Findings.of(new Runs(List.of()), phases))
        .containsExactly(
            "Canary fixed 16, no queue beside fixed 8, no queue: answers 1.90, p99 1.00 of the"
                + " other instance's; kept, on both: answers of both 1.90 of before. No restart, 0"
                + " calls failed.");
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
    new SweepReport(List.of(measured), List.of(), 9, 1, Ending.COMPLETE)
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
