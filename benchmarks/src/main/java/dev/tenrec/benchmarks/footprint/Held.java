// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import dev.tenrec.benchmarks.contender.Rules;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Work that stays until it is let go. */
final class Held {

  private final CountDownLatch release = new CountDownLatch(1);

  /** One thread, and room for all the others. */
  static Rules rules(int calls) {
    return Rules.pool(calls).limit(1).withTimeout(Duration.ofHours(1));
  }

  String work(String question) {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return question;
  }

  void letGo() {
    release.countDown();
  }
}
