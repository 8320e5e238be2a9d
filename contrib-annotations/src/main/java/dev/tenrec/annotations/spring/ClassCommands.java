// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.annotations.declaration.BeanCommands;
import dev.tenrec.annotations.declaration.DeclaredCollapser;
import dev.tenrec.annotations.declaration.DeclaredCommand;
import dev.tenrec.annotations.declaration.DeclaredRemoval;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * What one class declares, and under which methods calls of it may come: those of the class itself,
 * and those of its interfaces.
 *
 * @param declared what it says
 * @param own by each method under which a call may come, the class's own
 */
record ClassCommands(BeanCommands declared, Map<Method, Method> own) {

  static ClassCommands of(BeanCommands declared) {
    if (declared.isEmpty()) {
      return new ClassCommands(declared, Map.of());
    }
    Set<Method> annotated = new HashSet<>();
    declared.commands().stream().map(DeclaredCommand::method).forEach(annotated::add);
    declared.collapsers().stream().map(DeclaredCollapser::method).forEach(annotated::add);
    declared.removals().stream().map(DeclaredRemoval::method).forEach(annotated::add);
    Map<Method, Method> own = new HashMap<>();
    annotated.forEach(method -> own.put(method, method));
    for (Class<?> shown : ClassUtils.getAllInterfacesForClassAsSet(declared.type())) {
      for (Method method : shown.getMethods()) {
        Method specific =
            BridgeMethodResolver.findBridgedMethod(
                ClassUtils.getMostSpecificMethod(method, declared.type()));
        if (annotated.contains(specific)) {
          own.put(method, specific);
        }
      }
    }
    return new ClassCommands(declared, Map.copyOf(own));
  }

  /** The methods, by name and parameters, under which no call can come to this proxy. */
  List<String> notIn(Object proxy) {
    Set<Method> reachable = new HashSet<>();
    own.forEach(
        (method, specific) -> {
          if (method.getDeclaringClass().isInstance(proxy)) {
            reachable.add(specific);
          }
        });
    return own.values().stream()
        .distinct()
        .filter(method -> !reachable.contains(method))
        .map(
            method ->
                method.getName()
                    + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")")))
        .sorted()
        .toList();
  }

  /** Whether there is something to stand before, and nothing wrong with it. */
  boolean isUsable() {
    return !own.isEmpty() && declared.mistakes().isEmpty();
  }
}
