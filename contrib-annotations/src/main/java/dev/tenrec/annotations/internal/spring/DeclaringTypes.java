// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.util.ClassUtils;

/**
 * The types that speak for a bean, and that its keys are named after: its class as the source has
 * it; of a proxy of interfaces and of a lambda, whose class has no name to rely on, the interfaces.
 */
final class DeclaringTypes {

  private DeclaringTypes() {}

  static List<Class<?>> of(Class<?> type) {
    Class<?> user = ClassUtils.getUserClass(type);
    if (!Proxy.isProxyClass(user) && !ClassUtils.isLambdaClass(user)) {
      return List.of(user);
    }
    List<Class<?>> shown = List.of(user.getInterfaces());
    return shown.stream().filter(one -> shown.stream().noneMatch(isBelow(one))).toList();
  }

  private static Predicate<Class<?>> isBelow(Class<?> type) {
    return other -> other != type && type.isAssignableFrom(other);
  }
}
