// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.work.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** What the commands of a {@link ChaosWorld} do: everything that work may do, and some more. */
final class ChaosWork {

  /**
   * Whether user code may be stuck, and does not only throw or take its time, in what a batch calls
   * before its work: arguments' {@code equals} and {@code hashCode}, and what divides it.
   */
  private static final boolean STUCK_IN_BATCHES = Boolean.getBoolean("tenrec.chaos.batches");

  /** What it is called with, and answers with: nobody should print it. */
  static final class Thing {

    private final Mischief mischief;
    final int number;

    Thing(Mischief mischief, int number) {
      this.mischief = mischief;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      inBatches(mischief, "equals");
      return other instanceof Thing thing && thing.number == number;
    }

    @Override
    public int hashCode() {
      inBatches(mischief, "hashCode");
      return number;
    }

    @Override
    public String toString() {
      mischief.maybe("toString");
      if (mischief.isHostile()) {
        throw new IllegalStateException("a toString that always throws");
      }
      return "thing " + number;
    }
  }

  /** By what a rate is limited. */
  static final class Key {

    private final Mischief mischief;
    private final int number;

    private Key(Mischief mischief, int number) {
      this.mischief = mischief;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      mischief.maybeBriefly("equals of a key"); // two keys of one hash compare under a map's lock
      return other instanceof Key key && key.number == number;
    }

    @Override
    public int hashCode() {
      mischief.maybe("hashCode of a key");
      return number % 3;
    }
  }

  private static void inBatches(Mischief mischief, String where) {
    if (STUCK_IN_BATCHES) {
      mischief.maybe(where);
    } else {
      mischief.maybeBriefly(where);
    }
  }

  private final Mischief mischief;

  ChaosWork(Mischief mischief) {
    this.mischief = mischief;
  }

  /** Which of three; may throw, and be null. */
  @Nullable Object shard(Thing thing) {
    inBatches(mischief, "shards");
    int shard = mischief.pick(4);
    return shard == 3 ? null : shard;
  }

  Key rateKey(Thing thing) {
    mischief.maybe("rate limit key");
    return new Key(mischief, thing.number % 10);
  }

  /** Now and then. */
  boolean is(String judgement) {
    mischief.maybe(judgement);
    return mischief.pick(10) == 0;
  }

  /** Mostly none; else so soon that there may be another attempt. */
  @Nullable Duration notBefore() {
    mischief.maybe("hint");
    return mischief.pick(3) == 0 ? Duration.ofMillis(mischief.pick(20)) : null;
  }

  Thing work(Thing thing, @Nullable Call call) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    if (call != null) {
      call.onCancel(
          () -> {
            stop.set(true);
            mischief.maybe("canceller");
          });
    }
    switch (mischief.pick(12)) {
      case 0:
        throw new IOException("failure");
      case 1:
        throw new BadRequestException("bad");
      case 2:
        throw new OutOfMemoryError("the work's own");
      case 3:
        Mischief.occupy(() -> park(stop, 60));
        break;
      case 4:
        Mischief.occupy(() -> LockSupport.parkNanos(2_000_000));
        break;
      default:
        Mischief.occupy(() -> mischief.maybe("work"));
    }
    return thing;
  }

  private static void park(AtomicBoolean stop, int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!stop.get() && System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  CompletableFuture<Thing> stage(Thing thing, Call call) {
    CompletableFuture<Thing> stage = new CompletableFuture<>();
    call.onCancel(() -> mischief.maybe("canceller"));
    switch (mischief.pick(6)) {
      case 0:
        stage.completeExceptionally(new IOException("failure"));
        break;
      case 1:
        break; // ends by its cancellation only
      case 2:
        stage.completeAsync(
            () -> thing,
            CompletableFuture.delayedExecutor(mischief.pick(60), TimeUnit.MILLISECONDS));
        break;
      default:
        stage.complete(thing);
    }
    return stage;
  }

  Map<Thing, Thing> batch(List<Thing> things) throws Exception {
    Map<Thing, Thing> answers = new HashMap<>();
    for (Thing thing : things) {
      if (mischief.pick(20) != 0) { // else it is missing
        answers.put(thing, thing);
      }
    }
    Thing unused = work(things.get(0), null);
    return answers;
  }

  /** Follows no rule that it could break. */
  Publisher<Thing> publisher(Thing thing) {
    mischief.maybe("publisher");
    return subscriber -> {
      mischief.maybe("subscribe");
      subscriber.onSubscribe(
          new Subscription() {
            @Override
            public void request(long items) {
              send(subscriber, thing);
            }

            @Override
            public void cancel() {
              mischief.maybe("cancel of a subscription");
            }
          });
    };
  }

  private void send(Subscriber<? super Thing> subscriber, Thing thing) {
    mischief.maybe("request");
    switch (mischief.pick(5)) {
      case 0:
        subscriber.onError(new IOException("failure"));
        subscriber.onComplete();
        break;
      case 1:
        break; // never ends
      case 2:
        subscriber.onNext(thing);
        subscriber.onNext(thing);
        subscriber.onComplete();
        subscriber.onNext(thing);
        break;
      default:
        subscriber.onNext(thing);
        subscriber.onComplete();
    }
  }
}
