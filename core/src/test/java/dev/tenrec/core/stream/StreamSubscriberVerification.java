// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.reactivestreams.tck.SubscriberBlackboxVerification;
import org.reactivestreams.tck.SubscriberWhiteboxVerification;
import org.testng.annotations.AfterClass;

/**
 * The subscriber that a stream command hands to the publisher of its work, for the TCK of Reactive
 * Streams; run by {@link StreamTckTest}. Here the TCK is that publisher.
 */
public final class StreamSubscriberVerification {

  private StreamSubscriberVerification() {}

  /** Passes on what the TCK sends, to a subscriber that asks when the TCK wants it to. */
  private static final class UnderTest implements AutoCloseable {
    private final Tenrec tenrec = Tenrec.create();
    private final StreamCommand<AtomicReference<Subscriber<? super Integer>>, Integer> command =
        tenrec
            .streamCommand(
                "Tck",
                (AtomicReference<Subscriber<? super Integer>> handed) ->
                    (Publisher<Integer>) handed::set)
            .isolation(Isolation.semaphore(10_000))
            .withoutCircuitBreaker()
            .withoutTimeout()
            .build();

    Subscriber<Integer> subscriber(Downstream downstream) {
      AtomicReference<Subscriber<? super Integer>> handed = new AtomicReference<>();
      command.toFlowable(handed).subscribe(downstream);
      @SuppressWarnings("unchecked") // it takes what it is sent and looks at none of it
      Subscriber<Integer> subscriber = (Subscriber<Integer>) handed.get();
      return subscriber;
    }

    @Override
    public void close() {
      tenrec.close(Duration.ZERO);
    }
  }

  /** Does nothing by itself. */
  private static class Downstream implements FlowableSubscriber<Integer> {
    @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
    }

    @Override
    public void onNext(Integer item) {}

    @Override
    public void onError(Throwable thrown) {}

    @Override
    public void onComplete() {}
  }

  /** What can be seen from outside. */
  public static final class Blackbox extends SubscriberBlackboxVerification<Integer> {
    private final UnderTest underTest = new UnderTest();
    private Downstream downstream = new Downstream();

    /** As TestNG wants it. */
    public Blackbox() {
      super(TckEnvironment.create());
    }

    @Override
    public Subscriber<Integer> createSubscriber() {
      downstream = new Downstream();
      return underTest.subscriber(downstream);
    }

    @Override
    public void triggerRequest(Subscriber<? super Integer> subscriber) {
      downstream.subscription.request(1);
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }

    @AfterClass
    public void close() {
      underTest.close();
    }
  }

  /** What comes out at the other side. */
  public static final class Whitebox extends SubscriberWhiteboxVerification<Integer> {
    private final UnderTest underTest = new UnderTest();

    /** As TestNG wants it. */
    public Whitebox() {
      super(TckEnvironment.create());
    }

    @Override
    public Subscriber<Integer> createSubscriber(WhiteboxSubscriberProbe<Integer> probe) {
      return underTest.subscriber(new Probed(probe));
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }

    @AfterClass
    public void close() {
      underTest.close();
    }
  }

  /** Notifies the probe, and does what its puppet is made to. */
  private static final class Probed extends Downstream {
    private final SubscriberWhiteboxVerification.WhiteboxSubscriberProbe<Integer> probe;

    Probed(SubscriberWhiteboxVerification.WhiteboxSubscriberProbe<Integer> probe) {
      this.probe = probe;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      probe.registerOnSubscribe(
          new SubscriberWhiteboxVerification.SubscriberPuppet() {
            @Override
            public void triggerRequest(long elements) {
              subscription.request(elements);
            }

            @Override
            public void signalCancel() {
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(Integer item) {
      probe.registerOnNext(item);
    }

    @Override
    public void onError(Throwable thrown) {
      probe.registerOnError(thrown);
    }

    @Override
    public void onComplete() {
      probe.registerOnComplete();
    }
  }
}
