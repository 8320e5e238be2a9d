// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.kit.Unhurried;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Closing finds no memory to end one of those that it has to end. */
class CloseWithoutMemoryTest {

  private static final class FailsAtFirst extends Timeout {
    private final int failures;
    private int tried;

    private FailsAtFirst(long deadlineNanos, int failures) {
      super(deadlineNanos);
      this.failures = failures;
    }

    @Override
    protected boolean isEnded() {
      return false;
    }

    @Override
    protected void expired() {}

    @Override
    public void closed() {
      if (++tried <= failures) {
        throw new OutOfMemoryError("of the test");
      }
    }
  }

  private final Tenrec tenrec = Unhurried.tenrec();

  private FailsAtFirst armed(int failures) {
    var engine = InsideTenrec.registry(tenrec).engine();
    FailsAtFirst node =
        new FailsAtFirst(engine.ticker().nanoTime() + Duration.ofHours(1).toNanos(), failures);
    assertThat(engine.timer().arm(node)).isTrue();
    return node;
  }

  @Test
  void close_thatFailsToEndOne_triesItAgain_andEndsTheOthers() {
    Command<Integer, Integer> command =
        tenrec
            .asyncCommand("Never", (Integer i) -> new CompletableFuture<Integer>())
            .timeout(Duration.ofHours(2))
            .build();
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    List<FailsAtFirst> nodes = new ArrayList<>();
    for (int i = 0; i < 5; i++) { // whichever order they come in, one fails before another's turn
      calls.add(command.executeAsync(i));
      nodes.add(armed(i));
    }

    assertThat(tenrec.close(Duration.ZERO)).isEmpty();

    for (CompletableFuture<Integer> call : calls) {
      assertThat(call).isCancelled();
    }
    for (FailsAtFirst node : nodes) {
      assertThat(node.tried).isGreaterThan(node.failures);
    }
  }
}
