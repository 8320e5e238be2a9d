// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Batched;
import dev.tenrec.benchmarks.contender.BatchedByHystrix;
import dev.tenrec.benchmarks.contender.BatchedByTenrec;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One member of a batch, its own share of the batch included.
 *
 * <p>{@code tenrec} and {@code hystrix} are what a caller does: it joins as many members as fill a
 * batch, then waits for their answers. Tenrec starts a batch when it is full; Hystrix when the next
 * member comes, or its timer, which is set to the shortest delay it takes, a millisecond.
 *
 * <p>In {@code ...Pipelined} the thread goes on with the next batch and waits for the one before:
 * nobody waits for a timer, and what remains is the work of joining, running and answering.
 */
public class Collapsing extends InNanoseconds {

  /** One thread's members: of the batch that fills, and of the one before. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public abstract static class Joining<B extends Batched> {
    @Param({"1", "10", "100"})
    public int batchSize;

    B batched;
    private Future<String>[] filling;
    private Future<String>[] before;
    private int joined;
    private boolean isFirst = true;

    abstract B make(int size);

    @Setup(Level.Trial)
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type arguments
    public final void start() {
      batched = make(batchSize);
      filling = new Future[batchSize];
      before = new Future[batchSize];
    }

    /** Joins, and waits for all of the batch when it is full. */
    final Future<String> joinAndWait() throws Exception {
      Future<String> member = batched.join(joined);
      filling[joined++] = member;
      if (joined == batchSize) {
        awaitAll(filling);
        joined = 0;
      }
      return member;
    }

    /** Joins, and waits for all of the batch before when it is full. */
    final Future<String> join() throws Exception {
      Future<String> member = batched.join(joined);
      filling[joined++] = member;
      if (joined == batchSize) {
        Future<String>[] full = filling;
        if (!isFirst) {
          awaitAll(before);
        }
        isFirst = false;
        filling = before;
        before = full;
        joined = 0;
      }
      return member;
    }

    private static void awaitAll(Future<String>[] members) throws Exception {
      for (int i = 0; i < members.length; i++) {
        if (!members[i].get(10, TimeUnit.SECONDS).equals(Batched.answer(i))) {
          throw new IllegalStateException("member " + i + " got another's answer");
        }
      }
    }

    /** The last batch is left to its timer. */
    @TearDown(Level.Trial)
    public final void end() {
      try {
        batched.checkSizes();
      } finally {
        batched.close();
      }
    }
  }

  public static class OnTenrec extends Joining<BatchedByTenrec> {
    @Override
    BatchedByTenrec make(int size) {
      return new BatchedByTenrec(size);
    }
  }

  public static class OnHystrix extends Joining<BatchedByHystrix> {
    @Override
    BatchedByHystrix make(int size) {
      return new BatchedByHystrix(size);
    }
  }

  @Benchmark
  public Future<String> tenrec(OnTenrec on) throws Exception {
    return on.joinAndWait();
  }

  @Benchmark
  public Future<String> hystrix(OnHystrix on) throws Exception {
    return on.joinAndWait();
  }

  @Benchmark
  public Future<String> tenrecPipelined(OnTenrec on) throws Exception {
    return on.join();
  }

  @Benchmark
  public Future<String> hystrixPipelined(OnHystrix on) throws Exception {
    return on.join();
  }
}
