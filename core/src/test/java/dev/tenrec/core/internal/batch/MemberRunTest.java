// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.collapser.Place;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shared member's ending, when there is no memory for what is said of it besides. */
class MemberRunTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final RequestCache cache = new RequestCache();
  private final List<Member<?>> due = new ArrayList<>();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private CollapserRuntime runtime() {
    return runtime(tenrec);
  }

  private static CollapserRuntime runtime(Tenrec tenrec) {
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Batch", (List<Integer> ids) -> Map.of(1, 2)).globalScope().build();
    return InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime();
  }

  private static RecordingMember sharing(
      CollapserRuntime runtime, MemberRun<Integer> run, boolean first) {
    RecordingMember member = new RecordingMember();
    MemberShare<Integer> share = new MemberShare<>(runtime, member, run, first, null);
    member.waitAt(share);
    assertThat(run.join(share)).isTrue();
    return member;
  }

  /** A batch whose outcome cannot be made so many times. */
  private static Place<Integer> withoutMemory() {
    return new Place<>() {
      @Override
      public void left(Member<Integer> member) {}

      @Override
      public @Nullable Outcome<?> outcome() {
        throw new OutOfMemoryError("of the test");
      }

      @Override
      public boolean workBegan() {
        return true;
      }
    };
  }

  @Test
  void publish_withoutMemoryForTheOutcome_answersAllThatShare() throws Exception {
    CollapserRuntime runtime = runtime();
    MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
    assertThat(cache.putIfAbsent(runtime, "key", run)).isTrue();
    RecordingMember first = sharing(runtime, run, true);
    RecordingMember second = sharing(runtime, run, false);
    run.member().waitAt(withoutMemory());

    assertThat(run.member().publish(7, null)).isTrue();

    assertThat(first.isSettled()).isTrue();
    assertThat(second.isSettled()).isTrue();
    run.member().deliverApart(due::add);
    assertThat(due).as("all that share it were notified").isEmpty();
    assertThat(run.isStale()).as("whether a later call asks anew").isTrue();
    await().until(() -> cache.find(runtime, "key") == null);
    await().until(() -> first.endings.equals(List.of(7)) && second.endings.equals(List.of(7)));
  }

  /** Its request may stay open for long, and no call may ask for that key again. */
  @Test
  void left_byTheLastOfThoseThatShare_isForgotten() {
    CollapserRuntime runtime = runtime();
    MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
    assertThat(cache.putIfAbsent(runtime, "key", run)).isTrue();
    RecordingMember first = sharing(runtime, run, true);
    RecordingMember second = sharing(runtime, run, false);

    assertThat(first.leave()).isTrue();
    assertThat(run.member().isSettled()).isFalse();
    assertThat(cache.find(runtime, "key")).isSameAs(run);
    assertThat(second.leave()).isTrue();

    assertThat(run.member().isSettled()).isTrue();
    await().until(() -> cache.find(runtime, "key") == null);
  }

  /** A future that is kept would otherwise keep all that its request remembers. */
  @Test
  void member_thatHasItsAnswerOrHasLeft_letsGoOfTheRun() {
    CollapserRuntime runtime = runtime();
    MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
    RecordingMember answered = sharing(runtime, run, true);
    RecordingMember left = sharing(runtime, run, false);
    assertThat(left.leave()).isTrue();

    assertThat(run.member().publish(7, null)).isTrue();

    assertThat(run.result()).as("what would be asked").isNotNull();
    assertThat(answered.knowsWhereItWaited()).isFalse();
    assertThat(left.knowsWhereItWaited()).isFalse();
  }

  /** Its own deadline came first, so it has no part in the answer. */
  @Test
  void answer_thatComesTooLateForOneThatShares_isNoHitOfIt() {
    List<Object> reported = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onCacheHitEnd(
              ListenedCall call, @Nullable Object value, @Nullable Throwable error) {
            reported.add(Objects.requireNonNull(call.argument()));
          }
        };
    try (Tenrec listening = Unhurried.builder().listen(listener).build()) {
      CollapserRuntime runtime = runtime(listening);
      MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
      List<RecordingMember> members = new ArrayList<>();
      for (String argument : List.of("late", "in time")) {
        RecordingMember member = new RecordingMember();
        MemberShare<Integer> share =
            new MemberShare<>(runtime, member, run, false, new MemberHit(runtime, argument));
        member.waitAt(share);
        assertThat(run.join(share)).isTrue();
        members.add(member);
      }
      run.member().waitAt(endedWith(EventType.COLLAPSED));

      assertThat(members.get(0).expire(new IllegalStateException("late"))).isTrue();
      assertThat(run.member().publish(7, null)).isTrue();

      await().until(() -> reported.contains("in time"));
      assertThat(reported).containsExactly("in time");
      assertThat(runtime.metrics.cumulativeCacheHits()).isOne();
    }
  }

  /** A batch that ended so. */
  private static Place<Integer> endedWith(EventType... events) {
    int bits = 0;
    for (EventType event : events) {
      bits |= 1 << event.ordinal();
    }
    Outcome<?> outcome = new Outcome<>("Batch", null, null, null, null, bits, 0, 0, 1, null);
    return new Place<>() {
      @Override
      public void left(Member<Integer> member) {}

      @Override
      public Outcome<?> outcome() {
        return outcome;
      }

      @Override
      public boolean workBegan() {
        return true;
      }
    };
  }

  /** A later call asks anew: nobody has said anything about what it asks for. */
  @Test
  void run_whoseBatchWasCancelled_isNotRemembered() {
    CollapserRuntime runtime = runtime();
    MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
    assertThat(cache.putIfAbsent(runtime, "key", run)).isTrue();
    RecordingMember member = sharing(runtime, run, true);
    run.member().waitAt(endedWith(EventType.COLLAPSED, EventType.CANCELLED));

    assertThat(run.member().publish(null, new IllegalStateException("cancelled"))).isTrue();

    assertThat(member.isSettled()).isTrue();
    assertThat(run.isStale()).isTrue();
    await().until(() -> cache.find(runtime, "key") == null);
  }

  /** One that is still there, because it is about to be forgotten. */
  @Test
  void run_thatIsOnlyForThoseThatSharedIt_isNoAnswerToALaterCall() {
    CollapserRuntime runtime = runtime();
    try (RequestContext request = tenrec.openRequest()) {
      RequestCache here =
          Objects.requireNonNull(runtime.command.engine.requests().openParts()).cache();
      MemberRun<Integer> run = new MemberRun<>(here, runtime, "key");
      assertThat(run.member().publish(null, new IllegalStateException("in no batch"))).isTrue();
      assertThat(run.isStale()).isTrue();
      assertThat(here.putIfAbsent(runtime, "key", run)).isTrue();
      List<Integer> asked = new ArrayList<>();
      RecordingMember member = new RecordingMember();

      new MemberCache<Integer, Integer>(
              runtime, argument -> "key", (argument, joined) -> asked.add(argument))
          .enter(1, member);

      assertThat(asked).containsExactly(1);
      assertThat(member.isSettled()).isFalse();
    }
  }

  /** Without stack to notify them where the run ends, say: its batch delivers to it then. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void publish_withoutStackToNotifyThoseThatShare_isMadeUpForByDelivering(boolean failed) {
    MemberRun<Integer> run = new MemberRun<>(cache, runtime(), "key");
    AtomicBoolean noStack = new AtomicBoolean(true);
    List<MemberRun<Integer>> notified = new ArrayList<>();
    Thread test = Thread.currentThread();
    assertThat(
            run.join(
                result -> {
                  if (noStack.get() || Thread.currentThread() != test) { // not by the timer's
                    throw new StackOverflowError("of the test");
                  }
                  notified.add(result);
                }))
        .isTrue();

    assertThat(run.member().publish(7, failed ? new IllegalStateException("of the test") : null))
        .isTrue();
    run.member().deliverApart(due::add);
    assertThat(due).containsExactly(run.member());
    assertThat(notified).isEmpty();
    noStack.set(false);
    await() // the timer may be at it, in vain
        .pollInSameThread()
        .until(
            () -> {
              due.forEach(Deliverer.HERE::deliver);
              return !notified.isEmpty();
            });

    assertThat(notified).containsExactly(run);
    due.clear();
    run.member().deliverApart(due::add);
    assertThat(due).as("all that share it were notified").isEmpty();
  }

  /** Else it would be taken for the call that asked. */
  @Test
  void outcome_ofACallThatSharesARunWithoutABatch_isFromTheCache() {
    CollapserRuntime runtime = runtime();
    MemberRun<Integer> run = new MemberRun<>(cache, runtime, "key");
    MemberShare<Integer> first = new MemberShare<>(runtime, new RecordingMember(), run, true, null);
    MemberShare<Integer> second =
        new MemberShare<>(runtime, new RecordingMember(), run, false, null);
    assertThat(first.outcome()).as("before its end").isNull();
    assertThat(second.outcome()).as("before its end").isNull();

    assertThat(run.member().publish(null, new IllegalStateException("in no batch"))).isTrue();

    assertThat(eventsOf(first)).isEmpty();
    assertThat(eventsOf(second)).containsExactly(EventType.RESPONSE_FROM_CACHE);
  }

  private static List<EventType> eventsOf(MemberShare<Integer> share) {
    return Outcome.ofMember("Batch", 7, null, share.outcome(), 1).events();
  }
}
