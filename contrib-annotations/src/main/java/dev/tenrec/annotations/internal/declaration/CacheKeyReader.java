// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.CacheKey;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.util.ReflectionUtils;

/** Reads how the cache key of a method is made: by a method, of marked parameters, or of all. */
final class CacheKeyReader {

  private final Class<?> type;
  private final Method method;
  private final Mistakes mistakes;

  CacheKeyReader(Class<?> type, Method method, Mistakes mistakes) {
    this.type = type;
    this.method = method;
    this.mistakes = mistakes;
  }

  /** Whether parameters are marked, here or where the method was declared first. */
  static boolean marksAny(Method method) {
    // of a class in a closed module, as the JDK's own, Spring's look at it would throw
    return method.trySetAccessible()
        && Arrays.stream(new AnnotatedMethod(method).getMethodParameters())
            .anyMatch(parameter -> parameter.hasParameterAnnotation(CacheKey.class));
  }

  CacheKeys read(String keyMethod) {
    CacheKeys keys = ofArguments(keyMethod);
    return KotlinFunctions.suspends(method)
        ? (target, arguments) ->
            keys.of(target, KotlinFunctions.arguments(method, arguments)) // not its continuation
        : keys;
  }

  private CacheKeys ofArguments(String keyMethod) {
    if (!keyMethod.isEmpty()) {
      if (marksAny(method)) {
        mistakes.add(
            type, method, "both cacheKeyMethod and @CacheKey parameters", "one of the two");
      }
      return byMethod(keyMethod);
    }
    return marksAny(method) ? ofMarked() : CacheKeyReader::all;
  }

  /** Not joined to a text: what is equal as a list is equal. */
  private static List<@Nullable Object> all(Object target, @Nullable Object[] arguments) {
    return Collections.unmodifiableList(Arrays.asList(arguments.clone()));
  }

  private CacheKeys byMethod(String name) {
    Method found = ReflectionUtils.findMethod(type, name, KotlinFunctions.parameterTypes(method));
    if (found == null || found.getReturnType() == void.class) {
      mistakes.add(
          type,
          method,
          "cacheKeyMethod \""
              + name
              + "\", but "
              + (found == null
                  ? "no such method with its parameters"
                  : "it returns nothing: " + Signatures.found(found)),
          "Object "
              + Signatures.nameAndParameters(method)
                  .replace(KotlinFunctions.name(method) + "(", name + "("));
      return CacheKeyReader::all;
    }
    try {
      found.setAccessible(true);
      MethodHandle handle =
          FallbackMethod.handle(
              found,
              KotlinFunctions.parameterCount(method),
              KotlinFunctions.parameterCount(method),
              false,
              false);
      return (target, arguments) -> call(handle, target, arguments);
    } catch (IllegalAccessException | InaccessibleObjectException e) {
      mistakes.add(
          type,
          method,
          "cacheKeyMethod \"" + name + "\", which is closed to Tenrec",
          "its package opened to dev.tenrec.annotations");
      return CacheKeyReader::all;
    }
  }

  private static @Nullable Object call(
      MethodHandle handle, Object target, @Nullable Object[] arguments) {
    try {
      return (Object) handle.invokeExact(target, arguments, (Throwable) null);
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
  }

  private CacheKeys ofMarked() {
    List<Integer> places = new ArrayList<>();
    List<PropertyPath> paths = new ArrayList<>();
    MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
    for (int i = 0; i < parameters.length; i++) {
      CacheKey marked = parameters[i].getParameterAnnotation(CacheKey.class);
      if (marked == null) {
        continue;
      }
      PropertyPath path = PropertyPath.find(method.getParameterTypes()[i], marked.value());
      if (path == null) {
        mistakes.add(
            type,
            method,
            "@CacheKey(\""
                + marked.value()
                + "\") on a "
                + method.getParameterTypes()[i].getSimpleName()
                + ", which has no such property",
            "a property with a getter, a record's accessor, or a public field");
      } else {
        places.add(i);
        paths.add(path);
      }
    }
    return (target, arguments) -> {
      List<@Nullable Object> key = new ArrayList<>(places.size());
      for (int i = 0; i < places.size(); i++) {
        key.add(paths.get(i).read(arguments[places.get(i)]));
      }
      return key;
    };
  }
}
