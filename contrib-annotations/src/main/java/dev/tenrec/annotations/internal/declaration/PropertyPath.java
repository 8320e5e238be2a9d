// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/** Reads {@code owner.name} of an argument; null if one on the way is null. */
record PropertyPath(List<MethodHandle> steps) {

  private static final MethodType STEP = MethodType.methodType(Object.class, Object.class);

  /** The path; null if there is none. The empty text is the argument itself. */
  static @Nullable PropertyPath find(Class<?> type, String text) {
    List<MethodHandle> steps = new ArrayList<>();
    Class<?> at = type;
    for (String name : text.isEmpty() ? new String[0] : text.split("\\.", -1)) {
      MethodHandle step = step(at, name);
      if (step == null) {
        return null;
      }
      steps.add(step.asType(STEP));
      at = step.type().returnType();
    }
    return new PropertyPath(List.copyOf(steps));
  }

  private static @Nullable MethodHandle step(Class<?> type, String name) {
    try {
      var property = name.isEmpty() ? null : BeanUtils.getPropertyDescriptor(type, name);
      Method getter = property == null ? null : property.getReadMethod();
      if (getter == null && !name.isEmpty()) {
        getter = ReflectionUtils.findMethod(type, name); // a record's
      }
      if (getter != null && getter.getReturnType() != void.class) {
        getter.setAccessible(true);
        return MethodHandles.lookup().unreflect(getter);
      }
      return MethodHandles.lookup().unreflectGetter(type.getField(name));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // reported as a missing property
    }
  }

  @Nullable Object read(@Nullable Object argument) {
    Object at = argument;
    try {
      for (MethodHandle step : steps) {
        if (at == null) {
          return null;
        }
        at = (Object) step.invokeExact(at);
      }
      return at;
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
  }
}
