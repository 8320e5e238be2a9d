// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.annotations.declaration.BeanCommands;
import dev.tenrec.annotations.declaration.DeclaredCollapser;
import dev.tenrec.annotations.declaration.DeclaredCommand;
import dev.tenrec.annotations.declaration.DeclaredRemoval;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
            org.springframework.core.BridgeMethodResolver.findBridgedMethod(
                ClassUtils.getMostSpecificMethod(method, declared.type()));
        if (annotated.contains(specific)) {
          own.put(method, specific);
        }
      }
    }
    return new ClassCommands(declared, Map.copyOf(own));
  }

  /** Whether there is something to stand before, and nothing wrong with it. */
  boolean isUsable() {
    return !own.isEmpty() && declared.mistakes().isEmpty();
  }
}
