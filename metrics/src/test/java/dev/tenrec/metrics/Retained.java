// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import dev.tenrec.metrics.internal.MetricsSettings;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Estimates what an object keeps: our own objects and arrays as they are laid out with compressed
 * references.
 */
public final class Retained {

  /** What an object of the JDK, a lock or a deque, is taken for: we cannot look into it. */
  private static final long JDK_OBJECT = 64;

  private Retained() {}

  public static long bytes(Object root) {
    return bytes(root, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static long bytes(Object object, Set<Object> seen) {
    if (object == null
        || object instanceof Enum
        || object instanceof MetricsSettings
        || !seen.add(object)) {
      return 0;
    }
    Class<?> type = object.getClass();
    if (type.isHidden()) {
      return 0;
    }
    if (type.isArray()) {
      return array(object, seen);
    }
    if (!type.getName().startsWith("dev.tenrec.")) {
      return JDK_OBJECT;
    }
    long own = 12;
    long others = 0;
    for (Class<?> part = type; part != Object.class; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          own += size(field.getType());
          others += field.getType().isPrimitive() ? 0 : bytes(value(field, object), seen);
        }
      }
    }
    return rounded(own) + others;
  }

  private static long array(Object array, Set<Object> seen) {
    Class<?> component = array.getClass().getComponentType();
    int length = Array.getLength(array);
    long others = 0;
    for (int i = 0; i < length && !component.isPrimitive(); i++) {
      others += bytes(Array.get(array, i), seen);
    }
    return rounded(16 + length * size(component)) + others;
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static long size(Class<?> type) {
    if (type == long.class || type == double.class) {
      return 8;
    }
    return type == boolean.class || type == byte.class ? 1 : 4;
  }

  private static long rounded(long bytes) {
    return (bytes + 7) / 8 * 8;
  }
}
