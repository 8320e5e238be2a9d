// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.metrics.PatientWaits;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a factory remembers of its circuit breakers; here a flag, which says that it is removed. */
class CreatedTest {

  private final Created<AtomicBoolean> created = new Created<>(AtomicBoolean::get);

  @Test
  void get_whileAnotherThreadMakesIt_makesItByThatOnesDescription() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean before = new AtomicBoolean();
    Supplier<AtomicBoolean> description =
        () -> {
          if (before.compareAndSet(false, true)) {
            making.countDown();
            await(goOn);
          }
          return new AtomicBoolean();
        };
    FutureTask<AtomicBoolean> first =
        new FutureTask<>(() -> created.get("quotes", () -> description));
    Thread thread = new Thread(first, "creating");
    thread.setDaemon(true);
    thread.start();
    await(making);

    AtomicBoolean second =
        created.get(
            "quotes",
            () -> {
              throw new AssertionError("it is described already");
            });
    goOn.countDown();

    assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isSameAs(second);
  }

  /** The one that fails does not have forgotten what the other one makes. */
  @Test
  void get_thatFailsWhileAnotherThreadMakesIt_leavesItToThatOne() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean before = new AtomicBoolean();
    AtomicBoolean made = new AtomicBoolean();
    Supplier<AtomicBoolean> description =
        () -> {
          if (!before.compareAndSet(false, true)) {
            throw new IllegalStateException("no memory");
          }
          making.countDown();
          await(goOn);
          return made;
        };
    FutureTask<AtomicBoolean> first =
        new FutureTask<>(() -> created.get("quotes", () -> description));
    Thread thread = new Thread(first, "creating");
    thread.setDaemon(true);
    thread.start();
    await(making);

    assertThatThrownBy(() -> created.get("quotes", () -> AtomicBoolean::new))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no memory");
    assertThatThrownBy(() -> created.requireNone("quotes"))
        .as("it is being made")
        .isInstanceOf(IllegalStateException.class);
    goOn.countDown();

    assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isSameAs(made);
    assertThat(created.get("quotes", () -> AtomicBoolean::new)).isSameAs(made);
    assertThat(created.size()).isOne();
  }

  @Test
  void get_thatFailsInAllThreads_describesItAnew() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean before = new AtomicBoolean();
    Supplier<AtomicBoolean> description =
        () -> {
          if (before.compareAndSet(false, true)) {
            making.countDown();
            await(goOn);
          }
          throw new IllegalStateException("too many keys");
        };
    FutureTask<AtomicBoolean> first =
        new FutureTask<>(() -> created.get("quotes", () -> description));
    Thread thread = new Thread(first, "creating");
    thread.setDaemon(true);
    thread.start();
    await(making);
    assertThatThrownBy(() -> created.get("quotes", () -> AtomicBoolean::new))
        .hasMessageContaining("too many keys");
    goOn.countDown();

    assertThatThrownBy(() -> first.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasStackTraceContaining("too many keys");
    created.requireNone("quotes");
    AtomicBoolean made = new AtomicBoolean();
    assertThat(created.get("quotes", () -> () -> made)).isSameAs(made);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void get_ofOneThatCouldNotBeMade_describesItAnew() {
    assertThatThrownBy(
            () ->
                created.get(
                    "quotes",
                    () ->
                        () -> {
                          throw new IllegalStateException("too many keys");
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"quotes\" cannot be created: too many keys");
    assertThat(created.size()).isZero();
    created.requireNone("quotes");

    AtomicBoolean made = new AtomicBoolean();
    assertThat(created.get("quotes", () -> () -> made)).isSameAs(made);
  }

  @Test
  void thousandIds_removedAndHeldByNobody_areForgotten() {
    AtomicBoolean there = created.get("there", () -> AtomicBoolean::new);
    AtomicBoolean held = created.get("held", () -> AtomicBoolean::new);
    held.set(true);

    for (int i = 0; i < 1_000; i++) {
      created.get("passing" + i, () -> AtomicBoolean::new).set(true);
    }

    Awaitility.await()
        .untilAsserted(
            () -> {
              System.gc();
              created.get("later" + created.size(), () -> AtomicBoolean::new).set(true);
              assertThat(created.size()).isLessThan(100);
            });
    assertThat(created.get("there", () -> AtomicBoolean::new)).isSameAs(there);
    assertThat(created.get("held", () -> AtomicBoolean::new)).isSameAs(held);
  }

  /** A call has brought its key back meanwhile. */
  @Test
  void get_ofOneThatIsThereAgain_keepsItAgain() {
    AtomicBoolean there = created.get("there", () -> AtomicBoolean::new);
    there.set(true);
    for (int i = 0; i < 100; i++) {
      created.get("passing" + i, () -> AtomicBoolean::new).set(true);
    }
    there.set(false);
    assertThat(created.get("there", () -> AtomicBoolean::new)).isSameAs(there);

    WeakReference<AtomicBoolean> known = new WeakReference<>(there);
    there = null;
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return garbage.get() == null;
            });
    assertThat(known.get()).isNotNull();
  }
}
