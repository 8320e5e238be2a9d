// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;

/** What a method has to be so that a proxy can stand before it, and a command can answer for it. */
final class MethodRules {

  private MethodRules() {}

  /**
   * Reports what keeps a proxy from the method.
   *
   * @param isFallback whether it is called by a command of its class, which needs no proxy
   */
  static void checkInterceptable(
      Class<?> type, Method method, String annotation, boolean isFallback, Mistakes mistakes) {
    int modifiers = method.getModifiers();
    String expected = "a method that is not private, static or final: calls reach it by a proxy";
    if (Modifier.isPrivate(modifiers) && !isFallback) {
      mistakes.add(type, method, annotation + " on a private method", expected);
    }
    if (Modifier.isStatic(modifiers)) {
      mistakes.add(type, method, annotation + " on a static method", expected);
    }
    boolean called = isFallback && Modifier.isPrivate(modifiers); // past the proxy
    if (Modifier.isFinal(modifiers) && !called) {
      mistakes.add(
          type,
          method,
          annotation + " on a final method",
          KotlinDetector.isKotlinType(method.getDeclaringClass())
              ? "a method that is open, as the compiler's plugin kotlin-spring makes it: calls"
                  + " reach it by a proxy"
              : expected);
    }
    if ((modifiers & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0
        && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
      mistakes.add(
          type,
          method,
          annotation + " on a package-private method of a superclass in another package",
          "a method that is public or protected: no proxy can override this one");
    }
    if (Modifier.isFinal(type.getModifiers())
        && VisibleDeclarations.of(type, List.of(method)).keySet().stream()
            .noneMatch(shown -> shown.getDeclaringClass().isInterface())) {
      mistakes.add(
          type,
          method,
          annotation + " in a final class",
          KotlinDetector.isKotlinType(type)
              ? "a class that is open, as the compiler's plugin kotlin-spring makes it, or an"
                  + " interface that has the method"
              : "a class that is not final, or an interface that has the method");
    }
  }

  /** The kind of its answer; null, and a mistake, if there is none. */
  static @Nullable AnswerKind kind(
      Class<?> type, Method method, String annotation, Mistakes mistakes) {
    if (!KotlinFunctions.suspends(method) && KotlinFunctions.takesContinuation(method)) {
      mistakes.add(
          type,
          method,
          annotation + " on a method that takes a Continuation and is not Kotlin's",
          "a suspend function in a class of Kotlin's: Spring does not call this one as such");
      return null;
    }
    AnswerKind kind = AnswerKind.of(method);
    if (KotlinFunctions.suspends(method) && !KotlinFunctions.areCallable()) {
      mistakes.add(
          type,
          method,
          annotation + " on a suspend function",
          "kotlinx-coroutines-reactor and kotlin-reflect on the class path: Spring calls it by"
              + " them");
      return null;
    }
    if (kind == AnswerKind.FLOW && !KotlinFunctions.areFollowed()) {
      mistakes.add(
          type,
          method,
          annotation + " on a function that returns a Flow",
          "kotlinx-coroutines-reactor on the class path: a Flow is followed by it");
      return null;
    }
    if (kind == null) {
      Type returned = KotlinFunctions.returnedType(method);
      mistakes.add(
          type,
          method,
          annotation
              + (KotlinFunctions.suspends(method) ? " on a suspend function" : " on a method")
              + " that returns "
              + Signatures.simple(ResolvableType.forType(returned).toClass()),
          "a value, void, Future, CompletableFuture, CompletionStage, Single, Maybe, Completable,"
              + " Flowable, Observable, Mono or Flux; of Kotlin, Flow, and a value or Flow of a"
              + " suspend function");
    }
    return kind;
  }
}
