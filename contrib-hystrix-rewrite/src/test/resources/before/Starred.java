// SPDX-License-Identifier: Apache-2.0
package shop;

import static com.netflix.hystrix.HystrixCommandGroupKey.Factory.asKey;
import static com.netflix.hystrix.HystrixEventType.*;

import com.netflix.hystrix.*;
import com.netflix.hystrix.exception.*;
import com.netflix.hystrix.strategy.concurrency.*;
import rx.*;
import rx.functions.*;
import rx.schedulers.*;

/** All of it by imports of whole packages. */
public class Starred {

  static class Greeting extends HystrixCommand<String> {

    Greeting() {
      super(asKey("Starred"));
    }

    @Override
    protected String run() {
      return "hello";
    }
  }

  static class Wrong extends HystrixObservableCommand<String> {

    Wrong() {
      super(HystrixObservableCommand.Setter.withGroupKey(asKey("Starred")));
    }

    @Override
    protected Observable<String> construct() {
      return Observable.error(new HystrixBadRequestException("wrong"));
    }
  }

  public static Object calls() {
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      Greeting greeting = new Greeting();
      String loud =
          greeting
              .observe()
              .map(
                  new Func1<String, String>() {
                    @Override
                    public String call(String words) {
                      return words + "!";
                    }
                  })
              .filter(
                  new Func1<String, Boolean>() {
                    @Override
                    public Boolean call(String words) {
                      return words.endsWith("!");
                    }
                  })
              .observeOn(Schedulers.io())
              .toBlocking()
              .single();
      String refused;
      try {
        refused = new Wrong().observe().toBlocking().single();
      } catch (HystrixBadRequestException wrong) {
        refused = wrong.getMessage();
      }
      return loud + greeting.getExecutionEvents().contains(SUCCESS) + refused;
    } finally {
      request.shutdown();
    }
  }
}
