// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** What a system property names, or a service loader finds. */
final class NamedPlugin {

  private NamedPlugin() {}

  static <T> @Nullable T find(Class<T> type) {
    String property = "hystrix.plugin." + type.getSimpleName() + ".implementation";
    String name = System.getProperty(property);
    if (name == null) {
      return ServiceLoader.load(type).findFirst().orElse(null);
    }
    try {
      return Class.forName(name).asSubclass(type).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException bad) {
      throw new IllegalStateException(
          property + "=" + name + ": a " + type.getName() + " that can be made is expected", bad);
    }
  }
}
