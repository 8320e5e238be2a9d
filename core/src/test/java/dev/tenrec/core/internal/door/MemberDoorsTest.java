// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.batch.BatchDoor;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldCallbacks;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the callers of one member of a batch hold: when they see its ending, and where. */
class MemberDoorsTest {

  private static final IOException DOWN = new IOException("down");

  /** Each kind of a member's future, as a future of the answer. */
  private enum Kind {
    ANSWER(
        door -> new MemberFuture.OfAnswer<Integer>(),
        (collapser, id) -> collapser.executeAsync(id),
        ending -> ending),
    OUTCOME(
        door -> new MemberFuture.OfOutcome<Integer>(door),
        (collapser, id) -> collapser.attemptAsync(id),
        ending -> {
          Outcome<?> outcome = (Outcome<?>) ending;
          return outcome.isAnswered() ? outcome.value() : outcome.error();
        });

    final Function<BatchDoor<Integer, Integer>, MemberFuture<Integer, ?>> made;
    final BiFunction<Collapser<Integer, Integer>, Integer, CompletableFuture<?>> called;
    final Function<@Nullable Object, @Nullable Object> ending;

    Kind(
        Function<BatchDoor<Integer, Integer>, MemberFuture<Integer, ?>> made,
        BiFunction<Collapser<Integer, Integer>, Integer, CompletableFuture<?>> called,
        Function<@Nullable Object, @Nullable Object> ending) {
      this.made = made;
      this.called = called;
      this.ending = ending;
    }

    /** What it is completed with: the answer, or the error. */
    @Nullable Object ending(CompletableFuture<?> future) {
      return future
          .<@Nullable Object>handle((value, error) -> error == null ? ending.apply(value) : error)
          .getNow("not completed");
    }
  }

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
  private final List<@Nullable Object> seen = new CopyOnWriteArrayList<>();

  /** Members that are to be delivered to again. */
  private final List<Member<?>> again = new ArrayList<>();

  private final Collapser<Integer, Integer> collapser =
      tenrec
          .<Integer, Integer>collapser(
              "Double",
              ids -> {
                worker.set(Thread.currentThread());
                return ids.stream().collect(Collectors.toMap(id -> id, id -> id * 2));
              })
          .globalScope()
          .build();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private MemberFuture<Integer, ?> future(Kind kind) {
    return kind.made.apply(
        new BatchDoor<>(
            InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime(),
            () -> {
              throw new AssertionError("it joins no batch");
            },
            null));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void future_ofAPublishedAnswer_isDone_andRunsNothingYet(Kind kind) {
    MemberFuture<Integer, ?> future = future(kind);
    future.thenAccept(seen::add);

    assertThat(future.member().publish(7, null)).isTrue();

    assertThat(future.isDone()).isTrue();
    assertThat(kind.ending.apply(future.join())).isEqualTo(7);
    assertThat(seen).isEmpty();

    future.member().deliver(again::add);
    assertThat(seen)
        .singleElement()
        .satisfies(ended -> assertThat(kind.ending.apply(ended)).isEqualTo(7));
    assertThat(again).isEmpty();
  }

  /** The stack may end where it is published: what is received is enough. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void future_thatWasShownNothing_isCompletedWithWhatItReceives(Kind kind) {
    MemberFuture<Integer, ?> answered = future(kind);
    answered.member().onValue(7);
    assertThat(kind.ending(answered)).isEqualTo(7);

    MemberFuture<Integer, ?> failed = future(kind);
    failed.member().onError(DOWN);
    assertThat(kind.ending(failed)).isSameAs(DOWN);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void future_withoutStackForWhatHangsOnIt_goesOnWithTheRest(Kind kind) {
    Unspeakable.assumeHeard();
    MemberFuture<Integer, ?> future = future(kind);
    future.thenRun(() -> seen.add("first"));
    future.thenRun(
        () -> {
          seen.add("second");
          throw new Unspeakable();
        });
    assertThat(future.member().publish(7, null)).isTrue();

    future.member().deliver(again::add);
    assertThat(seen).containsExactly("second");
    assertThat(again).containsExactly(future.member());

    Deliverer.HERE.deliver(future.member());
    assertThat(seen).containsExactly("second", "first");
  }

  /** By a thread that is in between settling it and showing it. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void cancel_ofADecidedMember_comesTooLate(Kind kind) {
    MemberFuture<Integer, ?> future = future(kind);

    assertThat(future.member().publish(7, null, () -> seen.add(future.cancel(true)))).isTrue();

    assertThat(seen).containsExactly(false);
    assertThat(future.isCancelled()).isFalse();
    assertThat(kind.ending.apply(future.join())).isEqualTo(7);
  }

  /** It may block there, and the batch's thread has the other members to answer. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void dependent_ofAMember_runsOnAnotherThreadThanItsBatch(Kind kind) {
    CompletableFuture<?> future = kind.called.apply(collapser, 1);
    future.thenRun(() -> seen.add(Thread.currentThread()));
    time.advanceMillis(10);

    Scenario.await().until(() -> !seen.isEmpty());
    assertThat(seen).doesNotContain(Objects.requireNonNull(worker.get()), Thread.currentThread());
    assertThat(kind.ending(future)).isEqualTo(2);
  }

  @Test
  void receiver_ofAMember_hasItsAnswerOrItsError() {
    Receiver<Integer> receiver =
        new Receiver<>() {
          @Override
          public void onValue(Integer value) {
            seen.add(value);
          }

          @Override
          public void onError(Throwable error) {
            seen.add(error);
          }
        };
    Member<Integer> answered = new NotifyingMember<>(receiver);
    Member<Integer> failed = new NotifyingMember<>(receiver);

    assertThat(answered.publish(7, null)).isTrue();
    assertThat(failed.publish(null, DOWN)).isTrue();
    assertThat(seen).isEmpty();
    answered.deliver(again::add);
    failed.deliver(again::add);

    assertThat(seen).containsExactly(7, DOWN);
  }

  /** It was settled before, and waited for a thread of its command's share. */
  @Test
  void receiver_thatIsDismissedBeforeItsMemberIsDelivered_hasNothing() {
    Receiver<Integer> receiver =
        new Receiver<>() {
          @Override
          public void onValue(Integer value) {
            seen.add(value);
          }

          @Override
          public void onError(Throwable error) {
            seen.add(error);
          }
        };
    Member<Integer> answered = new NotifyingMember<>(receiver);
    Member<Integer> failed = new NotifyingMember<>(receiver);
    assertThat(answered.publish(7, null)).isTrue();
    assertThat(failed.publish(null, DOWN)).isTrue();

    answered.dismiss();
    failed.dismiss();
    answered.deliver(again::add);
    failed.deliver(again::add);

    assertThat(seen).isEmpty();
    assertThat(again).isEmpty();
  }

  /** Each door that has something to dispose of. */
  private enum Disposed {
    RECEIVER {
      @Override
      Disposable begin(Collapser<Integer, Integer> collapser, List<@Nullable Object> seen) {
        return collapser.execute(
            1,
            new Receiver<>() {
              @Override
              public void onValue(Integer value) {
                seen.add(value);
              }

              @Override
              public void onError(Throwable error) {
                seen.add(error);
              }
            });
      }
    },
    SINGLE {
      @Override
      Disposable begin(Collapser<Integer, Integer> collapser, List<@Nullable Object> seen) {
        return begin(collapser.toSingle(1), seen);
      }
    },
    OUTCOME {
      @Override
      Disposable begin(Collapser<Integer, Integer> collapser, List<@Nullable Object> seen) {
        return begin(collapser.attemptSingle(1), seen);
      }
    };

    abstract Disposable begin(Collapser<Integer, Integer> collapser, List<@Nullable Object> seen);

    /** Without an operator in between, which would drop what comes when it is disposed. */
    static Disposable begin(Single<?> single, List<@Nullable Object> seen) {
      AtomicReference<Disposable> subscription = new AtomicReference<>();
      single.subscribe(
          new SingleObserver<Object>() {
            @Override
            public void onSubscribe(Disposable disposable) {
              subscription.set(disposable);
            }

            @Override
            public void onSuccess(Object value) {
              seen.add(value);
            }

            @Override
            public void onError(Throwable error) {
              seen.add(error);
            }
          });
      return subscription.get();
    }
  }

  @ParameterizedTest
  @EnumSource(Disposed.class)
  void member_disposedBetweenItsAnswerAndTheDelivery_receivesNothing(Disposed door) {
    HeldCallbacks callbacks = HeldCallbacks.open();
    Tenrec own = Tenrec.builder().time(time, time).callbackExecutor(callbacks).build();
    Collapser<Integer, Integer> held =
        own.<Integer, Integer>collapser(
                "Double",
                ids -> {
                  callbacks.hold();
                  return ids.stream().collect(Collectors.toMap(id -> id, id -> id * 2));
                })
            .globalScope()
            .build();
    Disposable handle = door.begin(held, seen);
    time.advanceMillis(10);
    callbacks.awaitHeld(1);

    handle.dispose();
    callbacks.letGo();

    callbacks.awaitOver();
    assertThat(seen).isEmpty();
    Elsewhere.close(own, time);
  }

  @Test
  void subscription_disposed_saysSo_andLeavesItsBatch() {
    AtomicReference<Disposable> subscription = new AtomicReference<>();
    Disposable unused =
        collapser.toSingle(1).doOnSubscribe(subscription::set).subscribe(seen::add, seen::add);
    assertThat(subscription.get().isDisposed()).isFalse();

    subscription.get().dispose();

    assertThat(subscription.get().isDisposed()).isTrue();
    time.advanceMillis(10);
    assertThat(collapser.view().cumulativeBatches()).isZero();
    assertThat(seen).isEmpty();
  }
}
