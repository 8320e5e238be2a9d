// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One method that can answer.
 *
 * @param method as it is declared
 * @param cause the exceptions it takes; null if it does not look at them
 * @param handle calls it: {@code (Object target, Object[] arguments, Throwable cause) Object}
 * @param viaInterface calls it on a proxy that is not of the class; null if no interface has it
 * @param isCommand whether it is one itself, so that it is called through the bean's proxy
 * @param isWrapped whether it returns what the command's method returns, a stage or a reactive
 *     type, and not the value alone; as does one that suspends
 * @param suspends whether a continuation has to follow the arguments
 */
public record FallbackMethod(
    Method method,
    @Nullable Class<? extends Throwable> cause,
    MethodHandle handle,
    @Nullable MethodHandle viaInterface,
    boolean isCommand,
    boolean isWrapped,
    boolean suspends) {

  private static final MethodType TYPE =
      MethodType.methodType(Object.class, Object.class, Object[].class, Throwable.class);

  /** Whether it is a command that no proxy has. */
  public boolean isPrivateCommand() {
    return isCommand && Modifier.isPrivate(method.getModifiers());
  }

  /** Whether it takes this exception. */
  public boolean takes(Throwable thrown) {
    return cause == null || cause.isInstance(thrown);
  }

  /** What calls it on this bean, or on the proxy before it. */
  public MethodHandle handleFor(@Nullable Object target) {
    return viaInterface != null && !method.getDeclaringClass().isInstance(target)
        ? viaInterface
        : handle;
  }

  /**
   * The uniform handle of a method. If it suspends, its continuation comes as one more argument.
   *
   * @param arguments how many of the command's arguments it takes
   * @param given how many it is given, the others being left out
   * @param takesCause whether the exception follows them
   * @param dropsContinuation whether one comes that is not its own, of a command that suspends
   * @throws IllegalAccessException if its class is closed to this one
   */
  static MethodHandle handle(
      Method method, int arguments, int given, boolean takesCause, boolean dropsContinuation)
      throws IllegalAccessException {
    MethodHandle plain = MethodHandles.lookup().unreflect(method);
    if (Modifier.isStatic(method.getModifiers())) {
      plain = MethodHandles.dropArguments(plain, 0, Object.class);
    }
    MethodHandle generic =
        plain.asType(MethodType.genericMethodType(plain.type().parameterCount()));
    boolean suspends = KotlinFunctions.suspends(method);
    if (suspends && takesCause) {
      generic = causeLast(generic);
    } else if (dropsContinuation) {
      generic = MethodHandles.dropArguments(generic, 1 + arguments, Object.class);
    }
    MethodHandle all =
        MethodHandles.dropArguments(
            generic, 1 + arguments, Collections.nCopies(given - arguments, Object.class));
    int taken = suspends || dropsContinuation ? given + 1 : given;
    MethodHandle spread = all.asSpreader(1, Object[].class, taken);
    MethodHandle full =
        takesCause ? spread : MethodHandles.dropArguments(spread, 2, Throwable.class);
    return full.asType(TYPE);
  }

  /** Behind the continuation, which is the last parameter. */
  private static MethodHandle causeLast(MethodHandle generic) {
    int last = generic.type().parameterCount() - 1;
    int[] order = IntStream.rangeClosed(0, last).toArray();
    order[last - 1] = last; // the exception's parameter gets the last argument
    order[last] = last - 1;
    return MethodHandles.permuteArguments(generic, generic.type(), order);
  }
}
