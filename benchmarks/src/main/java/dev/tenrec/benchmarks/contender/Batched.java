// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.tenrec.benchmarks.ProtectedCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** A function of batches, and the callers that join them. */
public abstract class Batched implements AutoCloseable {

  private static final String[] ANSWERS = new String[1_000];

  static {
    for (int i = 0; i < ANSWERS.length; i++) {
      ANSWERS[i] = "answer " + i;
    }
  }

  private final int size;
  private final LongAdder batches = new LongAdder();
  private final LongAdder members = new LongAdder();

  Batched(int size) {
    this.size = size;
  }

  /** Joins a batch without waiting. */
  public abstract Future<String> join(int question);

  /** What is to be answered. */
  public static String answer(int question) {
    return ANSWERS[question];
  }

  /** The protected call, once for all of a batch. */
  Map<Integer, String> answers(List<Integer> questions) {
    ProtectedCall.answer("batch");
    batches.increment();
    members.add(questions.size());
    Map<Integer, String> answers = new HashMap<>(questions.size() * 2);
    for (Integer question : questions) {
      answers.put(question, answer(question));
    }
    return answers;
  }

  /** Fails the benchmark if batches were much smaller than they should be. */
  public final void checkSizes() {
    long ran = batches.sum();
    // those a timer cut short are few, one in a millisecond at most, once the code is warm
    if (ran > 1_000 && (double) members.sum() / ran < 0.8 * size) {
      throw new IllegalStateException(
          "batches of " + size + " were wanted, and the average had " + members.sum() / ran);
    }
  }

  @Override
  public abstract void close();
}
