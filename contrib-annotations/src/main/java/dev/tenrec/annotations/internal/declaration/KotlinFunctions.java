// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * What Kotlin's compiler makes of functions. A function that suspends gets a continuation as its
 * last parameter, and returns nothing of its own type. One with parameters or a result of a value
 * class gets a hash in its name, and an internal one the name of its module.
 */
public final class KotlinFunctions {

  /** Kotlin's stream of items, by name: it may be absent. */
  static final String FLOW = "kotlinx.coroutines.flow.Flow";

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** What stands after the name: a hash of seven characters, the module, or both. */
  private static final Pattern ADDED = Pattern.compile("(-[\\w-]{7})?(\\$[^$]+)?");

  private static final boolean REACTOR =
      ClassUtils.isPresent(
          "kotlinx.coroutines.reactor.MonoKt", KotlinFunctions.class.getClassLoader());

  private KotlinFunctions() {}

  /** Whether a function suspends, and a proxy of Spring's can call it. */
  public static boolean suspends(Method method) {
    return KotlinDetector.isSuspendingFunction(method)
        && KotlinDetector.isKotlinType(method.getDeclaringClass()); // Spring 7 does not look at it
  }

  /** Whether it looks as if it suspends, be it Kotlin's or not. */
  static boolean takesContinuation(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .anyMatch(parameter -> parameter.getName().equals(CONTINUATION));
  }

  /** Whether what Spring calls functions that suspend with is there. */
  static boolean areCallable() {
    return REACTOR && KotlinDetector.isKotlinReflectPresent();
  }

  /** Whether what makes a publisher of a Flow is there. */
  static boolean areFollowed() {
    return REACTOR;
  }

  /** How many parameters it has in its source. */
  static int parameterCount(Method method) {
    return suspends(method) ? method.getParameterCount() - 1 : method.getParameterCount();
  }

  /** The parameters it has in its source. */
  static Class<?>[] parameterTypes(Method method) {
    return Arrays.copyOf(method.getParameterTypes(), parameterCount(method));
  }

  /** The arguments its source knows. */
  static @Nullable Object[] arguments(Method method, @Nullable Object[] arguments) {
    return suspends(method) ? Arrays.copyOf(arguments, parameterCount(method)) : arguments;
  }

  /** What it returns in its source. */
  static ResolvableType returned(Class<?> type, Method method) {
    ResolvableType owner = ResolvableType.forClass(type);
    return suspends(method)
        ? ResolvableType.forType(returnedType(method), owner.as(method.getDeclaringClass()))
        : ResolvableType.forMethodReturnType(method, type);
  }

  /** As {@link #returned}, with its type variables. */
  static Type returnedType(Method method) {
    if (!suspends(method)) {
      return method.getGenericReturnType();
    }
    Type last = method.getGenericParameterTypes()[method.getParameterCount() - 1];
    if (last instanceof ParameterizedType continuation) {
      Type result = continuation.getActualTypeArguments()[0];
      return result instanceof WildcardType wildcard && wildcard.getLowerBounds().length == 1
          ? wildcard.getLowerBounds()[0]
          : result;
    }
    return Object.class;
  }

  /** Its name in its source. */
  static String name(Method method) {
    String name = method.getName();
    if (!KotlinDetector.isKotlinType(method.getDeclaringClass())) {
      return name;
    }
    int end = name.length();
    for (int at = 1; at < name.length(); at++) {
      char next = name.charAt(at);
      if ((next == '-' || next == '$') && ADDED.matcher(name.substring(at)).matches()) {
        end = at;
        break;
      }
    }
    return name.substring(0, end);
  }

  /** Whether its compiled name is another than that in its source. */
  static boolean isMangled(Method method) {
    return !name(method).equals(method.getName());
  }
}
