// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** What a method returns, and so how it becomes a command. */
public enum AnswerKind {
  /** The result itself, or nothing. */
  VALUE,
  /** A {@link Future}: the method runs elsewhere, and waits there for what it got. */
  FUTURE,
  /** A stage, started by the method. */
  STAGE,
  /** Reactive, per subscription. */
  SINGLE,
  /** Reactive, per subscription; null is empty. */
  MAYBE,
  /** Reactive, per subscription; without a value. */
  COMPLETABLE,
  /** Reactive, per subscription, with the subscriber's context. */
  MONO,
  /** A stream of items, per subscription. */
  FLOWABLE,
  /** A stream of items, per subscription; what is not consumed in time is buffered. */
  OBSERVABLE,
  /** A stream of items, per subscription, with the subscriber's context. */
  FLUX,
  /** A stream of items, each time it is collected, in the collector's context. */
  FLOW;

  private static final Map<String, AnswerKind> BY_NAME =
      Map.of(
          "io.reactivex.rxjava3.core.Single",
          SINGLE,
          "io.reactivex.rxjava3.core.Maybe",
          MAYBE,
          "io.reactivex.rxjava3.core.Completable",
          COMPLETABLE,
          "io.reactivex.rxjava3.core.Flowable",
          FLOWABLE,
          "io.reactivex.rxjava3.core.Observable",
          OBSERVABLE,
          "reactor.core.publisher.Mono",
          MONO,
          "reactor.core.publisher.Flux",
          FLUX,
          KotlinFunctions.FLOW,
          FLOW); // by name: Reactor and Kotlin may be absent

  /**
   * Types that start something and are no kind here, neither a future nor a stage; their subclasses
   * as well, as a command could not answer with one of those.
   */
  private static final Set<String> REFUSED =
      Set.of(
          "org.reactivestreams.Publisher",
          "java.util.concurrent.Flow$Publisher",
          "io.reactivex.rxjava3.core.SingleSource",
          "io.reactivex.rxjava3.core.MaybeSource",
          "io.reactivex.rxjava3.core.CompletableSource",
          "io.reactivex.rxjava3.core.ObservableSource",
          "io.reactivex.SingleSource",
          "io.reactivex.MaybeSource",
          "io.reactivex.CompletableSource",
          "io.reactivex.ObservableSource",
          "rx.Observable",
          "rx.Single",
          "rx.Completable",
          "io.smallrye.mutiny.Uni",
          KotlinFunctions.FLOW, // its subclasses: as a state's, which never ends
          "kotlinx.coroutines.Job",
          "io.vertx.core.Future",
          "scala.concurrent.Future");

  /**
   * The kind of a method's answer; null if no command can answer with it. What a function that
   * suspends returns reaches the commands as a Mono, and its Flow as a Flux.
   */
  static @Nullable AnswerKind of(Method method) {
    if (!KotlinFunctions.suspends(method)) {
      return of(method.getReturnType());
    }
    AnswerKind awaited = of(ResolvableType.forType(KotlinFunctions.returnedType(method)).toClass());
    return awaited == VALUE ? MONO : awaited == FLOW ? FLUX : null;
  }

  /** The kind of a return type; null if no command can answer with it. */
  static @Nullable AnswerKind of(Class<?> returned) {
    AnswerKind byName = BY_NAME.get(returned.getName());
    if (byName != null) {
      return byName;
    }
    if (returned == CompletableFuture.class || returned == CompletionStage.class) {
      return STAGE;
    }
    if (returned == Future.class) {
      return FUTURE;
    }
    return Future.class.isAssignableFrom(returned)
            || CompletionStage.class.isAssignableFrom(returned)
            || VisibleDeclarations.levels(returned).stream()
                .anyMatch(level -> REFUSED.contains(level.getName()))
        ? null
        : VALUE;
  }

  /** Whether objects of this class are followed by subscribing to them. */
  public static boolean isReactive(Class<?> type) {
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      if (BY_NAME.containsKey(level.getName())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the method only starts something. */
  public boolean isStaged() {
    return this != VALUE && this != FUTURE;
  }

  /** Whether nothing happens before a subscription to what the method returns. */
  public boolean isSubscribed() {
    return this != VALUE && this != FUTURE && this != STAGE;
  }

  /** Whether it brings any number of items. */
  public boolean isStream() {
    return this == FLOWABLE || this == OBSERVABLE || this == FLUX || this == FLOW;
  }

  /** Whether what the method returns holds a value of its first type argument. */
  boolean isWrapper() {
    return this != VALUE && this != COMPLETABLE;
  }
}
