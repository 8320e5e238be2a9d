// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class ManualTimeTest {

  /** A test that moves time beat by beat would otherwise move it twice for one beat. */
  @Test
  void waiting_afterTheTimeOfAThreadHasCome_isWithoutItAtOnce() throws InterruptedException {
    ManualTime time = new ManualTime();
    for (int i = 0; i < 100; i++) {
      long deadline = time.nanoTime() + 1;
      Thread waits = new Thread(() -> time.awaitUntil(deadline));
      waits.start();
      await().until(() -> time.waiting().contains(waits));
      time.advanceMillis(1);
      assertThat(time.waiting()).isEmpty();
      waits.join();
    }
  }
}
