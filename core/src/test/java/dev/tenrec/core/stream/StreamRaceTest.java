// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;

/**
 * Thousands of streams whose ends, limits, cancellations and demands race: each ends once, in
 * order, with all it had, and leaves nothing.
 */
@Tag("race")
@OwnThread
class StreamRaceTest {

  private static final int STREAMS = 4_000;
  private static final int AT_ONCE = 64;

  /** Where the items of a fallback begin. */
  private static final int FALLBACK = 1_000;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(4, 10_000).build());
  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong items = new AtomicLong();
  private final AtomicLong fallbackItems = new AtomicLong();

  /** How a source goes: so many items, and then. */
  private enum Then {
    COMPLETE,
    FAIL,
    HANG
  }

  private record Script(int count, Then then, int fallbackCount) {

    static Script random() {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      Then then = Then.values()[random.nextInt(3)];
      return new Script(random.nextInt(20), then, random.nextInt(-1, 5));
    }

    Flowable<Integer> source() {
      Flowable<Integer> rest =
          switch (then) {
            case COMPLETE -> Flowable.empty();
            case FAIL -> Flowable.error(new IOException("told to fail"));
            case HANG -> Flowable.never();
          };
      return Flowable.range(0, count).concatWith(rest).subscribeOn(Schedulers.computation());
    }

    Flowable<Integer> fallback() throws IOException {
      if (fallbackCount < 0) {
        throw new IOException("no fallback either");
      }
      return Flowable.range(FALLBACK, fallbackCount).subscribeOn(Schedulers.computation());
    }
  }

  private final class Checker implements FlowableSubscriber<Integer> {
    private final Script script;
    private final AtomicBoolean inside = new AtomicBoolean();
    private final AtomicInteger ends = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicLong asked = new AtomicLong();
    private final List<Integer> got = new ArrayList<>();
    private volatile @Nullable Subscription subscription;

    private Checker(Script script) {
      this.script = script;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
    }

    void request(long n) {
      asked.addAndGet(n);
      subscription.request(n);
    }

    void cancel() {
      cancelled.set(true);
      subscription.cancel();
      over.countDown();
    }

    @Override
    public void onNext(Integer item) {
      enter();
      got.add(item);
      (item >= FALLBACK ? fallbackItems : items).incrementAndGet();
      if (got.size() > asked.get()) {
        wrong.add("more than asked for: " + got);
      }
      if (ends.get() > 0) {
        wrong.add("an item after the end: " + item);
      }
      inside.set(false);
    }

    @Override
    public void onComplete() {
      ended(null);
    }

    @Override
    public void onError(Throwable thrown) {
      ended(thrown);
    }

    private void enter() {
      if (!inside.compareAndSet(false, true)) {
        wrong.add("two signals at once");
      }
    }

    private void ended(@Nullable Throwable thrown) {
      enter();
      if (ends.incrementAndGet() > 1) {
        wrong.add("ended twice");
      }
      if (!inOrder(thrown == null)) {
        wrong.add(script + " ended with " + thrown + " after " + got);
      }
      if (thrown != null
          && !(thrown instanceof IOException)
          && !(thrown instanceof CommandTimeoutException)
          && !(thrown instanceof CancellationException)) {
        wrong.add("unexpected: " + thrown);
      }
      inside.set(false);
      over.countDown();
    }

    private boolean inOrder(boolean completed) {
      long own = got.stream().filter(item -> item < FALLBACK).count();
      long other = got.size() - own;
      for (int i = 0; i < got.size(); i++) {
        if (got.get(i) != (i < own ? i : FALLBACK + i - own)) {
          return false;
        }
      }
      if (!completed) {
        return true;
      }
      boolean all = script.then == Then.COMPLETE && own == script.count && other == 0;
      return all || other == script.fallbackCount;
    }
  }

  private StreamCommand<Script, Integer> command(Isolation isolation) {
    return tenrec
        .streamCommand("Raced", Script::source)
        .isolation(isolation)
        .withoutCircuitBreaker()
        .fallbackLimit(10_000)
        .timeout(Duration.ofMillis(3))
        .betweenItemsTimeout(Duration.ofMillis(2))
        .fallback((script, cause) -> script.fallback())
        .build();
  }

  @Test
  void onASemaphore_everyStreamEndsOnce() throws Exception {
    race(command(Isolation.semaphore(10_000)));
  }

  @Test
  void onAPool_everyStreamEndsOnce() throws Exception {
    race(command(Isolation.threadPool().coreSize(8).queueSize(10_000)));
  }

  private void race(StreamCommand<Script, Integer> command) throws Exception {
    for (int done = 0; done < STREAMS; done += AT_ONCE) {
      List<Checker> checkers = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        Checker checker = new Checker(Script.random());
        checkers.add(checker);
        command.toFlowable(checker.script).subscribe(checker);
        executor.execute(() -> ask(checker));
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
          executor.execute(checker::cancel);
        }
      }
      for (Checker checker : checkers) {
        assertThat(checker.over.await(PatientWaits.seconds(), TimeUnit.SECONDS))
            .as("%s", checker.script)
            .isTrue();
      }
    }
    executor.shutdown();
    assertThat(executor.awaitTermination(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    LeakGuard.assertQuiet(tenrec);
    assertThat(wrong).isEmpty();
    int rounds = (STREAMS + AT_ONCE - 1) / AT_ONCE;
    Account unused = Account.settled(command.view(), (long) rounds * AT_ONCE, "streams");
    Scenario.await()
        .untilAsserted(
            () -> {
              assertThat(command.view().cumulativeCount(EventType.EMIT)).isEqualTo(items.get());
              assertThat(command.view().cumulativeCount(EventType.FALLBACK_EMIT))
                  .isEqualTo(fallbackItems.get());
            });
  }

  private static void ask(Checker checker) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = random.nextInt(6); i > 0; i--) {
      checker.request(1 + random.nextInt(4));
    }
    checker.request(100); // enough, or one that is asked for nothing would never end
  }
}
