// SPDX-License-Identifier: Apache-2.0
package shop;

import static com.netflix.hystrix.contrib.javanica.conf.HystrixPropertiesManager.FALLBACK_ENABLED;

import com.netflix.hystrix.contrib.javanica.annotation.DefaultProperties;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixCollapser;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixCommand;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixProperty;
import com.netflix.hystrix.contrib.javanica.annotation.ObservableExecutionMode;
import com.netflix.hystrix.contrib.javanica.cache.annotation.CacheKey;
import com.netflix.hystrix.contrib.javanica.cache.annotation.CacheRemove;
import com.netflix.hystrix.contrib.javanica.cache.annotation.CacheResult;
import com.netflix.hystrix.contrib.javanica.command.AsyncResult;
import com.netflix.hystrix.contrib.javanica.conf.HystrixPropertiesManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import rx.Observable;

/** A service with javanica's annotations. */
@DefaultProperties(groupKey = "Accounts", raiseHystrixExceptions = {})
public class Accounts {

  @HystrixCommand(
      commandKey = "getAccount",
      fallbackMethod = "guest",
      ignoreExceptions = IllegalArgumentException.class,
      commandProperties = {
        @HystrixProperty(
            name = HystrixPropertiesManager.EXECUTION_ISOLATION_THREAD_TIMEOUT_IN_MILLISECONDS,
            value = "500"),
        @HystrixProperty(name = FALLBACK_ENABLED, value = "true")
      },
      threadPoolProperties = {
        @HystrixProperty(name = HystrixPropertiesManager.CORE_SIZE, value = "30"),
        @HystrixProperty(name = "maxQueueSize", value = "101")
      })
  @CacheResult(cacheKeyMethod = "keyOf")
  public String get(@CacheKey String id) {
    return "account " + id;
  }

  String keyOf(String id) {
    return id;
  }

  String guest(String id, Throwable cause) {
    return "guest";
  }

  @CacheRemove(commandKey = "getAccount")
  @HystrixCommand
  public void update(@CacheKey String id) {}

  @HystrixCommand(fallbackMethod = "guestLater")
  public Future<String> later(final String id) {
    return new AsyncResult<String>() {
      @Override
      public String invoke() {
        return get(id);
      }
    };
  }

  Future<String> guestLater(String id) {
    return new AsyncResult<String>() {
      @Override
      public String invoke() {
        return "guest";
      }
    };
  }

  @HystrixCommand(observableExecutionMode = ObservableExecutionMode.LAZY)
  public Observable<String> stream(String id) {
    return Observable.just(get(id));
  }

  @HystrixCollapser(
      batchMethod = "getAll",
      collapserKey = "getAll",
      scope = com.netflix.hystrix.HystrixCollapser.Scope.GLOBAL,
      collapserProperties = {
        @HystrixProperty(
            name = HystrixPropertiesManager.TIMER_DELAY_IN_MILLISECONDS,
            value = "5")
      })
  public Future<String> one(String id) {
    return null;
  }

  @HystrixCommand(commandKey = "getAll")
  public List<String> getAll(List<String> ids) {
    List<String> accounts = new ArrayList<>();
    for (String id : ids) {
      accounts.add(get(id));
    }
    return accounts;
  }
}
