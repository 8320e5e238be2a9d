// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a method has to be so that a proxy can stand before it, and a command can answer for it. */
final class MethodRules {

  /** By name, as Kotlin is not on the class path of those that do not use it. */
  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

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
    if (Modifier.isFinal(modifiers)) {
      mistakes.add(type, method, annotation + " on a final method", expected);
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
          "a class that is not final, or an interface that has the method");
    }
  }

  /** The kind of its answer; null, and a mistake, if there is none. */
  static @Nullable AnswerKind kind(
      Class<?> type, Method method, String annotation, Mistakes mistakes) {
    for (Class<?> parameter : method.getParameterTypes()) {
      if (parameter.getName().equals(CONTINUATION)) {
        mistakes.add(
            type,
            method,
            annotation + " on a suspend function",
            "a function that does not suspend, or one that returns a Mono or a CompletionStage");
        return null;
      }
    }
    AnswerKind kind = AnswerKind.of(method.getReturnType());
    if (kind == null) {
      mistakes.add(
          type,
          method,
          annotation + " on a method that returns " + Signatures.simple(method.getReturnType()),
          "a value, void, Future, CompletableFuture, CompletionStage, Single, Maybe, Completable,"
              + " Flowable, Observable, Mono or Flux");
    }
    return kind;
  }
}
