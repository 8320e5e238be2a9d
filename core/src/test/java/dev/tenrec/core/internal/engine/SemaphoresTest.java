// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SemaphoresTest {

  private final Configuration configuration = Configuration.open(new NoSettings());
  private final Semaphores semaphores =
      new Semaphores(configuration, new Inventory(configuration::afterwards, (what, thrown) -> {}));

  @AfterEach
  void close() {
    configuration.close();
  }

  private static NamedShare of(int permits) {
    return new NamedShare(
        "S", CodeSettings.semaphore().set(SemaphoreProperties.MAX_CONCURRENT, permits).build());
  }

  private Permits share(NamedShare said) {
    return Objects.requireNonNull(semaphores.share(said)).permits();
  }

  /** Else the calls of before and those of new permits would be twice as many as allowed. */
  @Test
  void permitsThatWereLetGoOf_andCannotBeTakenUpAgain_areTakenUpLater() {
    Permits before = share(of(1));
    assertThat(before.tryTake()).isTrue();
    semaphores.release(of(1));
    NamedShare wrong = new NamedShare("S", CodeSettings.pool().build());
    assertThatThrownBy(() -> semaphores.share(wrong)).isInstanceOf(IllegalArgumentException.class);

    assertThat(share(of(1))).isSameAs(before);
    assertThat(before.tryTake()).isFalse();
  }

  /** By a call that has read its command's plan before that was removed. */
  @Test
  void permitsThatWereLetGoOf_letNobodyIn() {
    Permits before = share(of(1));
    semaphores.release(of(1));
    assertThat(before.tryTake()).isFalse();
  }

  /** Settings that change, whatever is closed. */
  private static final class Changing implements SettingsSource {

    private volatile Runnable onChange = () -> {};
    private volatile int permits = 1;

    void set(int changed) {
      permits = changed;
      onChange.run();
    }

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of("tenrec.semaphore.S.maxConcurrentRequests", "" + permits);
    }

    @Override
    public Subscription subscribe(Runnable subscriber) {
      onChange = subscriber;
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Test
  @Tag("race")
  void changes_afterAllWasShut_letNobodyIn() {
    Changing source = new Changing();
    try (Configuration changing = Configuration.open(source)) {
      Semaphores subject =
          new Semaphores(changing, new Inventory(changing::afterwards, (what, thrown) -> {}));
      Permits permits = Objects.requireNonNull(subject.share(of(1))).permits();
      assertThat(permits.limit()).isOne();
      subject.shut();
      Thread changes =
          Elsewhere.start(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  source.set(2 + i % 2);
                }
              });
      while (changes.isAlive()) {
        assertThat(permits.tryTake()).isFalse();
      }
    }
  }

  /** The closing thread has gone through what there was by then. */
  @Test
  void permitsThatAreMadeAfterAllWasShut_areNone() {
    semaphores.shut();

    assertThat(share(of(1)).tryTake()).isFalse();
  }
}
