// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.Mistake;
import dev.tenrec.annotations.internal.declaration.BeanCommands;
import dev.tenrec.annotations.internal.declaration.DeclaredCollapser;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.DeclaredRemoval;
import dev.tenrec.annotations.internal.declaration.VisibleDeclarations;
import dev.tenrec.annotations.internal.invocation.ProxyMethods;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * What one class declares, and under which methods calls of it may come.
 *
 * @param declared what it says
 * @param own by each method under which a call may come, the class's own
 */
record ClassCommands(BeanCommands declared, Map<Method, Method> own) {

  static ClassCommands of(BeanCommands declared) {
    Set<Method> annotated = new HashSet<>();
    declared.commands().stream()
        .map(DeclaredCommand::method)
        .filter(method -> !Modifier.isPrivate(method.getModifiers())) // a fallback
        .forEach(annotated::add);
    declared.collapsers().stream().map(DeclaredCollapser::method).forEach(annotated::add);
    declared.removals().stream().map(DeclaredRemoval::method).forEach(annotated::add);
    return new ClassCommands(
        declared,
        annotated.isEmpty() ? Map.of() : VisibleDeclarations.of(declared.type(), annotated));
  }

  /** The methods, by name and parameters, under which no call can come to this proxy. */
  List<String> notIn(Object proxy) {
    Set<Method> reachable = new HashSet<>();
    own.forEach(
        (method, specific) -> {
          if (Proxy.isProxyClass(proxy.getClass())
              ? method.getDeclaringClass().isInstance(proxy)
              : isGuardedBy(proxy.getClass(), method)) {
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

  /**
   * Whether a proxy that is a subclass has the method, or the one of the bean's class that a bridge
   * leads to: else calls of it pass by all that stands before the bean.
   */
  private static boolean isGuardedBy(Class<?> proxy, Method method) {
    Class<?> bean = ClassUtils.getUserClass(proxy);
    Method ofBean =
        BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, bean));
    return ProxyMethods.isOverridden(method, proxy, bean)
        || ProxyMethods.isOverridden(ofBean, proxy, bean);
  }

  /** Whether a call of this method is a command's, or a collapser's; not if it only removes. */
  boolean isCommand(Method method) {
    Method specific = own.get(method);
    return declared.commands().stream().anyMatch(one -> one.method().equals(specific))
        || declared.collapsers().stream().anyMatch(one -> one.method().equals(specific));
  }

  /** Whether nothing is wrong with it. */
  boolean isSound() {
    return declared.mistakes().isEmpty();
  }

  /** For a class before which no proxy can stand: no command, and that mistake. */
  ClassCommands unsuited() {
    Mistake mistake =
        new Mistake(
            declared.type().getName(),
            "a final class with commands, where proxies are subclasses",
            "a class that is not final, or proxies of interfaces (proxyTargetClass = false, under"
                + " Boot spring.aop.proxy-target-class=false)");
    return new ClassCommands(
        new BeanCommands(declared.type(), List.of(), List.of(), List.of(), List.of(mistake)),
        Map.of());
  }
}
