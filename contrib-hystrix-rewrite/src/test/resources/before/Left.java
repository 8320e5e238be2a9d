// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCollapserProperties;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixObservableCommand;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixCollapser;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixCommand;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixException;
import com.netflix.hystrix.contrib.javanica.annotation.ObservableExecutionMode;
import com.netflix.hystrix.contrib.javanica.command.AsyncResult;
import com.netflix.hystrix.strategy.HystrixPlugins;
import com.netflix.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import com.netflix.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import com.netflix.hystrix.strategy.properties.HystrixPropertiesStrategy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import rx.Observable;
import rx.Observer;
import rx.Single;
import rx.Subscription;
import rx.observables.BlockingObservable;
import rx.observers.TestSubscriber;
import rx.schedulers.Schedulers;

/** What has no counterpart. */
class Left {

  static class Strategy extends HystrixConcurrencyStrategy {
    @Override
    public BlockingQueue<Runnable> getBlockingQueue(int size) {
      return new LinkedBlockingQueue<>(size);
    }
  }

  static class Items extends HystrixObservableCommand<String> {
    Items() {
      super(HystrixCommandGroupKey.Factory.asKey("Left"));
    }

    @Override
    protected Observable<String> construct() {
      return Observable.just(properties.toString());
    }

    @Override
    protected String getCacheKey() {
      return "one";
    }

    protected boolean isRequestCachingEnabled() {
      return false;
    }
  }

  void plugins(HystrixCommandExecutionHook hook, HystrixPropertiesStrategy strategy) {
    HystrixPlugins.getInstance().registerCommandExecutionHook(hook);
    HystrixPlugins.getInstance().registerPropertiesStrategy(strategy);
    HystrixCollapserProperties.Setter().withCollapsingEnabled(true);
    new Items().toObservable().subscribe(new TestSubscriber<>());
  }

  @HystrixCommand(
      raiseHystrixExceptions = HystrixException.RUNTIME_EXCEPTION,
      observableExecutionMode = ObservableExecutionMode.EAGER)
  Observable<String> hot() {
    return Observable.empty();
  }

  /** Begins with the call. */
  @HystrixCommand
  Observable<String> hotByDefault() {
    return Observable.empty();
  }

  @HystrixCommand(commandKey = "one")
  Single<String> oneHotByDefault() {
    return Single.just("");
  }

  @HystrixCollapser(batchMethod = "batch")
  Future<String> each(String id) {
    return null;
  }

  @HystrixCommand(commandKey = "each")
  List<String> batch(List<String> ids) {
    return ids;
  }

  @HystrixCollapser(batchMethod = "batch")
  Future<String> other(String id) {
    return null;
  }

  private static final String KEY = "keyed";

  @HystrixCollapser(batchMethod = "unnamed", collapserKey = KEY)
  Future<String> keyed(String id) {
    return null;
  }

  @HystrixCommand
  List<String> unnamed(List<String> ids) {
    return ids;
  }

  void operators(Observable<Integer> numbers, Observer<Integer> observer, Future<Integer> later) {
    Observable<Integer> count = numbers.count();
    Subscription subscription = numbers.subscribe(observer);
    BlockingObservable<Integer> blocking = numbers.toBlocking();
    blocking.first(number -> number > 1);
    numbers.elementAt(3);
    numbers.toSingle().subscribe(observer);
    numbers.firstOrDefault(null);
    Supplier<Observable<List<Integer>>> lists = numbers::toList;
    numbers.doOnSubscribe(() -> {});
    Observable.from(later, Schedulers.io());
    Supplier<BlockingObservable<Integer>> supplier = numbers::toBlocking;
    numbers.toBlocking().singleOrDefault(null);
  }

  @HystrixCommand
  Future<String> several() {
    return new AsyncResult<String>() {
      @Override
      public String invoke() {
        System.gc();
        return "";
      }
    };
  }
}
