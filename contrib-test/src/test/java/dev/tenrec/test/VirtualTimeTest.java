// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

  /** As a Tenrec closes whose call is at work: it waits for five seconds of this time. */
  @Test
  void release_ofTimeThatIsWaitedFor_letsItGoOn() throws Exception {
    VirtualTime time = new VirtualTime();
    long deadline = time.nanoTime() + Duration.ofMillis(20).toNanos();
    Thread waits =
        new Thread(
            () -> {
              while (time.nanoTime() - deadline < 0) {
                time.awaitUntil(deadline);
              }
            });
    waits.setDaemon(true);
    waits.start();
    await().until(() -> time.waitingThreads() == 1);
    time.release();
    time.release(); // changes nothing
    await().until(() -> !waits.isAlive());
  }

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
