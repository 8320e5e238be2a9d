// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobTest {

  @Test
  void name_ofAPartOfAClass_saysWhichPart() {
    assertThat(Job.all("Collapsing", 1).name()).isEqualTo("Collapsing-t1");
    assertThat(Job.some("Collapsing", 1, "tenrec", "hystrix").with("batchSize", "100").name())
        .isEqualTo("Collapsing-t1-batchSize=100-tenrec+hystrix");
  }

  @Test
  void name_ofJobsOfAllSets_isOneOnlyWhereTheyAreTheSame() {
    Sets sets = new Sets(21);
    List<Job> jobs =
        Stream.of(Sets.FULL, Sets.SHORT, Sets.SCALING)
            .flatMap(set -> sets.get(set).stream())
            .distinct()
            .toList();

    assertThat(jobs).extracting(Job::name).doesNotHaveDuplicates();
  }

  @Test
  void whole_ofSomeMethods_isTheJobOfTheFullSet() {
    Job some = Job.some("SemaphoreExecution", 2, "floor", "tenrec");

    assertThat(some.whole(Form.FULL)).hasValue(Job.all("SemaphoreExecution", 2));
    assertThat(Job.all("SemaphoreExecution", 2).whole(Form.FULL)).isEmpty();
  }

  @Test
  void whole_ofAParametersValue_keepsIt() {
    Job some = Job.some("ThreadPoolExecution", 1, "tenrec").with("queue", "1000");

    assertThat(some.whole(Form.FULL).orElseThrow().name())
        .isEqualTo("ThreadPoolExecution-t1-queue=1000");
  }

  @Test
  void jmhArguments_whereThreadsMeet_askForTheProcessorsDistance() {
    assertThat(Job.all("OpenCircuit", 1).jmhArguments(Form.FULL, "a.json"))
        .doesNotContain(ProcessorDistance.class.getName());
    for (Job job :
        List.of(
            Job.all("OpenCircuit", 2),
            Job.all("ThreadPoolExecution", 1),
            Job.all("Collapsing", 1))) {
      assertThat(job.jmhArguments(Form.FULL, "a.json").contains(ProcessorDistance.class.getName()))
          .isEqualTo(Runtime.getRuntime().availableProcessors() == 2);
    }
  }

  /** In the short form, what has no Hystrix in it is warmed up for less long. */
  @Test
  void whole_warmedUpOtherwise_servesNobody() {
    assertThat(Job.some("OpenCircuit", 1, "floor", "tenrec").whole(Form.SHORT)).isEmpty();
    assertThat(Job.some("OpenCircuit", 1, "floor", "hystrix").whole(Form.SHORT)).isPresent();
  }
}
