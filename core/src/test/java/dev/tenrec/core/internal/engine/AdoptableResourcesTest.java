// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class AdoptableResourcesTest {

  @Test
  void take_isOnce_andOfItsKey() {
    AdoptableResources<Object> letGo = new AdoptableResources<>();
    Object held = new Object();
    letGo.add("S", held);

    assertThat(letGo.take("T")).isNull();
    assertThat(letGo.take("S")).isSameAs(held);
    assertThat(letGo.take("S")).isNull();
  }

  /** Keys may be made up without end: they would fill the memory. */
  @Test
  void keyOfWhatIsGone_isForgotten() {
    AdoptableResources<Object> letGo = new AdoptableResources<>();
    WeakReference<String> key = keyOfWhatIsGone(letGo);
    Object held = new Object();

    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              letGo.add("T", held);
              assertThat(letGo.take("T")).isSameAs(held);
              assertThat(key.get()).isNull();
            });
  }

  private static WeakReference<String> keyOfWhatIsGone(AdoptableResources<Object> letGo) {
    String key = "S".repeat(2); // not a literal, which stays
    letGo.add(key, new Object());
    return new WeakReference<>(key);
  }
}
