// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Which methods of a bean's class its proxy has as well, so that a call of them passes advice. */
public final class ProxyMethods {

  private ProxyMethods() {}

  /**
   * The method under which the proxy has it.
   *
   * @param method of the bean's class
   * @return itself, or that of an interface; null if the proxy has none
   */
  public static @Nullable Method visible(Class<?> proxy, Method method) {
    if (!Proxy.isProxyClass(proxy)) {
      return isOverridden(method, proxy, ClassUtils.getUserClass(proxy)) ? method : null;
    }
    for (Class<?> shown : ClassUtils.getAllInterfacesForClass(proxy)) {
      Method inherited =
          ClassUtils.getMethodIfAvailable(shown, method.getName(), method.getParameterTypes());
      if (inherited != null && Modifier.isPublic(method.getModifiers())) {
        return inherited;
      }
    }
    return null;
  }

  /**
   * Whether a class between the proxy's and the bean's has the method anew: else a call runs in the
   * proxy itself, past all that stands before the bean.
   */
  public static boolean isOverridden(Method method, Class<?> proxy, Class<?> bean) {
    boolean isOpen = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    for (Class<?> level = proxy; level != null && level != bean; level = level.getSuperclass()) {
      boolean seesIt =
          isOpen
              || level.getPackageName().equals(method.getDeclaringClass().getPackageName())
                  && level.getClassLoader() == method.getDeclaringClass().getClassLoader();
      if (seesIt && declares(level, method)) {
        return true;
      }
    }
    return false;
  }

  /** One method is looked up: all of a proxy's would be copied for each method of its bean. */
  private static boolean declares(Class<?> level, Method method) {
    try {
      Method unused = level.getDeclaredMethod(method.getName(), method.getParameterTypes());
      return true;
    } catch (NoSuchMethodException none) {
      return false;
    }
  }
}
