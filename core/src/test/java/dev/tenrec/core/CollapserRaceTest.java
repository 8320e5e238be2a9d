// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.work.BatchResult;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * 100,000 members over 1,000 requests from 8 threads, with cancellations, requests that close over
 * their waiting members, failing shards, missing answers, throwing maps and cache hits: each member
 * is answered exactly once, and with its own.
 */
@Tag("race")
class CollapserRaceTest {

  private static final int THREADS = 8;
  private static final int REQUESTS = 1_000;
  private static final int TASKS_PER_REQUEST = 4;
  private static final int MEMBERS_PER_TASK = 25;
  private static final int MEMBERS_PER_REQUEST = TASKS_PER_REQUEST * MEMBERS_PER_TASK;
  private static final int MEMBERS = REQUESTS * MEMBERS_PER_REQUEST;

  /** Fewer than the members of a request: some of them are asked for twice. */
  private static final int IDS = 40;

  private static final int FAILING_SHARD = 3;
  private static final int MISSING = 5;
  private static final int FAILING_ALONE = 7;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.create());

  /** Whose request it is: what a batch answers for. Only its own members may get to see it. */
  private final RequestVariable<String> name = tenrec.requestVariable(() -> "nobody's", gone -> {});

  private final Collapser<Integer, String> collapser =
      tenrec
          .collapser("Race", this::answer)
          .isolation(Isolation.threadPool().coreSize(4).queueSize(100_000))
          .withoutTimeout()
          .withoutCircuitBreaker()
          .timerDelay(Duration.ofMillis(1))
          .maxRequestsInBatch(25)
          .shards(id -> id % 10 == FAILING_SHARD)
          .cacheKey(id -> id % 2 == 0 || id % 10 == FAILING_SHARD ? id : null)
          .build();

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final AtomicReference<String> wrong = new AtomicReference<>();
  private final LongAdder answered = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final AtomicInteger closedEarly = new AtomicInteger();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();

  /** A shard that fails, answers that are missing, members that fail alone, maps that throw. */
  private Map<Integer, String> answer(List<Integer> ids) {
    if (ids.get(0) % 10 == FAILING_SHARD) {
      throw new IllegalArgumentException("shard");
    }
    String whose = name.get();
    BatchResult<Integer, String> result = BatchResult.empty();
    for (int id : ids) {
      if (id % 10 == FAILING_ALONE) {
        result.failed(id, new Exception(whose + id));
      } else if (id % 10 != MISSING) {
        result.answered(id, whose + id);
      }
    }
    if (ids.size() % 13 != 0) {
      return result;
    }
    return new AbstractMap<>() {
      @Override
      public Set<Entry<Integer, String>> entrySet() {
        throw new IllegalStateException("map");
      }
    };
  }

  /** One request, and all its calls. */
  private final class Visit {
    private final int number;
    private final String name;
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /**
     * Written by the thread that closes it too early, before that; read by the threads that got an
     * error.
     */
    private volatile boolean closedEarly;

    private final CountDownLatch allEnded = new CountDownLatch(MEMBERS_PER_REQUEST);

    Visit(int number) {
      this.number = number;
      this.name = "request " + number + ", id ";
    }

    /** On a thread of its own request; its tasks run on several others. */
    void run() throws InterruptedException {
      try (RequestContext request = tenrec.openRequest()) {
        CollapserRaceTest.this.name.set(name);
        for (int task = 0; task < TASKS_PER_REQUEST; task++) {
          Random random = new Random(number * TASKS_PER_REQUEST + task);
          threads.execute(request.wrap(() -> call(random, request)));
        }
        if (!allEnded.await(PatientWaits.seconds(), TimeUnit.SECONDS)) {
          wrong.set(name + "..: a member was not notified");
        }
      }
    }

    private void call(Random random, RequestContext request) {
      List<Call> later = new ArrayList<>();
      for (int i = 0; i < MEMBERS_PER_TASK; i++) {
        Call call = new Call(this, random.nextInt(IDS));
        calls.add(call);
        collapser.join(call.id, call);
        if (random.nextInt(4) == 0) {
          later.add(call);
        }
        if (random.nextInt(8) == 0) {
          later.forEach(Call::cancel);
          later.clear();
        }
        if (random.nextInt(800) == 0) {
          CollapserRaceTest.this.closedEarly.incrementAndGet();
          closedEarly = true;
          request.close();
        }
      }
      later.forEach(Call::cancel);
    }
  }

  /** One member, and what it got. */
  private final class Call extends Member<String> {
    final Visit visit;
    final int id;
    final AtomicInteger endings = new AtomicInteger();

    Call(Visit visit, int id) {
      this.visit = visit;
      this.id = id;
    }

    void cancel() {
      if (leave()) {
        cancelled.increment();
        end();
      }
    }

    @Override
    public void onValue(String value) {
      boolean failing = id % 10 == FAILING_SHARD || id % 10 == MISSING || id % 10 == FAILING_ALONE;
      if (failing || !value.equals(visit.name + id)) {
        wrong.set(visit.name + id + " got " + value);
      }
      answered.increment();
      end();
    }

    @Override
    public void onError(Throwable error) {
      boolean closed = visit.closedEarly;
      boolean anyones =
          error instanceof CancellationException && closed // over it
              || error instanceof IllegalStateException
                  && (closed || "map".equals(error.getMessage()));
      boolean own =
          switch (id % 10) {
            case FAILING_SHARD -> error instanceof IllegalArgumentException;
            case MISSING -> error instanceof MissingAnswerException;
            case FAILING_ALONE -> error.getMessage().equals(visit.name + id);
            default -> false;
          };
      if (!anyones && !own) {
        wrong.set(visit.name + id + " got " + error);
      }
      end();
    }

    private void end() {
      endings.incrementAndGet();
      visit.allEnded.countDown();
    }
  }

  private void visitAll(AtomicInteger next) {
    try {
      for (int number; (number = next.getAndIncrement()) < REQUESTS && wrong.get() == null; ) {
        Visit visit = new Visit(number);
        visits.add(visit);
        visit.run();
      }
    } catch (Throwable thrown) {
      wrong.set(thrown.toString());
    }
  }

  @Test
  void everyMember_whateverHappens_isAnsweredOnceWithItsOwn() throws Exception {
    AtomicInteger next = new AtomicInteger();
    List<Thread> openers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      openers.add(new Thread(() -> visitAll(next), "opener-" + i));
    }
    openers.forEach(Thread::start);
    for (Thread opener : openers) {
      opener.join();
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(wrong.get()).isNull();
    assertThat(visits.stream().flatMap(visit -> visit.calls.stream()))
        .hasSize(MEMBERS)
        .allMatch(call -> call.endings.get() == 1);
    assertThat(answered.sum()).as("most are answered").isGreaterThan(MEMBERS / 4);
    assertThat(cancelled.sum()).isPositive();
    assertThat(closedEarly.get()).isPositive();
    assertThat(collapser.view().cumulativeCacheHits()).isPositive();
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(() -> assertThat(collapser.batchView().concurrency()).isZero());
  }
}
