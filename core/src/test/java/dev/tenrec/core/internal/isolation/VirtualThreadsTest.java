// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class VirtualThreadsTest {

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void before21_saysWhatIsNeeded() {
    String version = String.valueOf(Runtime.version().feature());
    assertThat(VirtualThreads.supported()).isFalse();
    assertThatThrownBy(() -> VirtualThreads.requireSupported("command GetQuote"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "command GetQuote: virtual threads need Java 21, this is "
                + version
                + "; use threadPool or semaphore");
    assertThatThrownBy(() -> VirtualThreads.start("GetQuote", () -> {}))
        .hasMessageContaining("need Java 21");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void from21_startsANamedVirtualThreadThatInheritsNothing() throws Exception {
    InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
    inheritable.set("from the caller");
    AtomicReference<String> seen = new AtomicReference<>("unset");
    assertThatCode(() -> VirtualThreads.requireSupported("command GetQuote"))
        .doesNotThrowAnyException();

    Thread thread = VirtualThreads.start("GetQuote", () -> seen.set(inheritable.get()));
    thread.join();

    assertThat(VirtualThreads.supported()).isTrue();
    assertThat(thread.getName()).isEqualTo("tenrec-GetQuote");
    assertThat(thread.toString()).contains("VirtualThread");
    assertThat(seen.get()).isNull();
  }
}
