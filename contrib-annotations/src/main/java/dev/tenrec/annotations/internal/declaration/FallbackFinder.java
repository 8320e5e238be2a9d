// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds the fallback methods of one command: by name, in its class and above. */
final class FallbackFinder {

  /** Why names are found that do not stand in the source. */
  private static final String MANGLED =
      ". Kotlin compiles a function that is internal, or that has a value class among its"
          + " parameters or as its result, to a method of another name, and a value class to what"
          + " it holds: name the function as in its source, and let it have the command's"
          + " parameters";

  private final Class<?> type;
  private final Method command;
  private final AnswerKind kind;
  private final Mistakes mistakes;

  FallbackFinder(Class<?> type, Method command, AnswerKind kind, Mistakes mistakes) {
    this.type = type;
    this.command = command;
    this.kind = kind;
    this.mistakes = mistakes;
  }

  /**
   * The fallback methods of a name.
   *
   * @param attribute where the name is from, for messages
   * @param arguments whether they take the command's arguments
   * @return null, and a mistake, if they are not as they have to be
   */
  @Nullable Fallbacks find(String name, String attribute, boolean arguments) {
    List<Method> named = visible(name);
    int most = arguments ? KotlinFunctions.parameterCount(command) : 0;
    List<Method> full = named.stream().filter(method -> fits(method, most)).toList();
    boolean shortened = full.isEmpty() && most > 0 && endsInAnException(most);
    int count = shortened ? most - 1 : most;
    List<Method> fitting =
        shortened ? named.stream().filter(method -> fits(method, count)).toList() : full;
    if (fitting.contains(command)) {
      return refuse(attribute + " \"" + name + "\", which is the method itself", name, arguments);
    }
    if (fitting.isEmpty()) {
      return refuse(
          attribute
              + " \""
              + name
              + "\", but "
              + (named.isEmpty() ? "no method of that name" : found(named)),
          name,
          arguments);
    }
    List<FallbackMethod> methods = new ArrayList<>();
    for (Method method : fitting) {
      FallbackMethod read = read(method, count, name, attribute, arguments);
      if (read == null) {
        return null;
      }
      if (methods.stream().anyMatch(other -> other.cause() == read.cause())) {
        return refuse(
            attribute + " \"" + name + "\", which is ambiguous: " + found(fitting),
            name,
            arguments);
      }
      methods.add(read);
    }
    methods.sort(Comparator.comparingInt(method -> -depth(method.cause())));
    return new Fallbacks(List.copyOf(methods), arguments);
  }

  /** Whether any method has this name. */
  boolean isThere(String name) {
    return !visible(name).isEmpty();
  }

  /**
   * Whether the command takes an exception last, as a fallback does: its own fallbacks may have the
   * parameters before it only, which are those of the first command.
   */
  private boolean endsInAnException(int parameters) {
    return Throwable.class.isAssignableFrom(command.getParameterTypes()[parameters - 1]);
  }

  /** Whether the command is one of the default fallbacks of this name itself. */
  boolean isOne(String name) {
    return (command.getName().equals(name) || KotlinFunctions.name(command).equals(name))
        && fits(command, 0);
  }

  /** The methods of a name; if there is none, those of Kotlin that have it in their source. */
  private List<Method> visible(String name) {
    List<Method> compiled = visible(method -> method.getName().equals(name));
    return compiled.isEmpty()
        ? visible(method -> !method.isSynthetic() && KotlinFunctions.name(method).equals(name))
        : compiled;
  }

  /** Without those that are overridden or hidden by a subclass's. */
  private List<Method> visible(Predicate<Method> isNamed) {
    List<Method> found = new ArrayList<>();
    Set<List<Object>> seen = new HashSet<>();
    for (Class<?> level = type;
        level != null && level != Object.class;
        level = level.getSuperclass()) {
      List<Method> here =
          Arrays.stream(level.getDeclaredMethods())
              .filter(isNamed)
              .filter(method -> !seen.contains(signature(method)))
              .toList();
      here.forEach(method -> seen.add(signature(method)));
      here.stream().filter(method -> !method.isBridge()).forEach(found::add);
    }
    return found;
  }

  private static List<Object> signature(Method method) {
    return List.of(method.getName(), List.of(method.getParameterTypes()));
  }

  private boolean fits(Method method, int count) {
    int parameters = KotlinFunctions.parameterCount(method);
    if (parameters != count && parameters != count + 1) {
      return false;
    }
    if (KotlinFunctions.suspends(method) && !KotlinFunctions.suspends(command)) {
      return false; // no coroutine is there that it could suspend
    }
    for (int i = 0; i < count; i++) {
      ResolvableType theirs = Signatures.resolvedParameter(type, method, i);
      ResolvableType ours = Signatures.resolvedParameter(type, command, i);
      if (theirs.toClass() != ours.toClass() || !theirs.isAssignableFrom(ours)) {
        return false;
      }
    }
    return parameters == count
        || Throwable.class.isAssignableFrom(method.getParameterTypes()[count]);
  }

  private @Nullable FallbackMethod read(
      Method method, int count, String name, String attribute, boolean arguments) {
    boolean suspends = KotlinFunctions.suspends(method);
    boolean wrapped = isWrapped(method);
    if (!wrapped && (suspends || !answersPlainly(method))) {
      refuse(
          attribute + " \"" + name + "\", which returns something else: " + found(List.of(method)),
          name,
          arguments);
      return null;
    }
    if (AnnotatedElementUtils.hasAnnotation(method, Collapsed.class)) {
      refuse(
          attribute + " \"" + name + "\", which is @Collapsed: its body never runs",
          name,
          arguments);
      return null;
    }
    boolean takesCause = KotlinFunctions.parameterCount(method) > count;
    int given = arguments ? KotlinFunctions.parameterCount(command) : 0;
    boolean drops = arguments && !suspends && KotlinFunctions.suspends(command);
    try {
      method.setAccessible(true);
      MethodHandle handle = FallbackMethod.handle(method, count, given, takesCause, drops);
      Method declared = ClassUtils.getInterfaceMethodIfPossible(method, type);
      declared.setAccessible(true); // its interface need not be public
      MethodHandle viaInterface =
          declared.equals(method)
              ? null
              : FallbackMethod.handle(declared, count, given, takesCause, drops);
      return new FallbackMethod(
          method,
          takesCause ? method.getParameterTypes()[count].asSubclass(Throwable.class) : null,
          handle,
          viaInterface,
          AnnotatedElementUtils.hasAnnotation(method, Command.class),
          wrapped,
          suspends);
    } catch (IllegalAccessException | InaccessibleObjectException e) {
      mistakes.add(
          type,
          command,
          attribute + " \"" + name + "\", which is closed to Tenrec: " + e.getMessage(),
          "its package opened to dev.tenrec.annotations");
      return null;
    }
  }

  private ResolvableType ours() {
    return KotlinFunctions.returned(type, command);
  }

  /** Whether it returns what the command's method does, and that holds its answer. */
  private boolean isWrapped(Method method) {
    boolean holds =
        KotlinFunctions.suspends(command)
            ? KotlinFunctions.suspends(method) || kind.isStream()
            : kind != AnswerKind.VALUE;
    return holds && answers(method, ours());
  }

  private boolean answersPlainly(Method method) {
    ResolvableType wanted = ours();
    if (KotlinFunctions.suspends(command) && !kind.isStream()) {
      return answers(method, wanted)
          || (wanted.toClass().getName().equals("kotlin.Unit")
              && method.getReturnType() == void.class);
    }
    if (kind.isWrapper()) {
      wanted = wanted.getGeneric(0);
      if (wanted.resolve() == Void.class || wanted == ResolvableType.NONE) {
        return method.getReturnType() != void.class || wanted.resolve() == Void.class;
      }
    } else if (kind == AnswerKind.COMPLETABLE) {
      return method.getReturnType() == void.class;
    }
    return answers(method, wanted);
  }

  private boolean answers(Method method, ResolvableType wanted) {
    ResolvableType given = KotlinFunctions.returned(type, method);
    Class<?> raw = wanted.toClass();
    if (raw == void.class || given.toClass() == void.class) {
      return raw == given.toClass();
    }
    if (raw.isPrimitive() || given.toClass().isPrimitive()) {
      return ClassUtils.resolvePrimitiveIfNecessary(raw)
          .isAssignableFrom(ClassUtils.resolvePrimitiveIfNecessary(given.toClass()));
    }
    return wanted.isAssignableFrom(given) && TypeArguments.agree(wanted, given);
  }

  private @Nullable Fallbacks refuse(String found, String name, boolean arguments) {
    String plain = Signatures.expected(type, command, name);
    String first = arguments ? Signatures.expected(type, command, name, List.of()) : plain + "()";
    String second =
        arguments
            ? Signatures.expected(type, command, name, List.of("Throwable"))
            : plain + "(Throwable)";
    boolean mangled = visible(name).stream().anyMatch(KotlinFunctions::isMangled);
    mistakes.add(type, command, found, first + " or " + second + (mangled ? MANGLED : ""));
    return null;
  }

  private static String found(List<Method> methods) {
    return String.join(", ", methods.stream().map(Signatures::found).sorted().toList());
  }

  private static int depth(@Nullable Class<?> cause) {
    int depth = 0;
    for (Class<?> level = cause; level != null; level = level.getSuperclass()) {
      depth++;
    }
    return depth;
  }
}
