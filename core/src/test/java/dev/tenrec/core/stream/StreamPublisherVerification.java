// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.time.Duration;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;

/**
 * What a stream command gives its subscribers, for the TCK of Reactive Streams; run by {@link
 * StreamTckTest}.
 */
abstract class StreamPublisherVerification extends PublisherVerification<Long> {

  /** How often a collection is waited for. */
  private static final int COLLECTIONS = 5;

  private final Tenrec tenrec = Tenrec.create();
  private final StreamCommand<Long, Long> command;
  private final StreamCommand<Long, Long> failing;

  StreamPublisherVerification() {
    super(TckEnvironment.create(), TckEnvironment.COLLECTION_MILLIS);
    command = build(tenrec.streamCommand("Tck", this::items));
    failing =
        build(
            tenrec.streamCommand(
                "TckFailing",
                elements -> {
                  throw new IOException("told to fail");
                }));
  }

  /** Those of the source, from 0 on. */
  Flowable<Long> items(long elements) {
    return Flowable.rangeLong(0, elements);
  }

  /** For the streams that some tests leave open, their permits as well. */
  StreamCommand<Long, Long> build(StreamCommandBuilder<Long, Long> builder) {
    return builder.isolation(Isolation.semaphore(10_000)).withoutTimeout().build();
  }

  @Override
  public Publisher<Long> createPublisher(long elements) {
    return command.toFlowable(elements);
  }

  @Override
  public Publisher<Long> createFailedPublisher() {
    return failing.toFlowable(1L);
  }

  /**
   * Looks again if need be: the TCK gives the collector a tenth of a second, once. What is referred
   * to is not collected the fifth time either.
   */
  @Override
  @Test // TestNG's
  public void
      required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
          throws Throwable {
    for (int left = COLLECTIONS; ; left--) {
      try {
        super
            .required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber();
        return;
      } catch (AssertionError notCollected) {
        if (left == 1) {
          throw notCollected;
        }
        setUp(); // forgets that it failed
      }
    }
  }

  @AfterClass
  public void close() {
    tenrec.close(Duration.ZERO);
  }
}
