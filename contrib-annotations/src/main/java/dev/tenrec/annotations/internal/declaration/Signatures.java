// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/** How methods are written in messages and keys. */
public final class Signatures {

  private Signatures() {}

  /** As {@code dev.shop.Quotes.byId(long)}. */
  public static String where(Class<?> type, Method method) {
    return type.getName() + "." + nameAndParameters(method);
  }

  /** As {@code byId(long)}. */
  static String nameAndParameters(Method method) {
    return of(method, Class::getSimpleName);
  }

  /** As {@code byId(long)}, its parameters' types written by {@code words}. */
  static String of(Method method, Function<Class<?>, String> words) {
    return KotlinFunctions.name(method)
        + Arrays.stream(KotlinFunctions.parameterTypes(method))
            .map(words)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  /** As {@code private Quote lost(long, Throwable)}. */
  static String found(Method method) {
    return Arrays.stream(method.getGenericParameterTypes())
        .limit(KotlinFunctions.parameterCount(method))
        .map(Signatures::simple)
        .collect(Collectors.joining(", ", returned(method) + " " + method.getName() + "(", ")"));
  }

  /** The method {@code name} that would suit, for {@code command} as {@code type} sees it. */
  static String expected(Class<?> type, Method command, String name, List<String> more) {
    List<String> parameters =
        java.util.stream.Stream.concat(
                java.util.stream.IntStream.range(0, KotlinFunctions.parameterCount(command))
                    .mapToObj(index -> simple(parameter(type, command, index))),
                more.stream())
            .toList();
    return expected(type, command, name) + "(" + String.join(", ", parameters) + ")";
  }

  static String expected(Class<?> type, Method command, String name) {
    return (KotlinFunctions.suspends(command) ? "suspend " : "")
        + simple(GenericTypeResolver.resolveType(KotlinFunctions.returnedType(command), type))
        + " "
        + name;
  }

  private static String returned(Method method) {
    return (KotlinFunctions.suspends(method) ? "suspend " : "")
        + simple(KotlinFunctions.returnedType(method));
  }

  /** A parameter's type, type variables resolved as far as {@code type} allows. */
  static Type parameter(Class<?> type, Method method, int index) {
    return GenericTypeResolver.resolveType(method.getGenericParameterTypes()[index], type);
  }

  /** A parameter's type, type variables resolved as far as {@code type} allows. */
  public static ResolvableType resolvedParameter(Class<?> type, Method method, int index) {
    return ResolvableType.forMethodParameter(method, index, type);
  }

  /** Without the packages. */
  static String simple(Type type) {
    return type.getTypeName().replaceAll("\\b[a-z_][a-z_0-9]*\\.", "").replaceAll("\\w+\\$", "");
  }
}
