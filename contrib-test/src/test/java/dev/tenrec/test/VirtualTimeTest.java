// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

  /** A test that moves time beat by beat would otherwise move it twice for one beat. */
  @Test
  void waitingThreads_afterTheTimeOfAThreadHasCome_areWithoutItAtOnce()
      throws InterruptedException {
    VirtualTime time = new VirtualTime();
    for (int i = 0; i < 100; i++) {
      long deadline = time.nanoTime() + 1;
      Thread waits = new Thread(() -> time.awaitUntil(deadline));
      waits.start();
      await().until(() -> time.waitingThreads() == 1);
      time.advance(Duration.ofMillis(1));
      assertThat(time.waitingThreads()).isZero();
      waits.join();
    }
  }
}
