// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Mistake;
import dev.tenrec.annotations.internal.declaration.BeanClassReader;
import dev.tenrec.annotations.internal.declaration.KeyStyle;
import dev.tenrec.annotations.internal.declaration.Mistakes;
import dev.tenrec.annotations.internal.invocation.GuardedMethod;
import dev.tenrec.annotations.internal.invocation.Transactions;
import dev.tenrec.core.Tenrec;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands of all beans of a context: read when their proxies are made, built when the first
 * method of a class is called or at the start-up check, whichever is earlier. A class the check did
 * not see, that of a lazy bean declared by an interface, is built when its proxy is made.
 * Thread-safe.
 */
public final class Commands {

  private final BeanClassReader reader;
  private final CommandBuilding building;
  private final Predicate<Class<?>> unsuited;

  /**
   * By the class of the bean. Written by a thread that finds no entry for the class, read for each
   * of its methods, ordered by the map.
   */
  private final Map<Class<?>, List<ClassCommands>> declared = new ConcurrentHashMap<>();

  /**
   * By the type that declares. Written by the first thread that asks for a type, read by any
   * thread, ordered by the map.
   */
  private final Map<Class<?>, ClassCommands> classes = new ConcurrentHashMap<>();

  /**
   * By the class of the bean itself, and by the type that declares. Written by the first thread
   * that needs a class's commands, read on each call, ordered by the map.
   */
  private final Map<Class<?>, Map<Method, GuardedMethod>> ready = new ConcurrentHashMap<>();

  /**
   * Classes of beans that were about to get a proxy. Written by the thread that makes the proxy,
   * read by the start-up check, ordered by the set.
   */
  private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

  /**
   * Written by the start-up check, once; read by threads that make proxies, ordered by volatile
   * access.
   */
  private volatile boolean checked;

  /**
   * Over a reader.
   *
   * @param style what keys are made of that annotations do not say
   * @param unsuited classes before which this context's proxies cannot stand
   */
  Commands(
      Supplier<Tenrec> tenrec,
      KeyStyle style,
      BeanClassReader reader,
      Predicate<Class<?>> unsuited,
      Transactions transactions) {
    this.reader = reader;
    this.building = new CommandBuilding(tenrec, style, transactions);
    this.unsuited = unsuited;
  }

  /**
   * Whether a proxy is to stand before beans of this class. Not if something is wrong with it and
   * the start-up check is still to come: the check reports all mistakes at once.
   *
   * @throws CommandDeclarationException if something is wrong with it, and the check is over
   */
  boolean needsProxy(Class<?> type) {
    List<ClassCommands> all = of(type);
    if (all.isEmpty()) {
      return false;
    }
    if (checked) {
      Map<Method, GuardedMethod> unused = prepare(type);
    } else {
      boolean unused = seen.add(type);
    }
    return all.stream().allMatch(ClassCommands::isSound);
  }

  /** Whether this method is guarded, in that class. */
  boolean guards(Method method, Class<?> type) {
    return of(type).stream().anyMatch(one -> one.own().containsKey(method));
  }

  /** Whether this method is a command, or a collapser, in that class. */
  boolean isCommand(Method method, Class<?> type) {
    return of(type).stream().anyMatch(one -> one.isCommand(method));
  }

  /**
   * What the types say that declare commands of a class; types without annotations are left out.
   */
  List<ClassCommands> of(Class<?> type) {
    List<ClassCommands> present = declared.get(type);
    if (present != null) {
      return present;
    }
    List<Class<?>> declaring = TestDoubles.isOfMocks(type) ? List.of() : DeclaringTypes.of(type);
    List<ClassCommands> read =
        declaring.stream()
            .map(one -> classes.computeIfAbsent(one, this::read))
            .filter(one -> !one.declared().isEmpty())
            .toList();
    declared.put(type, read);
    return read;
  }

  private ClassCommands read(Class<?> type) {
    ClassCommands read = ClassCommands.of(reader.read(type));
    return !read.declared().isEmpty() && read.isSound() && unsuited.test(type)
        ? read.unsuited()
        : read;
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
    Map<Method, GuardedMethod> present = ready.get(type);
    if (present != null) {
      return present;
    }
    Map<Method, GuardedMethod> methods = new HashMap<>();
    for (ClassCommands one : of(type)) {
      Class<?> declaring = one.declared().type();
      (declaring == type ? build(one) : prepare(declaring)).forEach(methods::putIfAbsent);
    }
    Map<Method, GuardedMethod> built = Map.copyOf(methods);
    Map<Method, GuardedMethod> earlier = ready.putIfAbsent(type, built);
    if (earlier != null) {
      return earlier;
    }
    if (DeclaringTypes.of(type).contains(type)) {
      building.publish(built.values());
    }
    return built;
  }

  private Map<Method, GuardedMethod> build(ClassCommands one) {
    Mistakes mistakes = new Mistakes();
    mistakes.addAll(one.declared().mistakes());
    Map<Method, GuardedMethod> built =
        mistakes.isEmpty() ? building.build(one, mistakes) : building.conflicts(one, mistakes);
    if (!mistakes.isEmpty()) {
      throw new CommandDeclarationException(mistakes.all());
    }
    SelfInvocations.warn(one);
    return built;
  }

  /**
   * Builds the commands of all these classes, and of those that were about to get a proxy, and
   * returns what is wrong with any of them. From then on each class is built when its proxy is
   * made.
   *
   * @param doubled classes whose only beans are a test's doubles: they have no commands
   */
  List<Mistake> prepareAll(Set<Class<?>> types, Set<Class<?>> doubled) {
    Mistakes found = new Mistakes();
    Set<Class<?>> all = new LinkedHashSet<>(types);
    all.addAll(seen);
    all.removeAll(doubled);
    for (Class<?> type : all) {
      try {
        Map<Method, GuardedMethod> unused = prepare(type);
      } catch (CommandDeclarationException e) {
        found.addAll(e.mistakes());
      }
    }
    found.addAll(building.unknownRemovals());
    checked = true;
    return found.all();
  }
}
