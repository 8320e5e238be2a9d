// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The keys of commands that chose none: the method alone if that is the style; else class and
 * method; the parameters' types as well where the class has several of that name, with as much of
 * their names as distinguishes the methods.
 */
final class DefaultKeys {

  /** How a parameter's type is written, the shortest first; the last differs for any two types. */
  private static final List<Function<Class<?>, String>> WORDS =
      List.of(Class::getSimpleName, DefaultKeys::withOuterClasses, Class::getTypeName);

  private DefaultKeys() {}

  static Map<Method, String> of(KeyStyle style, Class<?> type, List<Method> methods) {
    Map<Method, String> keys = new HashMap<>();
    if (style == KeyStyle.METHOD) {
      methods.forEach(method -> keys.put(method, KotlinFunctions.name(method)));
      return keys;
    }
    methods.stream()
        .collect(Collectors.groupingBy(KotlinFunctions::name))
        .forEach(
            (name, overloads) -> {
              Function<Method, String> word = word(overloads);
              for (Method method : overloads) {
                keys.put(method, CommandReader.simpleName(type) + "." + word.apply(method));
              }
            });
    return keys;
  }

  private static Function<Method, String> word(List<Method> overloads) {
    if (overloads.size() == 1) {
      return KotlinFunctions::name;
    }
    for (Function<Class<?>, String> words : WORDS) {
      if (overloads.stream().map(method -> Signatures.of(method, words)).distinct().count()
          == overloads.size()) {
        return method -> Signatures.of(method, words);
      }
    }
    if (overloads.stream().map(Method::getName).distinct().count() == overloads.size()) {
      return Method::getName; // value classes of one type differ in the compiled names only
    }
    return Method::toGenericString; // they differ in what they return only
  }

  private static String withOuterClasses(Class<?> type) {
    String name = type.getTypeName();
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
  }
}
