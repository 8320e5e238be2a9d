// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One member by itself: what it receives, how often, and on which thread it would. */
class MemberTest {

  private static final IllegalStateException LATE = new IllegalStateException("late");
  private static final OutOfMemoryError NO_MEMORY = new OutOfMemoryError("of the test");

  private final List<String> steps = new ArrayList<>();
  private final List<Member<String>> left = new ArrayList<>();
  private final Subject member = new Subject();

  private final Place<String> place =
      new Place<>() {
        @Override
        public void left(Member<String> leaver) {
          left.add(leaver);
        }

        @Override
        public @Nullable Outcome<?> outcome() {
          steps.add("asked for the outcome");
          return null;
        }

        @Override
        public boolean workBegan() {
          return false;
        }
      };

  /** Has a thread of its own run what it is given, as far as the test is concerned. */
  private final Deliverer elsewhere = task -> steps.add("elsewhere");

  private final class Subject extends Member<String> {
    private boolean bare;
    private boolean usersCode = true;
    private boolean again;
    private @Nullable Throwable onReceiving;
    private @Nullable Error onPublished;

    @Override
    public void onValue(String value) {
      receive("value " + value);
    }

    @Override
    public void onError(Throwable error) {
      receive("error " + error.getMessage());
    }

    private void receive(String what) {
      Throwable thrown = onReceiving;
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
      steps.add(what);
    }

    @Override
    protected void published(@Nullable String answer, @Nullable Throwable thrown) {
      steps.add("published " + (thrown == null ? answer : thrown.getMessage()));
      if (onPublished != null) {
        throw onPublished;
      }
    }

    @Override
    protected boolean runsUserCode() {
      return usersCode;
    }

    @Override
    protected boolean isBare() {
      return bare;
    }

    @Override
    public boolean runsAgain() {
      return again;
    }

    void look() {
      assertThat(batchOutcome()).isNull();
    }
  }

  @Test
  void leave_always_isOnce_andNotifiesItsPlace() {
    member.waitAt(place);
    assertThat(member.isSettled()).isFalse();
    assertThat(member.leave()).isTrue();
    assertThat(member.isSettled()).isTrue();
    assertThat(member.leave()).isFalse();
    assertThat(left).containsExactly(member);
    assertThat(member.publish("x", null)).isFalse();
    member.deliver(elsewhere);
    assertThat(steps).as("it receives nothing").isEmpty();
  }

  @Test
  void leave_withoutAPlace_isAllTheSame() {
    assertThat(member.leave()).isTrue();
    assertThat(left).isEmpty();
  }

  @Test
  void publish_thenDeliver_isReceivedOnce() {
    assertThat(member.publish("x", null, () -> steps.add("first"))).isTrue();
    assertThat(member.publish("y", null)).isFalse();
    assertThat(steps).containsExactly("first", "published x");
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("first", "published x", "value x");
    assertThat(member.leave()).isFalse();
    assertThat(left).isEmpty();
  }

  @Test
  void publish_ofAnError_isReceivedAsThat() {
    assertThat(member.publish(null, LATE)).isTrue();
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("published late", "error late");
  }

  @Test
  void publish_withoutMemory_settlesAllTheSame() {
    member.onPublished = NO_MEMORY;
    assertThat(member.publish("x", null)).isTrue();
    assertThat(
            new Subject()
                .publish(
                    "y",
                    null,
                    () -> {
                      throw NO_MEMORY;
                    }))
        .isTrue();
    assertThat(steps).containsExactly("published x");
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("published x", "value x");
  }

  @Test
  void fail_ofOneThatIsSettled_isNothing() {
    member.fail(LATE, elsewhere);
    assertThat(steps).containsExactly("published late", "error late");
    member.fail(LATE, elsewhere);
    assertThat(steps).hasSize(2);
  }

  @Test
  void expire_always_isSeenAtOnce_andReceivedLater() {
    member.waitAt(place);
    assertThat(member.expire(LATE)).isTrue();
    assertThat(member.expire(LATE)).isFalse();
    assertThat(steps).containsExactly("published late");
    assertThat(left).isEmpty();
    member.leaveLate(LATE);
    assertThat(steps).containsExactly("published late", "error late");
    assertThat(left).containsExactly(member);
  }

  @Test
  void expire_withoutMemory_settlesAllTheSame() {
    member.onPublished = NO_MEMORY;
    assertThat(member.expire(LATE)).isTrue();
    assertThat(member.isSettled()).isTrue();
    member.leaveLate(LATE);
    assertThat(steps).as("without a place").containsExactly("published late", "error late");
  }

  @Test
  void receiver_thatThrows_concernsNoOther() {
    member.onReceiving = new IllegalStateException("of the receiver");
    member.receiveLate(LATE);
    assertThat(member.publish("x", null)).isTrue();
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("published x");
  }

  @Test
  void receiver_thatThrows_isLogged_eachTime() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> lines = new ArrayList<>();
    Thread here = Thread.currentThread();
    assertThat(member.publish("x", null)).isTrue();

    try (AutoCloseable switched =
        SwitchedLogging.on(logger -> Thread.currentThread() != here || !lines.add(logger))) {
      member.onReceiving = new IllegalStateException("of the receiver");
      member.receiveLate(LATE);
      assertThat(lines).as("of its own deadline").containsExactly(Member.class.getName());
      member.deliver(elsewhere);
      assertThat(lines).as("of its batch").hasSize(2);
      member.onReceiving = NO_MEMORY;
      member.deliver(elsewhere);
      assertThat(lines).as("without memory").hasSize(3);
      member.again = true;
      member.deliver(elsewhere);
      assertThat(lines).as("it is tried again").hasSize(3);
    }
    assertThat(lines).containsOnly(Member.class.getName());
  }

  @Test
  void receiver_withoutMemory_isTriedAgainIfItMay() {
    member.onReceiving = NO_MEMORY;
    member.receiveLate(LATE); // logged
    assertThat(member.publish("x", null)).isTrue();
    member.deliver(elsewhere);
    assertThat(steps).as("user code may have run").containsExactly("published x");

    member.again = true;
    assertThatThrownBy(() -> member.receiveLate(LATE)).isSameAs(NO_MEMORY);
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("published x", "elsewhere");
    member.onReceiving = null;
    member.deliver(elsewhere);
    assertThat(steps).containsExactly("published x", "elsewhere", "value x");
  }

  @Test
  void deliverApart_isElsewhere_ifThereIsUserCode() {
    member.deliverApart(elsewhere);
    assertThat(steps).as("nothing is published").isEmpty();
    assertThat(member.publish("x", null)).isTrue();
    member.usersCode = false;
    member.deliverApart(elsewhere);
    assertThat(steps).containsExactly("published x");
    member.usersCode = true;
    member.deliverApart(elsewhere);
    assertThat(steps).containsExactly("published x", "elsewhere");
  }

  @Test
  void deliverHereOrApart_isHere_ifNothingOfTheUsersHangsOnIt() {
    member.bare = true;
    member.deliverHereOrApart(elsewhere);
    assertThat(steps).as("nothing is published").isEmpty();
    assertThat(member.publish("x", null)).isTrue();
    member.usersCode = false;
    member.deliverHereOrApart(elsewhere);
    assertThat(steps).containsExactly("published x");
    member.usersCode = true;
    member.deliverHereOrApart(elsewhere);
    assertThat(steps).containsExactly("published x", "value x");
    member.bare = false;
    member.deliverHereOrApart(elsewhere);
    assertThat(steps).containsExactly("published x", "value x", "elsewhere");
  }

  @Test
  void kinds_byDefault_runUserCode_andAreNotBare() {
    Member<String> plain =
        new Member<>() {
          @Override
          public void onValue(String value) {
            steps.add(value);
          }

          @Override
          public void onError(Throwable error) {
            steps.add(error.getMessage());
          }
        };
    assertThat(plain.runsUserCode()).isTrue();
    assertThat(plain.isBare()).isFalse();
    assertThat(plain.publish("x", null)).isTrue();
    plain.deliverHereOrApart(elsewhere);
    assertThat(steps).containsExactly("elsewhere");
  }

  @Test
  void outcome_always_isThatOfItsPlace_untilItIsForgotten() {
    member.look();
    assertThat(steps).isEmpty();
    member.waitAt(place);
    member.look();
    assertThat(steps).containsExactly("asked for the outcome");
    assertThat(member.waitsFor()).as("that is no batch").isNull();
    member.forget();
    member.look();
    assertThat(steps).hasSize(1);
  }

  @Test
  void slot_always_countsThoseThatHaveNotLeft() {
    Slot<Integer, String> slot = new Slot<>(new Batch<>("K", batch -> {}, 10), 1, Slots.hash(1));
    assertThat(slot.waitingNow()).isZero();
    assertThat(slot.isTaken()).isTrue();
    Subject second = new Subject();
    Subject gone = new Subject();
    assertThat(gone.leave()).isTrue();

    assertThat(slot.add(gone)).as("nobody waits yet").isFalse();
    assertThat(slot.add(member)).as("the first that waits").isTrue();
    assertThat(slot.add(second)).isFalse();

    assertThat(slot.isTaken()).isFalse();
    assertThat(slot.waitingNow()).isEqualTo(2);
    assertThat(slot.remove(gone)).isFalse();
    assertThat(slot.remove(member)).isFalse();
    assertThat(slot.remove(member)).as("it counts no more").isFalse();
    assertThat(slot.remove(second)).as("the last").isTrue();
    assertThat(member.waitsFor()).isNull();
    assertThat(slot.take()).isSameAs(second);
    assertThat(second.next()).isSameAs(member);
    assertThat(member.next()).isSameAs(gone);
    assertThat(slot.take()).isNull();
    assertThat(slot.isTaken()).isTrue();
  }

  @Test
  void publishedSlot_deliversOnce() {
    Slot<Integer, String> slot = new Slot<>(new Batch<>("K", batch -> {}, 10), 1, Slots.hash(1));
    slot.deliver(elsewhere);
    assertThat(slot.add(member)).isTrue();
    slot.publish(LATE);
    slot.publish(NO_MEMORY);
    assertThat(steps).containsExactly("published late");
    slot.deliver(elsewhere);
    slot.deliver(elsewhere);
    assertThat(steps).containsExactly("published late", "elsewhere");
    assertThat(slot.outcome()).as("it belongs to no part").isNull();
  }
}
