// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads all annotated methods of a bean's class: its own, inherited ones, its interfaces'. */
public final class BeanClassReader {

  private static final Set<Class<? extends java.lang.annotation.Annotation>> ANNOTATIONS =
      Set.of(Command.class, Collapsed.class, CacheResult.class, CacheRemove.class);

  private static final Logger LOG = LoggerFactory.getLogger(BeanClassReader.class);

  private final Texts texts;
  private final KeyStyle style;

  /** A reader that replaces placeholders by {@code texts}. */
  public BeanClassReader(Texts texts) {
    this(texts, KeyStyle.CLASS_AND_METHOD);
  }

  /**
   * Over an environment.
   *
   * @param style what keys are made of that annotations do not say
   */
  public BeanClassReader(Texts texts, KeyStyle style) {
    this.texts = texts;
    this.style = style;
  }

  /** What one method has. */
  private record Found(
      @Nullable Command command,
      @Nullable Collapsed collapsed,
      @Nullable CacheResult cached,
      @Nullable CacheRemove removes) {

    boolean isCommand() {
      return command != null || collapsed != null;
    }

    static @Nullable Found on(Method method) {
      MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
      Found found =
          new Found(
              one(all, Command.class),
              one(all, Collapsed.class),
              one(all, CacheResult.class),
              one(all, CacheRemove.class));
      boolean none =
          found.command == null
              && found.collapsed == null
              && found.cached == null
              && found.removes == null
              && !CacheKeyReader.marksAny(method);
      return none ? null : found;
    }

    private static <A extends java.lang.annotation.Annotation> @Nullable A one(
        MergedAnnotations all, Class<A> type) {
      return all.get(type).synthesize(MergedAnnotation::isPresent).orElse(null);
    }
  }

  /** Reads a class; never fails because of what stands there. */
  public BeanCommands read(Class<?> type) {
    if (type.getName().startsWith("org.springframework.")
        || !AnnotationUtils.isCandidateClass(type, ANNOTATIONS)) {
      return new BeanCommands(type, List.of(), List.of(), List.of(), List.of());
    }
    Map<Method, Found> found = found(type);
    if (found.isEmpty()) {
      return new BeanCommands(type, List.of(), List.of(), List.of(), List.of());
    }
    return read(type, found);
  }

  private static Map<Method, Found> found(Class<?> type) {
    try {
      // in an order of their own: a JVM's may change, and with it which of two is named as second
      Map<Method, Found> sorted =
          new TreeMap<>(
              Comparator.comparing(Signatures::nameAndParameters)
                  .thenComparing(Method::toGenericString));
      sorted.putAll(
          MethodIntrospector.selectMethods(
              type, (MethodIntrospector.MetadataLookup<@Nullable Found>) Found::on));
      return sorted;
    } catch (IllegalStateException | LinkageError e) {
      LOG.debug(
          "The methods of {} cannot be looked at", type, e); // it names classes that are absent
      return Map.of();
    }
  }

  private BeanCommands read(Class<?> type, Map<Method, Found> found) {
    Mistakes mistakes = new Mistakes();
    CommandDefaults defaults =
        AnnotatedElementUtils.findMergedAnnotation(type, CommandDefaults.class);
    CommandReader commandReader = new CommandReader(texts, type, defaults, mistakes);
    CollapserReader collapserReader = new CollapserReader(texts, type, commandReader, mistakes);
    List<Method> keyed = new ArrayList<>();
    found.forEach(
        (method, has) -> {
          if (has.isCommand()) {
            keyed.add(method);
          }
        });
    Map<Method, String> keys = DefaultKeys.of(style, type, keyed);
    List<DeclaredCommand> commands = new ArrayList<>();
    List<DeclaredCollapser> collapsers = new ArrayList<>();
    List<DeclaredRemoval> removals = new ArrayList<>();
    found.forEach(
        (method, has) -> {
          check(type, method, has, mistakes);
          String key = keys.getOrDefault(method, KotlinFunctions.name(method));
          if (has.collapsed() != null) {
            addIfRead(
                collapsers,
                collapserReader.read(
                    method,
                    has.collapsed(),
                    has.cached(),
                    key,
                    other -> keys.getOrDefault(other, key)));
          } else if (has.command() != null) {
            addIfRead(commands, commandReader.read(method, has.command(), has.cached(), key));
          }
          if (has.removes() != null) {
            removals.add(removal(type, method, has.removes(), mistakes));
          }
        });
    checkPrivate(type, commands, collapsers, mistakes);
    checkChains(type, commands, mistakes);
    return new BeanCommands(
        type,
        List.copyOf(commands),
        List.copyOf(collapsers),
        List.copyOf(removals),
        mistakes.all());
  }

  private static <T> void addIfRead(List<T> all, @Nullable T read) {
    if (read != null) {
      all.add(read);
    }
  }

  private static boolean isPrivate(Method method) {
    return Modifier.isPrivate(method.getModifiers());
  }

  /** A private command is reached as a fallback of a command of its class, or not at all. */
  private static void checkPrivate(
      Class<?> type,
      List<DeclaredCommand> commands,
      List<DeclaredCollapser> collapsers,
      Mistakes mistakes) {
    Set<Method> fallbacks = new HashSet<>();
    commands.forEach(command -> methodsOf(command.fallbacks()).forEach(fallbacks::add));
    for (DeclaredCommand command : commands) {
      if (isPrivate(command.method())) {
        MethodRules.checkInterceptable(
            type, command.method(), "@Command", fallbacks.contains(command.method()), mistakes);
        if (KotlinFunctions.suspends(command.method())) {
          mistakes.add(
              type,
              command.method(),
              "@Command on a private suspend function",
              "one that is not private: Spring lets a coroutine wait at its proxy only");
        }
      }
    }
    for (DeclaredCollapser collapser : collapsers) {
      Fallbacks ofBatch = collapser.batch().fallbacks();
      if (ofBatch != null
          && ofBatch.bySpecificity().stream().anyMatch(FallbackMethod::isPrivateCommand)) {
        mistakes.add(
            type,
            collapser.batch().method(),
            "a private fallback of a batch that is @Command",
            "one that is not private: it is called by a proxy");
      }
    }
  }

  private static Stream<Method> methodsOf(@Nullable Fallbacks fallbacks) {
    return fallbacks == null
        ? Stream.empty()
        : fallbacks.bySpecificity().stream().map(FallbackMethod::method);
  }

  private static void check(Class<?> type, Method method, Found has, Mistakes mistakes) {
    if (has.command != null && has.collapsed != null) {
      mistakes.add(
          type,
          method,
          "both @Command and @Collapsed",
          "one of the two: @Command belongs on the batch method");
    }
    if (has.command != null) {
      if (!isPrivate(method)) { // those may be fallbacks, which is known once all are read
        MethodRules.checkInterceptable(type, method, "@Command", false, mistakes);
      }
    } else if (has.collapsed != null) {
      MethodRules.checkInterceptable(type, method, "@Collapsed", false, mistakes);
    } else if (has.removes != null) {
      MethodRules.checkInterceptable(type, method, "@CacheRemove", false, mistakes);
      if (MethodRules.kind(type, method, "@CacheRemove", mistakes) == AnswerKind.FUTURE) {
        mistakes.add(
            type,
            method,
            "@CacheRemove on a method that returns a Future, which does not report when it ends",
            "a CompletableFuture, or @Command beside it");
      }
    }
    if (has.cached != null && has.command == null && has.collapsed == null) {
      mistakes.add(
          type,
          method,
          "@CacheResult on a method that is neither @Command nor @Collapsed",
          "one of the two beside it");
    }
    if (has.cached != null && has.removes != null) {
      mistakes.add(type, method, "both @CacheResult and @CacheRemove", "one of the two");
    }
    AnswerKind kind = AnswerKind.of(method);
    if (has.cached != null && has.collapsed == null && kind != null && kind.isStream()) {
      mistakes.add(
          type,
          method,
          "@CacheResult on a method that returns a stream of items",
          "a single result: a stream's items are not kept");
    }
    if (has.cached != null && method.getReturnType() == void.class) {
      mistakes.add(type, method, "@CacheResult on a method that returns nothing", "a result");
    }
    if (has.cached == null && has.removes == null && CacheKeyReader.marksAny(method)) {
      mistakes.add(
          type,
          method,
          "@CacheKey on a parameter of a method that has no cache",
          "@CacheResult or @CacheRemove on the method");
    }
  }

  private DeclaredRemoval removal(
      Class<?> type, Method method, CacheRemove removes, Mistakes mistakes) {
    String key = texts.resolve(removes.commandKey(), "commandKey", type, method, mistakes);
    return new DeclaredRemoval(
        type,
        method,
        key == null ? "" : key,
        new CacheKeyReader(type, method, mistakes).read(removes.cacheKeyMethod()));
  }

  /** A chain of fallbacks has to end. */
  private static void checkChains(
      Class<?> type, List<DeclaredCommand> commands, Mistakes mistakes) {
    Map<Method, DeclaredCommand> byMethod = new LinkedHashMap<>();
    commands.forEach(command -> byMethod.put(command.method(), command));
    for (DeclaredCommand command : commands) {
      if (reaches(command, command.method(), byMethod, new HashSet<>())) {
        mistakes.add(
            type,
            command.method(),
            "fallbacks that lead back to the method itself",
            "a chain of fallbacks that ends");
        return; // the other commands on the circle would get this mistake too
      }
    }
  }

  private static boolean reaches(
      DeclaredCommand from,
      Method wanted,
      Map<Method, DeclaredCommand> byMethod,
      Set<Method> seen) {
    if (from.fallbacks() == null) {
      return false;
    }
    for (FallbackMethod fallback : from.fallbacks().bySpecificity()) {
      DeclaredCommand next = byMethod.get(fallback.method());
      if (fallback.method().equals(wanted)
          || (next != null && seen.add(next.method()) && reaches(next, wanted, byMethod, seen))) {
        return true;
      }
    }
    return false;
  }
}
