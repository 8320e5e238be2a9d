// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  private static final Path HOME = Path.of("benchmarks");

  @Test
  void of_aClass_isShortUnlessAskedOtherwise() {
    assertThat(of("OpenCircuit").form()).isEqualTo(Form.SHORT);
    assertThat(of("OpenCircuit", "--full", "--keep").form()).isEqualTo(Form.FULL);
    assertThat(of("full").form()).isEqualTo(Form.FULL);
  }

  @Test
  void directory_ofFullClasses_isThatOfTheFullSet() {
    assertThat(of("OpenCircuit", "--full").directory("17.0.1", "cafe"))
        .isEqualTo(of("full").directory("17.0.1", "cafe"));
    assertThat(of("scaling", "--full").directory("17.0.1", "cafe"))
        .isEqualTo(of("full").directory("17.0.1", "cafe"));
    assertThat(of("OpenCircuit").directory("17.0.1", "cafe"))
        .isEqualTo(of("short").directory("17.0.1", "cafe"))
        .isNotEqualTo(of("full").directory("17.0.1", "cafe"));
    assertThat(of("full").directory("25", "cafe"))
        .isEqualTo(HOME.resolve("target/results/25/cafe/full"));
  }

  @Test
  void of_nonsense_saysWhatIsWrong() {
    assertThatThrownBy(() -> of()).hasMessageContaining("first argument has to be the set");
    assertThatThrownBy(() -> of("full", "--fast")).hasMessage("unknown argument '--fast'");
    assertThatThrownBy(() -> of("full", "--forks")).hasMessage("--forks needs a value");
    assertThatThrownBy(() -> of("full", "--forks", "0"))
        .hasMessage("--forks: expected a number from 1 on, but found '0'");
    assertThatThrownBy(() -> of("short", "--full")).hasMessageContaining("the set full has");
  }

  @Test
  void get_unknownSet_namesThoseThereAre() {
    assertThatThrownBy(() -> new Sets(17).get("semaphore"))
        .hasMessageContaining("no set is called 'semaphore'; there are SemaphoreExecution,")
        .hasMessageContaining("short, full, scaling");
    assertThatThrownBy(() -> new Sets(17).get("VirtualThreadExecution"))
        .hasMessageContaining("need JDK 21 or later");
    assertThat(new Sets(21).get("VirtualThreadExecution")).hasSize(1);
  }

  @Test
  void forks_ofSeveralThreads_areAtLeastFive() {
    assertThat(of("short").forks(Job.all("SemaphoreExecution", 2))).isEqualTo(5);
    assertThat(of("short").forks(Job.all("SemaphoreExecution", 1))).isEqualTo(2);
    assertThat(of("short", "--forks", "1").forks(Job.all("SemaphoreExecution", 1))).isEqualTo(1);
    assertThat(of("short", "--forks", "7").forks(Job.all("SemaphoreExecution", 2))).isEqualTo(7);
  }

  @Test
  void forks_fewerThanFiveWhereThreadsMeet_areRaisedAndReported() {
    Job two = Job.all("SemaphoreExecution", 2);
    Job pool = Job.all("ThreadPoolExecution", 1);
    List<Job> jobs = List.of(two, pool, Job.all("FailingCall", 1), Job.all("Footprint", 1));
    Arguments asked = of("full", "--forks", "3");

    assertThat(asked.forks(two)).isEqualTo(5);
    assertThat(asked.forks(pool)).isEqualTo(5);
    assertThat(asked.raisedForks(jobs))
        .hasValue(
            "--forks: 5 instead of 3 where threads meet: SemaphoreExecution, 2 threads;"
                + " ThreadPoolExecution, 1 thread");
    assertThat(of("full", "--forks", "5").raisedForks(jobs)).isEmpty();
    assertThat(of("full").raisedForks(jobs)).isEmpty();
  }

  @Test
  void jmhArguments_ofSomeMethods_meanTheseAlone() {
    Job job = Job.some("Collapsing", 1, "tenrec", "hystrix").with("batchSize", "100");

    assertThat(job.jmhArguments(Form.SHORT, "file.json"))
        .contains("^dev\\.tenrec\\.benchmarks\\.Collapsing\\.(tenrec|hystrix)$")
        .containsSequence("-foe", "true")
        .containsSequence("-t", "1")
        .containsSequence("-p", "batchSize=100");
  }

  private static Arguments of(String... words) {
    return Arguments.of(List.of(words), HOME);
  }
}
