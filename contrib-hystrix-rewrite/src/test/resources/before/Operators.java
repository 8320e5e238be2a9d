// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixObservableCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import rx.Observable;
import rx.Observer;
import rx.Single;
import rx.Subscription;
import rx.functions.Action0;
import rx.functions.Func1;
import rx.functions.Func2;
import rx.subjects.PublishSubject;

/** Operators that have another name, another type, or a trap in RxJava 3. */
public class Operators {

  static class Items extends HystrixObservableCommand<Object> {
    private final List<?> items;

    Items(Object... items) {
      super(HystrixCommandGroupKey.Factory.asKey("Operators"));
      this.items = Arrays.asList(items);
    }

    @Override
    protected Observable<Object> construct() {
      return Observable.create(
          observer -> {
            items.forEach(observer::onNext);
            Runnable end = observer::onCompleted;
            end.run();
          });
    }
  }

  static class IsText implements Func1<Object, Boolean> {
    @Override
    public Boolean call(Object item) {
      return item instanceof String;
    }
  }

  private static Observable<Object> items(Object... items) {
    return new Items(items).toObservable();
  }

  private static Observable<Integer> numbers(Integer... numbers) {
    return items((Object[]) numbers).cast(Integer.class);
  }

  private static void predicates(List<Object> said) {
    Func1<Object, Boolean> text = new IsText();
    said.add(items(1, "a", 2).toBlocking().first(item -> item instanceof String));
    said.add(items(1, "a", 2).toBlocking().single(text));
    said.add(items(1, "a", 2).toBlocking().last(new IsText()));
    said.add(items(1, 2).toBlocking().firstOrDefault("none", text));
    said.add(items(1, 2).toBlocking().lastOrDefault("none", item -> item instanceof String));
    said.add(items(1, 2).toBlocking().singleOrDefault("none", text));
    said.add(
        items(1, "b", 2)
            .first(
                new Func1<Object, Boolean>() {
                  @Override
                  public Boolean call(Object item) {
                    return item instanceof String;
                  }
                })
            .toBlocking()
            .single());
    said.add(items(1, "c", 2).takeFirst(text::call).toBlocking().single());
    said.add(
        numbers(1, 2, 3)
            .filter(
                new Func1<Integer, Boolean>() {
                  @Override
                  public Boolean call(Integer number) {
                    return number > 1;
                  }
                })
            .toBlocking()
            .first());
    said.add(items("d", 1, "e").takeWhile(text).toList().toBlocking().single());
    said.add(
        numbers(1, 1, 2)
            .distinctUntilChanged(
                new Func2<Integer, Integer, Boolean>() {
                  @Override
                  public Boolean call(Integer one, Integer other) {
                    return one.equals(other);
                  }
                })
            .toList()
            .toBlocking()
            .first());
  }

  private static void ofOne(List<Object> said) {
    List<Integer> all = numbers(3, 1, 2).toList().toBlocking().single();
    said.add(all);
    said.add(numbers(3, 1, 2).toSortedList().toBlocking().last());
    Object count = numbers(1, 2).count().toBlocking().single();
    said.add(count);
    said.add(numbers(1, 2).countLong().toBlocking().single());
    said.add(numbers(1, 2).reduce((one, other) -> one + other).toBlocking().single());
    said.add(numbers(1, 2).reduce("", (one, other) -> one + other).toBlocking().single());
    said.add(numbers(1, 2).all(number -> number > 1).toBlocking().single());
    said.add(numbers(1, 2).exists(number -> number > 1).toBlocking().single());
    said.add(numbers(1, 2).isEmpty().toBlocking().single());
    said.add(numbers(1, 2).contains(2).toBlocking().single());
    said.add(numbers(1, 2).first().toBlocking().single());
    said.add(numbers().lastOrDefault(7).toBlocking().single());
    said.add(numbers(1, 2).last().map(number -> number + 1).toBlocking().single());
    Observable<List<Integer>> lists = numbers(1, 2).toList();
    said.add(lists.toBlocking().first().size());
    numbers(1, 2).toList().toBlocking().forEach(said::add);
    try {
      said.add(numbers().reduce((one, other) -> one + other).toBlocking().single());
    } catch (NoSuchElementException none) {
      said.add("no such element");
    }
  }

  private static void ends(List<Object> said) {
    Func1<Integer, Integer> more = number -> number + 1;
    Action0 ended = () -> said.add("ended");
    Subscription subscription =
        numbers(1, 2)
            .map(more::call)
            .doOnCompleted(() -> said.add("completed"))
            .doOnCompleted(ended::call)
            .finallyDo(() -> said.add("finally"))
            .subscribe(
                new Observer<Integer>() {
                  @Override
                  public void onCompleted() {}

                  @Override
                  public void onError(Throwable e) {}

                  @Override
                  public void onNext(Integer number) {
                    said.add(number);
                  }
                });
    Runnable stop = subscription::unsubscribe;
    stop.run();
    said.add(subscription.isUnsubscribed());
    FutureTask<String> future = new FutureTask<>(() -> "in time");
    future.run();
    said.add(Observable.from(future, 1, TimeUnit.MINUTES).toBlocking().single());
  }

  private static void others(List<Object> said) {
    Observable<Integer> failing = Observable.error(new IllegalStateException());
    said.add(
        failing
            .onErrorResumeNext(numbers(1, 2, 3))
            .startWith(0)
            .startWith(-2, -1)
            .startWith(Arrays.asList(-4, -3))
            .startWith(numbers(-5))
            .asObservable()
            .limit(8)
            .toList()
            .toBlocking()
            .single());
    said.add(numbers(1).toSingle().toBlocking().value());
    said.add(numbers(1, 2).elementAtOrDefault(4, 5).toBlocking().single());
    said.add(numbers(2, 1).toSortedList((one, other) -> one - other).toBlocking().single());
    said.add(numbers(1, 2).toMap(number -> "n" + number).map(Map::size).toBlocking().single());
    numbers(1).toCompletable().doOnCompleted(() -> said.add("complete")).await();
    FutureTask<String> future = new FutureTask<>(() -> "single");
    future.run();
    said.add(Single.from(future).toBlocking().value());
    PublishSubject<String> subject = PublishSubject.create();
    subject.onCompleted();
    said.add(subject.hasCompleted());
  }

  public static String calls() {
    List<Object> said = new ArrayList<>();
    others(said);
    predicates(said);
    ofOne(said);
    ends(said);
    return said.toString();
  }
}
