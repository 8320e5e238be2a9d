// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The main class of a JVM in which signals come, and time-outs, while there is no memory at all:
 * what was set on the way before the memory was wanted must not keep the ending from coming later.
 * Says what was not so, and exits with 1.
 */
final class WithoutMemoryChild {

  private static final long GUARD_SECONDS = PatientWaits.seconds();

  /** For how long it goes on without memory. */
  private static final long WITHOUT_MILLIS = 2_000;

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final IOException FAILURE = new IOException("of the work");

  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
  private final List<Stream> streams = new ArrayList<>();
  private final List<Interrupted> interrupted = new ArrayList<>();
  private final List<Metrics> metrics = new ArrayList<>();

  /** What comes to a stream while there is no memory. */
  private enum Signal {
    COMPLETE,
    ERROR,
    CANCEL,
    /** Nothing: its deadline comes. */
    NONE
  }

  /** A stream without items. */
  private final class Stream implements Publisher<Integer>, FlowableSubscriber<Integer> {

    private final StreamCommand<Integer, Integer> command;
    private final Signal signal;

    private volatile @Nullable Subscriber<? super Integer> source;
    private volatile @Nullable Subscription subscription;
    private volatile boolean over;

    Stream(Signal signal, Duration timeout) {
      this.signal = signal;
      this.command =
          tenrec
              .streamCommand(
                  "Stream" + signal + timeout.toMillis(),
                  (Integer argument) -> (Publisher<Integer>) this)
              .isolation(Isolation.semaphore(2))
              .timeout(timeout)
              .withoutCircuitBreaker()
              .build();
    }

    void begin() {
      over = false;
      command.toFlowable(1).subscribe(this);
    }

    @Override
    public void subscribe(Subscriber<? super Integer> subscriber) {
      source = subscriber;
      subscriber.onSubscribe(
          new Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
          });
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(Integer item) {}

    @Override
    public void onError(Throwable thrown) {
      over = true;
    }

    @Override
    public void onComplete() {
      over = true;
    }

    /** It may find no memory, and does not come again. */
    void send() {
      if (signal == Signal.NONE) {
        return; // its deadline may have come before it began
      }
      Subscriber<? super Integer> to = source;
      Subscription from = subscription;
      if (to == null || from == null) {
        throw new AssertionError(command.key() + " did not begin");
      }
      if (signal == Signal.COMPLETE) {
        to.onComplete();
      } else if (signal == Signal.ERROR) {
        to.onError(FAILURE);
      } else if (signal == Signal.CANCEL) {
        from.cancel();
        over = true;
      }
    }

    boolean hasEnded() {
      return over && command.view().concurrency() == 0 && command.view().stillBusy() == 0;
    }
  }

  /** A caller that waits for its next attempt, and is interrupted there. */
  private final class Interrupted {

    private final Command<Integer, Integer> command;
    private final Thread caller = new Thread(this::call, "interrupted");

    Interrupted() {
      command =
          tenrec
              .command("Interrupted", WithoutMemoryChild::fail)
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(LONG)
              .retry(Retry.attempts(2).backoff(LONG, LONG).budget(100, 100))
              .withoutCircuitBreaker()
              .build();
      caller.setDaemon(true);
    }

    private void call() {
      try {
        command.execute(1);
      } catch (Throwable ending) { // one that may have found no memory to be made
        return;
      }
    }

    boolean waits() {
      return Inside.waitingForRetry(command.view()) == 1;
    }

    boolean hasEnded() {
      return !caller.isAlive()
          && command.view().cumulativeCount(EventType.CANCELLED) == 1
          && Inside.waitingForRetry(command.view()) == 0;
    }
  }

  private static Integer fail(Integer argument) throws IOException {
    throw FAILURE;
  }

  /** Hears of a command every ten milliseconds. */
  private final class Metrics implements FlowableSubscriber<Object> {

    private volatile long heard;
    private volatile boolean over;

    Metrics(Command<?, ?> command) {
      command.metricStreams().health(Duration.ofMillis(10)).subscribe(this);
    }

    @Override
    public void onSubscribe(Subscription given) {
      given.request(Long.MAX_VALUE);
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one thread at a time
    public void onNext(Object value) {
      heard++;
    }

    @Override
    public void onError(Throwable thrown) {
      throw new AssertionError(thrown);
    }

    @Override
    public void onComplete() {
      over = true;
    }
  }

  private WithoutMemoryChild() {
    streams.add(new Stream(Signal.COMPLETE, LONG));
    streams.add(new Stream(Signal.ERROR, LONG));
    streams.add(new Stream(Signal.CANCEL, LONG));
    for (int millis = 250; millis <= 3_000; millis += 250) { // some come without memory
      streams.add(new Stream(Signal.NONE, Duration.ofMillis(millis)));
    }
    interrupted.add(new Interrupted());
  }

  private void play() throws Exception {
    for (Stream stream : streams) { // once with memory: this is not about classes
      stream.begin();
      stream.send();
    }
    for (Stream stream : streams) {
      await(stream.command.key(), stream::hasEnded);
    }
    for (Interrupted one : interrupted) {
      one.caller.start();
      await("the wait of " + one.command.key(), one::waits);
      metrics.add(new Metrics(one.command));
    }
    for (Metrics one : metrics) {
      awaitMore(one);
    }
    for (Stream stream : streams) {
      stream.begin();
    }
    Ballast.take();
    for (int i = 0; i < streams.size(); i++) {
      try {
        streams.get(i).send();
      } catch (OutOfMemoryError e) {
        // its ending has to come nevertheless
      }
    }
    for (int i = 0; i < interrupted.size(); i++) {
      interrupted.get(i).caller.interrupt();
    }
    long end = System.nanoTime() + WITHOUT_MILLIS * 1_000_000;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    Ballast.drop();
    for (Stream stream : streams) {
      await(stream.command.key(), stream::hasEnded);
    }
    for (Interrupted one : interrupted) {
      await(one.command.key(), one::hasEnded);
    }
    for (Metrics one : metrics) {
      awaitMore(one);
    }
    var unused = tenrec.close(Duration.ofSeconds(5));
    for (Metrics one : metrics) {
      await("the end of metrics", () -> one.over);
    }
  }

  private static void awaitMore(Metrics one) {
    long before = one.heard;
    await("a value of metrics", () -> one.heard > before + 2);
  }

  private static void await(String what, BooleanSupplier ended) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    while (!ended.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("does not come: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Plays. */
  public static void main(String[] arguments) {
    try {
      new WithoutMemoryChild().play();
      System.out.println(ChildJvm.WELL);
      System.exit(0);
    } catch (Throwable thrown) {
      Ballast.drop();
      thrown.printStackTrace(System.out);
      System.exit(1);
    }
  }
}
