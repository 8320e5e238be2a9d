// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixObservableCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import rx.Observable;
import rx.Observer;
import rx.Subscriber;
import rx.Subscription;
import rx.functions.Action1;
import rx.functions.Func1;
import rx.schedulers.Schedulers;

/** Commands of many items, and what observes them. */
public class Streams {

  static class Hello extends HystrixObservableCommand<String> {
    private final String name;

    Hello(String name) {
      super(HystrixCommandGroupKey.Factory.asKey("Streams"));
      this.name = name;
    }

    @Override
    protected Observable<String> construct() {
      return Observable.create(
              new Observable.OnSubscribe<String>() {
                @Override
                public void call(Subscriber<? super String> observer) {
                  try {
                    if (!observer.isUnsubscribed()) {
                      observer.onNext("Hello");
                      observer.onNext(name + "!");
                      observer.onCompleted();
                    }
                  } catch (Exception e) {
                    observer.onError(e);
                  }
                }
              })
          .subscribeOn(Schedulers.io());
    }

    @Override
    protected Observable<String> resumeWithFallback() {
      return Observable.empty();
    }
  }

  static class Names extends HystrixObservableCommand<String> {
    private final List<String> names;

    Names(String... names) {
      super(HystrixCommandGroupKey.Factory.asKey("Streams"));
      this.names = Arrays.asList(names);
    }

    @Override
    protected Observable<String> construct() {
      return Observable.from(names)
          .map(
              new Func1<String, String>() {
                @Override
                public String call(String name) {
                  return name.toUpperCase();
                }
              });
    }
  }

  public static String calls() {
    List<String> said = new ArrayList<>();
    new Hello("World").observe().toBlocking().forEach(word -> said.add(word));
    said.add(new Hello("Bob").toObservable().toBlocking().last());
    Predicate<String> isLong = word -> word.length() > 3;
    said.add(
        new Names("ann", "anna")
            .toObservable()
            .toBlocking()
            .single(
                new Func1<String, Boolean>() {
                  @Override
                  public Boolean call(String name) {
                    return isLong.test(name);
                  }
                }));
    new Names("ann", "eve")
        .toObservable()
        .toBlocking()
        .subscribe(
            new Observer<String>() {
              @Override
              public void onCompleted() {
                said.add("completed");
              }

              @Override
              public void onError(Throwable e) {
                said.add("failed");
              }

              @Override
              public void onNext(String name) {
                said.add(name);
              }
            });
    Subscription unused =
        new Names("one")
            .observe()
            .subscribe(
                new Action1<String>() {
                  @Override
                  public void call(String name) {
                    said.add(name);
                  }
                });
    unused.unsubscribe();
    said.add(String.valueOf(unused.isUnsubscribed()));
    return said.toString();
  }
}
