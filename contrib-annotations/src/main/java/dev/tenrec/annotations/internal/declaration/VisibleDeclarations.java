// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * The declarations under which calls of one method may come to a proxy: that of the class itself,
 * those it overrides or implements, and the bridges the compiler adds where types are narrowed or a
 * superclass is hidden.
 */
public final class VisibleDeclarations {

  /** What all these declarations share, seen from the class, type variables resolved. */
  private record Signature(String name, List<Class<?>> parameters) {

    static Signature of(Class<?> type, Method method) {
      List<Class<?>> parameters = new ArrayList<>(method.getParameterCount());
      for (int i = 0; i < method.getParameterCount(); i++) {
        parameters.add(Signatures.resolvedParameter(type, method, i).toClass());
      }
      return new Signature(method.getName(), parameters);
    }
  }

  private VisibleDeclarations() {}

  /**
   * All declarations under which calls of these methods may come.
   *
   * @param type the bean's class, or an interface
   * @param methods as the class has them
   * @return by each declaration the method of {@code methods} that is meant
   */
  public static Map<Method, Method> of(Class<?> type, Collection<Method> methods) {
    Map<Method, Method> all = new HashMap<>();
    Map<Signature, Method> wanted = new HashMap<>();
    for (Method method : methods) {
      all.put(method, method);
      wanted.put(Signature.of(type, BridgeMethodResolver.findBridgedMethod(method)), method);
    }
    Set<String> names = methods.stream().map(Method::getName).collect(Collectors.toSet());
    for (Class<?> level : levels(type)) {
      for (Method declared : level.getDeclaredMethods()) {
        if (names.contains(declared.getName()) && isInherited(declared)) {
          Method meant = wanted.get(Signature.of(type, own(type, declared)));
          if (meant != null) {
            all.putIfAbsent(declared, meant);
          }
        }
      }
    }
    return Map.copyOf(all);
  }

  private static boolean isInherited(Method method) {
    return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
  }

  private static Method own(Class<?> type, Method declared) {
    return BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(declared, type));
  }

  /** The class, those above it, and all their interfaces. */
  public static Set<Class<?>> levels(Class<?> type) {
    Set<Class<?>> levels = new LinkedHashSet<>();
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      levels.add(level);
      for (Class<?> shown : level.getInterfaces()) {
        levels.addAll(levels(shown));
      }
    }
    return levels;
  }
}
