// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/** Methods of RxJava 1 that have another name in RxJava 3, another type, or none. */
final class RxOperators {

  static final String OBSERVABLE = "rx.Observable";
  static final String NO_BLOCKING = "RxJava 3 has no toBlocking(), but blocking..() methods";
  private static final String SINGLE = "rx.Single";
  private static final String COMPLETABLE = "rx.Completable";

  /** A method that has another name, on a type or what extends it. */
  private record Renamed(String type, String name, String newName) {}

  /** Methods of the same meaning. OnSubscribe is an Action1, and comes before it. */
  private static final List<Renamed> RENAMED =
      List.of(
          new Renamed("rx.Observable$OnSubscribe", "call", "subscribe"),
          new Renamed("rx.Observer", "onCompleted", "onComplete"),
          new Renamed("rx.Subscription", "unsubscribe", "dispose"),
          new Renamed("rx.Subscription", "isUnsubscribed", "isDisposed"),
          new Renamed("rx.functions.Action0", "call", "run"),
          new Renamed("rx.functions.Action1", "call", "accept"),
          new Renamed("rx.functions.Func0", "call", "get"),
          new Renamed("rx.functions.Func1", "call", "apply"),
          new Renamed("rx.functions.Func2", "call", "apply"),
          new Renamed(OBSERVABLE, "doOnCompleted", "doOnComplete"),
          new Renamed(OBSERVABLE, "finallyDo", "doAfterTerminate"),
          new Renamed(OBSERVABLE, "limit", "take"),
          new Renamed(OBSERVABLE, "asObservable", "hide"),
          new Renamed(OBSERVABLE, "toSingle", "singleOrError"),
          new Renamed(OBSERVABLE, "toCompletable", "ignoreElements"),
          new Renamed(OBSERVABLE, "hasCompleted", "hasComplete"),
          new Renamed(SINGLE, "toCompletable", "ignoreElement"),
          new Renamed(COMPLETABLE, "doOnCompleted", "doOnComplete"),
          new Renamed(COMPLETABLE, "await", "blockingAwait"));

  /** Observables of one item, by the method whose answer is a Single. */
  private static final Map<String, String> OF_ONE =
      Map.ofEntries(
          Map.entry("all", "all"),
          Map.entry("collect", "collect"),
          Map.entry("contains", "contains"),
          Map.entry("countLong", "count"),
          Map.entry("elementAtOrDefault", "elementAt"),
          Map.entry("exists", "any"),
          Map.entry("first", "firstOrError"),
          Map.entry("firstOrDefault", "first"),
          Map.entry("isEmpty", "isEmpty"),
          Map.entry("last", "lastOrError"),
          Map.entry("lastOrDefault", "last"),
          Map.entry("reduce", "reduce"),
          Map.entry("sequenceEqual", "sequenceEqual"),
          Map.entry("single", "singleOrError"),
          Map.entry("singleOrDefault", "single"),
          Map.entry("toList", "toList"),
          Map.entry("toMap", "toMap"),
          Map.entry("toMultimap", "toMultimap"),
          Map.entry("toSortedList", "toSortedList"));

  /** Methods whose function that answers a Boolean is a Predicate, or a BiPredicate. */
  private static final Set<String> TESTING =
      Set.of(
          "all",
          "distinctUntilChanged",
          "exists",
          "filter",
          "retry",
          "sequenceEqual",
          "skipWhile",
          "takeUntil",
          "takeWhile");

  /** Methods whose predicate is a filter before them. */
  private static final Set<String> SELECTING =
      Set.of(
          "first",
          "firstOrDefault",
          "last",
          "lastOrDefault",
          "single",
          "singleOrDefault",
          "takeFirst");

  /** A method that is left, on a type or what extends it. */
  private record Left(String type, String name, String advice) {}

  private static final String FLOWABLE = "only a Flowable has it";
  private static final String ENDS = "doOnDispose(..) is not called after an end: doFinally(..)";
  private static final String SUBSCRIBE = "subscribe(..)";

  private static final List<Left> LEFT =
      List.of(
          new Left(OBSERVABLE, "count", "count() is a Single<Long>"),
          new Left(OBSERVABLE, "elementAt", "elementAt(..) is a Maybe, empty where it failed"),
          new Left(OBSERVABLE, "ignoreElements", "ignoreElements() is a Completable"),
          new Left(OBSERVABLE, "doOnRequest", FLOWABLE),
          new Left(OBSERVABLE, "onBackpressureBuffer", FLOWABLE),
          new Left(OBSERVABLE, "onBackpressureDrop", FLOWABLE),
          new Left(OBSERVABLE, "onBackpressureLatest", FLOWABLE),
          new Left(OBSERVABLE, "rebatchRequests", FLOWABLE),
          new Left(OBSERVABLE, "doOnSubscribe", "doOnSubscribe(..) takes a Consumer<Disposable>"),
          new Left(SINGLE, "doOnSubscribe", "doOnSubscribe(..) takes a Consumer<Disposable>"),
          new Left(COMPLETABLE, "doOnSubscribe", "doOnSubscribe(..) takes a Consumer<Disposable>"),
          new Left(OBSERVABLE, "doOnUnsubscribe", ENDS),
          new Left(SINGLE, "doOnUnsubscribe", ENDS),
          new Left(COMPLETABLE, "doOnUnsubscribe", ENDS),
          new Left(OBSERVABLE, "unsafeSubscribe", SUBSCRIBE),
          new Left(SINGLE, "unsafeSubscribe", SUBSCRIBE),
          new Left(COMPLETABLE, "unsafeSubscribe", SUBSCRIBE),
          new Left(OBSERVABLE, "fromEmitter", "create(..), or a Flowable"),
          new Left(COMPLETABLE, "fromEmitter", "create(..)"),
          new Left(OBSERVABLE, "nest", "just(..) of it"),
          new Left(OBSERVABLE, "onExceptionResumeNext", "onErrorResumeNext(..) that looks"),
          new Left(OBSERVABLE, "takeLastBuffer", "takeLast(..).toList()"),
          new Left(COMPLETABLE, "get", "blockingAwait() throws it"),
          new Left("rx.schedulers.Schedulers", "immediate", "trampoline(), or none"),
          new Left("rx.schedulers.Schedulers", "test", "new TestScheduler()"),
          new Left("rx.Subscriber", "add", "setDisposable(..) of an ObservableEmitter"),
          new Left("rx.Subscriber", "setProducer", FLOWABLE),
          new Left("rx.Subscriber", "request", FLOWABLE));

  private RxOperators() {}

  static @Nullable String renamed(JavaType.Method method, String name) {
    for (Renamed one : RENAMED) {
      if (one.name().equals(name) && isOf(method, one.type())) {
        return one.newName();
      }
    }
    return null;
  }

  /** The name of what answers a Single; null if it does not. */
  static @Nullable String ofOne(JavaType.Method method) {
    return isOf(method, OBSERVABLE) ? OF_ONE.get(method.getName()) : null;
  }

  static boolean isTesting(JavaType.Method method) {
    return isOf(method, OBSERVABLE) && TESTING.contains(method.getName());
  }

  /** Whether its last argument is a predicate that RxJava 3 has a filter for. */
  static boolean isSelecting(JavaType.Method method) {
    List<JavaType> parameters = method.getParameterTypes();
    return SELECTING.contains(method.getName())
        && !parameters.isEmpty()
        && TypeUtils.isOfClassType(parameters.get(parameters.size() - 1), "rx.functions.Func1");
  }

  /** What to do by hand; null if nothing is known that has to be done. */
  static @Nullable String adviceFor(JavaType.Method method) {
    for (Left left : LEFT) {
      if (left.name().equals(method.getName()) && isOf(method, left.type())) {
        return left.advice();
      }
    }
    return null;
  }

  /** Of one that is only named: there is no place for another call behind it. */
  static @Nullable String adviceForName(JavaType.Method method) {
    String name = method.getName();
    if (name.equals("toBlocking")) {
      return NO_BLOCKING;
    }
    if (method.getDeclaringType().getFullyQualifiedName().startsWith("rx.observables.Blocking")) {
      return NO_BLOCKING;
    }
    if (ofOne(method) != null) {
      return "a Single: a lambda, with toObservable() behind it";
    }
    if (isOf(method, OBSERVABLE) && Set.of("from", "startWith", "takeFirst").contains(name)) {
      return "RxJava 3 has several in its place";
    }
    return adviceFor(method);
  }

  static boolean isOf(JavaType.Method method, String type) {
    return TypeUtils.isAssignableTo(type, method.getDeclaringType());
  }
}
