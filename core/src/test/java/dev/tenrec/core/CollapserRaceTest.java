// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.work.BatchResult;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * 100,000 members over 1,000 requests from 8 threads, with cancellations, requests that end,
 * failing shards, missing answers and throwing maps: each member is answered exactly once, and with
 * its own.
 */
@Tag("race")
class CollapserRaceTest {

  private static final int MEMBERS = 100_000;
  private static final int THREADS = 8;
  private static final int REQUESTS = 1_000;
  private static final int IDS = 40;

  private static final int FAILING_SHARD = 3;

  /** What is asked for: an id, in a request; equal within one request only. */
  record Ask(String request, int id) {}

  /** One call, and what it was told. */
  private static final class Call extends Member<String> {
    final Ask ask;
    final AtomicInteger told = new AtomicInteger();
    final AtomicReference<String> wrong;
    final CountDownLatch open;
    final LongAdder answered;

    /** Written and read by its caller's thread, then by the test after the join. */
    boolean left;

    Call(Ask ask, AtomicReference<String> wrong, CountDownLatch open, LongAdder answered) {
      this.ask = ask;
      this.wrong = wrong;
      this.open = open;
      this.answered = answered;
    }

    @Override
    public void onValue(String value) {
      if (!value.equals(answerTo(ask)) || expectsError(ask.id)) {
        wrong.set(ask + " got " + value);
      }
      answered.increment();
      tell();
    }

    @Override
    public void onError(Throwable error) {
      boolean anyones =
          error instanceof CancellationException
              || error instanceof CommandRejectedException
              || error instanceof IllegalStateException; // its request's map threw, or had ended
      boolean own =
          switch (ask.id % 10) {
            case FAILING_SHARD -> error instanceof IllegalArgumentException;
            case 5 -> error instanceof MissingAnswerException;
            case 7 -> error.getMessage().equals(answerTo(ask));
            default -> false;
          };
      if (!anyones && !own) {
        wrong.set(ask + " got " + error);
      }
      tell();
    }

    private void tell() {
      if (told.incrementAndGet() > 1) {
        wrong.set(ask + " was told twice");
      }
      open.countDown();
    }
  }

  private static String answerTo(Ask ask) {
    return ask.request + "/" + ask.id;
  }

  private static boolean expectsError(int id) {
    return id % 10 == FAILING_SHARD || id % 10 == 5 || id % 10 == 7;
  }

  /** A shard that fails, answers that are missing, members that fail alone, maps that throw. */
  private static Map<Ask, String> answer(List<Ask> asks) {
    if (asks.get(0).id % 10 == FAILING_SHARD) {
      throw new IllegalArgumentException("shard");
    }
    BatchResult<Ask, String> result = BatchResult.empty();
    for (Ask ask : asks) {
      if (ask.id % 10 == 7) {
        result.failed(ask, new Exception(answerTo(ask)));
      } else if (ask.id % 10 != 5) {
        result.answered(ask, answerTo(ask));
      }
    }
    if (asks.size() % 13 != 0) {
      return result;
    }
    return new AbstractMap<>() {
      @Override
      public Set<Entry<Ask, String>> entrySet() {
        throw new IllegalStateException("map");
      }
    };
  }

  @Test
  @Timeout(60)
  void everyMember_whateverHappens_isAnsweredOnceWithItsOwn() throws Exception {
    try (Tenrec tenrec = Tenrec.create()) {
      ClosingScopes<Ask, String> requests = new ClosingScopes<>();
      Collapser<Ask, String> collapser =
          tenrec
              .collapser("Race", CollapserRaceTest::answer)
              .isolation(Isolation.threadPool().coreSize(4).queueSize(100_000))
              .withoutTimeout()
              .withoutCircuitBreaker()
              .timerDelay(Duration.ofMillis(1))
              .maxRequestsInBatch(25)
              .shards(ask -> ask.id % 10 == FAILING_SHARD)
              .scope(requests)
              .build();
      AtomicReference<String> wrong = new AtomicReference<>();
      CountDownLatch open = new CountDownLatch(MEMBERS);
      LongAdder answered = new LongAdder();
      AtomicInteger ended = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      List<List<Call>> calls = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        List<Call> mine = new ArrayList<>();
        calls.add(mine);
        java.util.Random random = new java.util.Random(t);
        Thread thread =
            new Thread(
                () -> {
                  List<Runnable> later = new ArrayList<>();
                  for (int i = 0; i < MEMBERS / THREADS; i++) {
                    String request = "r" + random.nextInt(REQUESTS);
                    requests.enter(request);
                    Ask ask = new Ask(request, random.nextInt(IDS));
                    Call call = new Call(ask, wrong, open, answered);
                    mine.add(call);
                    collapser.join(ask, call);
                    if (random.nextInt(4) == 0) {
                      later.add(
                          () -> {
                            call.left = call.leave();
                            if (call.left) {
                              open.countDown();
                            }
                          });
                    }
                    if (random.nextInt(8) == 0) {
                      later.forEach(Runnable::run);
                      later.clear();
                    }
                    if (random.nextInt(200) == 0) {
                      requests.end(request);
                      ended.incrementAndGet();
                    }
                  }
                  later.forEach(Runnable::run);
                },
                "race-" + t);
        threads.add(thread);
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(open.await(20, TimeUnit.SECONDS)).as("nobody hangs").isTrue();
      assertThat(wrong.get()).isNull();
      assertThat(calls.stream().flatMap(List::stream))
          .hasSize(MEMBERS)
          .allMatch(call -> call.told.get() == (call.left ? 0 : 1));
      assertThat(answered.sum()).as("most are answered").isGreaterThan(MEMBERS / 4);
      assertThat(ended.get()).isPositive();
      assertThat(collapser.batchView().concurrency()).isZero();
    }
  }
}
