// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCircuitBreaker;
import com.netflix.hystrix.HystrixCollapser.CollapsedRequest;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandMetrics;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixInvokable;
import com.netflix.hystrix.HystrixObservableCollapser;
import com.netflix.hystrix.HystrixObservableCommand;
import com.netflix.hystrix.strategy.HystrixPlugins;
import com.netflix.hystrix.strategy.concurrency.HystrixRequestContext;
import com.netflix.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import com.netflix.hystrix.strategy.metrics.HystrixMetricsPublisher;
import com.netflix.hystrix.strategy.metrics.HystrixMetricsPublisherCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import rx.Observable;
import rx.functions.Func1;

/** What is around commands: hooks of any age, publishers of metrics, batches of streams. */
public class Plugins {

  private static final List<String> HEARD = new ArrayList<>();

  static class Hook extends HystrixCommandExecutionHook {
    @Override
    @Deprecated
    public <T> void onRunStart(HystrixInvokable<T> command) {
      HEARD.add("run start");
    }

    @Override
    @Deprecated
    public <T> void onStart(HystrixCommand<T> command) {
      HEARD.add("start of " + command.getCommandKey().name());
    }

    @Override
    @Deprecated
    public <T> T onComplete(HystrixInvokable<T> command, T response) {
      HEARD.add("complete " + response);
      return response;
    }
  }

  static class Publisher extends HystrixMetricsPublisher {
    @Override
    public HystrixMetricsPublisherCommand getMetricsPublisherForCommand(
        HystrixCommandKey key,
        HystrixCommandGroupKey group,
        HystrixCommandMetrics metrics,
        HystrixCircuitBreaker circuitBreaker,
        HystrixCommandProperties properties) {
      return () -> HEARD.add("published " + key.name() + " of " + group.name());
    }
  }

  static class Hello extends HystrixCommand<String> {
    Hello() {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Plugins"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("Hello of plugins"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(60000)));
    }

    @Override
    protected String run() {
      return "hello";
    }
  }

  static class Squares extends HystrixObservableCommand<Integer> {
    private final List<Integer> numbers = new ArrayList<>();

    Squares(Collection<CollapsedRequest<String, Integer>> requests) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Squares"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(60000)));
      for (CollapsedRequest<String, Integer> request : requests) {
        numbers.add(request.getArgument());
      }
    }

    @Override
    protected Observable<Integer> construct() {
      return Observable.from(numbers);
    }
  }

  static class Square extends HystrixObservableCollapser<Integer, Integer, String, Integer> {
    private final int number;

    Square(int number) {
      this.number = number;
    }

    @Override
    public Integer getRequestArgument() {
      return number;
    }

    @Override
    protected HystrixObservableCommand<Integer> createCommand(
        Collection<CollapsedRequest<String, Integer>> requests) {
      return new Squares(requests);
    }

    @Override
    protected Func1<Integer, Integer> getBatchReturnTypeKeySelector() {
      return item -> item;
    }

    @Override
    protected Func1<Integer, Integer> getRequestArgumentKeySelector() {
      return argument -> argument;
    }

    @Override
    protected Func1<Integer, String> getBatchReturnTypeToResponseTypeMapper() {
      return item -> item + " squared is " + item * item;
    }

    @Override
    protected void onMissingResponse(CollapsedRequest<String, Integer> request) {
      request.setException(new IllegalStateException("no square"));
    }
  }

  /** What happens. */
  public static List<String> calls() {
    HEARD.clear();
    HystrixPlugins.reset();
    HystrixPlugins.getInstance().registerCommandExecutionHook(new Hook());
    HystrixPlugins.getInstance().registerMetricsPublisher(new Publisher());
    HEARD.add(new Hello().execute());
    HystrixPlugins.reset();
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      Observable<String> three = new Square(3).observe();
      Observable<String> four = new Square(4).observe();
      HEARD.add(three.toBlocking().single());
      HEARD.add(four.toBlocking().single());
    } finally {
      request.shutdown();
    }
    return new ArrayList<>(HEARD);
  }
}
