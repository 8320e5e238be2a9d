// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Waits for instances, in time that passes where it waits, and only there. */
class RolloutWatchTest {

  /** As the thread's own permit: a wake-up ends the next wait, whatever is waited for. */
  private static final class PassingTime implements Ticker, Waiter {

    private long nowNanos;
    private boolean woken;

    @Override
    public long nanoTime() {
      return nowNanos;
    }

    @Override
    public void awaitUntil(long deadlineNanos) {
      if (!woken) {
        nowNanos = Math.max(nowNanos, deadlineNanos);
      }
      woken = false;
    }

    @Override
    public void wake(Thread thread) {
      woken = true;
    }
  }

  private final PassingTime time = new PassingTime();
  private final MemoryStore engine = new MemoryStore();
  private final FleetStore instances = engine.connect("instance");

  /** What happens after the reports were read, one for each time. */
  private final Queue<Runnable> afterReading = new ArrayDeque<>();

  private void report(String id, long version) {
    instances.announce(
        "applied/" + id, "{\"id\":\"" + id + "\",\"version\":" + version + ",\"lineage\":\"a\"}");
  }

  /** A store that waits for its engine as a client of a network does: it is woken for that. */
  private FleetStore waitingStore() {
    FleetStore store = engine.connect("operator");
    return (FleetStore)
        Proxy.newProxyInstance(
            FleetStore.class.getClassLoader(),
            new Class<?>[] {FleetStore.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(store, arguments);
              Runnable then = method.getName().equals("readAll") ? afterReading.poll() : null;
              if (then != null) {
                then.run();
                time.woken = false; // the wait for the answer was ended by it
              }
              return answer;
            });
  }

  private Rollout rollout(long version) {
    return RolloutWatch.await(waitingStore(), version, Duration.ofSeconds(30), time, time);
  }

  @Test
  void report_thatComesWhileOthersAreRead_isLookedAtAtOnce() {
    report("i-1", 2);
    report("i-2", 1);
    afterReading.add(() -> report("i-2", 2));
    assertThat(rollout(2).applied()).containsExactly("i-1", "i-2");
    assertThat(time.nowNanos).isPositive().isLessThan(RolloutWatch.LOOK_ANYWAY_NANOS);
  }

  @Test
  void report_ofWhichNothingWasSaid_isLookedAtInTheEnd() {
    report("i-1", 1);
    FleetStore silent = waitingStore();
    afterReading.add(() -> {}); // a look before which nothing has come
    afterReading.add(() -> report("i-1", 2));
    Rollout rollout = RolloutWatch.await(silent, 2, Duration.ofSeconds(30), time, time);
    assertThat(rollout.isComplete()).isTrue();
    assertThat(time.nowNanos).isGreaterThanOrEqualTo(RolloutWatch.LOOK_ANYWAY_NANOS);
  }

  @Test
  void patience_thatIsOver_saysWhoIsWaitedFor() {
    report("i-1", 1);
    Rollout rollout = rollout(2);
    assertThat(rollout.waiting()).containsOnlyKeys("i-1");
    assertThat(time.nowNanos).isEqualTo(Duration.ofSeconds(30).toNanos());
  }

  @Test
  void patience_beyondAllBounds_isNoneOrAllThereIs() {
    report("i-1", 1);
    FleetStore store = waitingStore();
    afterReading.add(() -> {});
    afterReading.add(() -> report("i-1", 2));
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    assertThat(RolloutWatch.await(store, 2, longest, time, time).isComplete()).isTrue();

    Duration negative = Duration.ofSeconds(Long.MIN_VALUE);
    assertThat(RolloutWatch.await(store, 3, negative, time, time).waiting())
        .containsOnlyKeys("i-1");
  }
}
