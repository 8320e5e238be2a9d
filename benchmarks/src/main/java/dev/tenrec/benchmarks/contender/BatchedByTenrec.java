// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.concurrent.Future;

/** Tenrec: global batches that run on a pool of 10, the defaults but for the batch's size. */
public final class BatchedByTenrec extends Batched {

  private final Tenrec tenrec = Tenrec.create();
  private final Collapser<Integer, String> collapser;

  public BatchedByTenrec(int size) {
    super(size);
    this.collapser =
        tenrec
            .collapser("Batched", (List<Integer> questions) -> answers(questions))
            .maxRequestsInBatch(size)
            .globalScope()
            .build();
  }

  @Override
  public Future<String> join(int question) {
    return collapser.executeAsync(question);
  }

  /** The command that runs the batches, whose metrics show every one. */
  public CommandView batches() {
    return tenrec.commands().get(0);
  }

  /** What is known of callers that join. */
  public CollapserView members() {
    return collapser.view();
  }

  @Override
  public void close() {
    tenrec.close();
  }
}
