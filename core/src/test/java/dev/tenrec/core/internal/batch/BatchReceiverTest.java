// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.collapser.BatchStarter;
import dev.tenrec.core.internal.collapser.Batches;
import dev.tenrec.core.internal.collapser.Batching;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.collapser.Part;
import dev.tenrec.core.internal.collapser.Sharding;
import dev.tenrec.core.internal.collapser.UnknownAnswers;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.time.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a batch's receiver does with an ending, whether or not it was published before. */
class BatchReceiverTest {

  private static final IllegalStateException ERROR = new IllegalStateException("of the test");

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final RecordingMember member = new RecordingMember();

  /** Full with its first member. */
  private final class OneEach implements Batching<Integer, Integer> {
    private final List<Batch<Integer, Integer>> handedOver = new ArrayList<>();

    @Override
    public String key() {
      return "Batch";
    }

    @Override
    public int maxRequests() {
      return 1;
    }

    @Override
    public long delayNanos() {
      return 10;
    }

    @Override
    public long deadlineNanos() {
      return Deadlines.NONE;
    }

    @Override
    public Deliverer deliverer() {
      return Deliverer.HERE;
    }

    @Override
    public BatchStarter<Integer, Integer> opening() {
      return handedOver::add;
    }
  }

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private BatchReceiver<Integer, Integer> receiver() {
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Batch", (List<Integer> ids) -> Map.of(1, 2)).globalScope().build();
    Engine engine =
        InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime().command.engine;
    OneEach batching = new OneEach();
    new Batches<>(batching, engine.timer(), engine.ticker()).join(1, member);
    Part<Integer, Integer> part =
        batching
            .handedOver
            .get(0)
            .start(new Sharding<>(null), new UnknownAnswers("Batch", task -> {}))
            .get(0);
    return new BatchReceiver<>(part, engine, () -> ERROR, () -> ERROR);
  }

  @Test
  void error_thatWasPublished_isReceivedOnce() {
    BatchReceiver<Integer, Integer> receiver = receiver();
    receiver.publish(Map.of(), ERROR);
    assertThat(member.endings).containsExactly(ERROR);
    receiver.onError(new IllegalStateException("late"));
    assertThat(member.endings).containsExactly(ERROR);
  }

  /** There may be no memory where it is published: what is received is enough. */
  @Test
  void error_thatWasNotPublished_failsTheMembers() {
    receiver().onError(ERROR);
    assertThat(member.endings).containsExactly(ERROR);
  }

  /** The map may block, so it is gone through where that is allowed. */
  @Test
  void answers_arePublishedToNobody_andReceived() {
    BatchReceiver<Integer, Integer> receiver = receiver();
    receiver.publish(Map.of(1, 2), null);
    assertThat(member.endings).isEmpty();
    receiver.onValue(Map.of(1, 2));
    assertThat(member.endings).containsExactly(2);
  }
}
