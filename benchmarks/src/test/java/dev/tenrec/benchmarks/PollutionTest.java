// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PollutionTest {

  @Test
  void run_whenOver_leavesNoThreadAndNoSetting() throws InterruptedException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Properties settings = (Properties) System.getProperties().clone();

    Pollution.run();

    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    left.removeIf(thread -> !thread.getName().startsWith("tenrec-")); // the JVM's own, and peers'
    for (Thread thread : left) {
      thread.join(TimeUnit.SECONDS.toMillis(90)); // one that ends may be seen
    }
    assertThat(left).noneMatch(Thread::isAlive);
    assertThat(System.getProperties()).isEqualTo(settings);
  }
}
