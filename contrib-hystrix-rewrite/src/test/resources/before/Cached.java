// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCollapser;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixEventType;
import com.netflix.hystrix.HystrixInvokableInfo;
import com.netflix.hystrix.HystrixRequestCache;
import com.netflix.hystrix.HystrixRequestLog;
import com.netflix.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import com.netflix.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;

/** A cache that a writer invalidates, and a collapser. */
public class Cached {

  private static volatile String stored = "before";

  static class Getter extends HystrixCommand<String> {
    private static final HystrixCommandKey KEY = HystrixCommandKey.Factory.asKey("Getter");
    private final int id;

    Getter(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("GetSetGet"))
              .andCommandKey(KEY));
      this.id = id;
    }

    @Override
    protected String run() {
      return stored + id;
    }

    @Override
    protected String getCacheKey() {
      return String.valueOf(id);
    }

    static void flush(int id) {
      HystrixRequestCache.getInstance(KEY, HystrixConcurrencyStrategyDefault.getInstance())
          .clear(String.valueOf(id));
    }
  }

  static class Writer extends HystrixCommand<Void> {
    private final int id;
    private final String text;

    Writer(int id, String text) {
      super(HystrixCommandGroupKey.Factory.asKey("GetSetGet"));
      this.id = id;
      this.text = text;
    }

    @Override
    protected Void run() {
      stored = text;
      Getter.flush(id);
      return null;
    }
  }

  static class GetForKey extends HystrixCollapser<List<String>, String, Integer> {
    private final Integer key;

    GetForKey(Integer key) {
      this.key = key;
    }

    @Override
    public Integer getRequestArgument() {
      return key;
    }

    @Override
    protected HystrixCommand<List<String>> createCommand(
        final Collection<CollapsedRequest<String, Integer>> requests) {
      return new Batch(requests);
    }

    @Override
    protected void mapResponseToRequests(
        List<String> answers, Collection<CollapsedRequest<String, Integer>> requests) {
      int next = 0;
      for (CollapsedRequest<String, Integer> request : requests) {
        request.setResponse(answers.get(next++));
      }
    }
  }

  private static final class Batch extends HystrixCommand<List<String>> {
    private final Collection<HystrixCollapser.CollapsedRequest<String, Integer>> requests;

    Batch(Collection<HystrixCollapser.CollapsedRequest<String, Integer>> requests) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Keys"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetForKeys")));
      this.requests = requests;
    }

    @Override
    protected List<String> run() {
      List<String> answers = new ArrayList<>();
      for (HystrixCollapser.CollapsedRequest<String, Integer> request : requests) {
        answers.add("value " + request.getArgument());
      }
      return answers;
    }
  }

  public static String calls() throws Exception {
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      stored = "before";
      String first = new Getter(1).execute();
      Getter again = new Getter(1);
      String second = again.execute() + again.isResponseFromCache();
      new Writer(1, "after").execute();
      String third = new Getter(1).execute();
      Future<String> one = new GetForKey(1).queue();
      Future<String> two = new GetForKey(2).queue();
      String both = one.get() + " and " + two.get();
      boolean collapsed = false;
      for (HystrixInvokableInfo<?> command :
          HystrixRequestLog.getCurrentRequest().getAllExecutedCommands()) {
        collapsed |= command.getExecutionEvents().contains(HystrixEventType.COLLAPSED);
      }
      return first + ", " + second + ", " + third + ", " + both + ", " + collapsed;
    } finally {
      request.shutdown();
    }
  }
}
