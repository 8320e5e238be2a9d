// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import com.netflix.hystrix.HystrixCollapser;
import com.netflix.hystrix.HystrixCollapserKey;
import com.netflix.hystrix.HystrixCollapserProperties;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hystrix: a new collapser object for each member, global batches that run on a pool of 10. Its
 * request cache is off, for it needs a request; all else but the batch's size and its timer's delay
 * is its default.
 */
public final class BatchedByHystrix extends Batched {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String name = "Batched" + NUMBER.incrementAndGet();
  private final HystrixCollapser.Setter setter;
  private final HystrixCommand.Setter batch =
      HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(name))
          .andCommandPropertiesDefaults(
              HystrixCommandProperties.Setter()
                  .withRequestCacheEnabled(false)
                  .withRequestLogEnabled(false));

  public BatchedByHystrix(int size) {
    super(size);
    this.setter =
        HystrixCollapser.Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(name))
            .andScope(HystrixCollapser.Scope.GLOBAL)
            .andCollapserPropertiesDefaults(
                HystrixCollapserProperties.Setter()
                    .withMaxRequestsInBatch(size)
                    .withTimerDelayInMilliseconds(1) // a full batch waits for it, or for a member
                    .withRequestCacheEnabled(false));
  }

  @Override
  public Future<String> join(int question) {
    return new Member(question).queue();
  }

  /** Its threads are daemons. */
  @Override
  public void close() {}

  private final class Member extends HystrixCollapser<Map<Integer, String>, String, Integer> {

    private final int question;

    Member(int question) {
      super(setter);
      this.question = question;
    }

    @Override
    public Integer getRequestArgument() {
      return question;
    }

    @Override
    protected HystrixCommand<Map<Integer, String>> createCommand(
        Collection<CollapsedRequest<String, Integer>> requests) {
      List<Integer> questions = new ArrayList<>(requests.size());
      requests.forEach(request -> questions.add(request.getArgument()));
      return new Batch(questions);
    }

    @Override
    protected void mapResponseToRequests(
        Map<Integer, String> answers, Collection<CollapsedRequest<String, Integer>> requests) {
      requests.forEach(request -> request.setResponse(answers.get(request.getArgument())));
    }
  }

  private final class Batch extends HystrixCommand<Map<Integer, String>> {

    private final List<Integer> questions;

    Batch(List<Integer> questions) {
      super(batch);
      this.questions = questions;
    }

    @Override
    protected Map<Integer, String> run() {
      return answers(questions);
    }
  }
}
