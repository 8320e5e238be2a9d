// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Mistake;
import dev.tenrec.annotations.declaration.BeanClassReader;
import dev.tenrec.annotations.declaration.Mistakes;
import dev.tenrec.annotations.invocation.GuardedMethod;
import dev.tenrec.core.Tenrec;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The commands of all beans of a context: read when their proxies are made, built when the first
 * method of a class is called or at the start-up check, whichever is earlier. Thread-safe.
 */
public final class Commands {

  private final BeanClassReader reader;
  private final CommandBuilding building;

  /** By the class as its source has it. Written by whoever comes first; read by anyone. */
  private final Map<Class<?>, ClassCommands> classes = new ConcurrentHashMap<>();

  /** By the class of the bean itself. Written by whoever comes first; read on each call. */
  private final Map<Class<?>, Map<Method, GuardedMethod>> ready = new ConcurrentHashMap<>();

  Commands(Supplier<Tenrec> tenrec, BeanClassReader reader) {
    this.reader = reader;
    this.building = new CommandBuilding(tenrec);
  }

  /** Whether methods of this class are guarded. */
  boolean hasAny(Class<?> type) {
    return of(type).isUsable();
  }

  /** Whether this method is, in that class. */
  boolean guards(Method method, Class<?> type) {
    return of(type).own().containsKey(method);
  }

  /** What a class declares. */
  ClassCommands of(Class<?> type) {
    Class<?> user = ClassUtils.getUserClass(type);
    ClassCommands present = classes.get(user);
    return present != null
        ? present
        : classes.computeIfAbsent(user, read -> ClassCommands.of(reader.read(read)));
  }

  /**
   * The command of a method.
   *
   * @param type of the bean
   * @param method as the call came
   * @return null if there is none
   * @throws CommandDeclarationException if the class's annotations are wrong: a call before the
   *     start-up check
   */
  @Nullable GuardedMethod find(Class<?> type, Method method) {
    Map<Method, GuardedMethod> methods = ready.get(type);
    return (methods != null ? methods : prepare(type)).get(method);
  }

  private Map<Method, GuardedMethod> prepare(Class<?> type) {
    ClassCommands commands = of(type);
    Mistakes mistakes = new Mistakes();
    mistakes.addAll(commands.declared().mistakes());
    Map<Method, GuardedMethod> built =
        mistakes.isEmpty() ? building.build(commands, mistakes) : Map.of();
    if (!mistakes.isEmpty()) {
      throw new CommandDeclarationException(mistakes.all());
    }
    Map<Method, GuardedMethod> earlier = ready.putIfAbsent(type, built);
    return earlier == null ? built : earlier;
  }

  /** Builds the commands of all these classes, and tells what is wrong with any of them. */
  List<Mistake> prepareAll(Iterable<Class<?>> types) {
    List<Mistake> found = new ArrayList<>();
    for (Class<?> type : types) {
      try {
        Map<Method, GuardedMethod> unused = prepare(type);
      } catch (CommandDeclarationException e) {
        found.addAll(e.mistakes());
      }
    }
    found.addAll(building.unknownRemovals());
    return found;
  }
}
