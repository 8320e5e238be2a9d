// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.core.internal.config.CodeSettings;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Reads one method whose calls become batches, and its batch method. */
final class CollapserReader {

  /** Of a batch method without annotation: what its class says holds for it, too. */
  private static final Command UNDESCRIBED = AnnotationUtils.synthesizeAnnotation(Command.class);

  private final Texts texts;
  private final Class<?> type;
  private final CommandReader commands;
  private final Mistakes mistakes;

  CollapserReader(Texts texts, Class<?> type, CommandReader commands, Mistakes mistakes) {
    this.texts = texts;
    this.type = type;
    this.commands = commands;
    this.mistakes = mistakes;
  }

  /**
   * Reads it; null, and a mistake, if it cannot be used.
   *
   * @param cached whether and how its answers are kept
   * @param key its key, if the batch method is no command
   * @param keyOf the key of a method of this class that is one
   */
  @Nullable DeclaredCollapser read(
      Method method,
      Collapsed collapsed,
      @Nullable CacheResult cached,
      String key,
      java.util.function.Function<Method, String> keyOf) {
    AnswerKind kind = MethodRules.kind(type, method, "@Collapsed", mistakes);
    if (kind == null) {
      return null;
    }
    if (KotlinFunctions.suspends(method)) {
      mistakes.add(
          type,
          method,
          "@Collapsed on a suspend function",
          "one that returns a CompletableFuture, for which a coroutine can wait by await()");
      return null;
    }
    if (method.getParameterCount() != 1) {
      mistakes.add(
          type,
          method,
          "@Collapsed on a method with " + method.getParameterCount() + " parameters",
          "exactly one: what distinguishes the members of a batch");
      return null;
    }
    Map<String, String> properties =
        new SettingsReader(texts, type, method, mistakes)
            .properties(collapsed.properties(), CodeSettings::collapser, "properties");
    Method batch = batchMethod(method, kind, collapsed.batchMethod());
    if (batch == null) {
      return null;
    }
    DeclaredCollapser.Answers answers = DeclaredCollapser.Answers.of(batch.getReturnType());
    Command described = AnnotatedElementUtils.findMergedAnnotation(batch, Command.class);
    DeclaredCommand command =
        described == null
            ? commands.read(batch, UNDESCRIBED, null, key)
            : commands.read(batch, described, null, keyOf.apply(batch));
    if (command == null || answers == null) {
      return null;
    }
    if (command.settings().retries()) {
      mistakes.add(
          type,
          method,
          "a batchMethod with attempts",
          "no attempts: the batches of a collapser are not attempted again");
      return null;
    }
    if (command.settings().hedge() != null) {
      mistakes.add(
          type,
          method,
          "a batchMethod with hedgeAfter",
          "no hedges: the batches of a collapser have one attempt");
      return null;
    }
    if (!command.key().isLiteral()) {
      mistakes.add(
          type, method, "a batchMethod whose commandKey has expressions", "a key that is literal");
      return null;
    }
    MethodHandle handle = handle(method, batch);
    return handle == null
        ? null
        : new DeclaredCollapser(
            type,
            method,
            collapsed.scope(),
            properties,
            kind,
            command,
            answers,
            handle,
            cached == null
                ? null
                : new CacheKeyReader(type, method, mistakes).read(cached.cacheKeyMethod()));
  }

  private @Nullable MethodHandle handle(Method method, Method batch) {
    try {
      batch.setAccessible(true);
      return FallbackMethod.handle(batch, 1, 1, false, false);
    } catch (IllegalAccessException | InaccessibleObjectException e) {
      mistakes.add(
          type,
          method,
          "a batchMethod that is closed to Tenrec: " + e.getMessage(),
          "its package opened to dev.tenrec.annotations");
      return null;
    }
  }

  private @Nullable Method batchMethod(Method method, AnswerKind kind, String name) {
    ResolvableType argument = boxed(Signatures.resolvedParameter(type, method, 0));
    ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
    ResolvableType answer = boxed(kind.isWrapper() ? returned.getGeneric(0) : returned);
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      for (Method candidate : level.getDeclaredMethods()) {
        if (candidate.getName().equals(name)
            && !candidate.isBridge()
            && suits(candidate, argument, answer)) {
          return candidate;
        }
      }
    }
    List<String> found =
        Arrays.stream(type.getDeclaredMethods())
            .filter(candidate -> candidate.getName().equals(name))
            .map(Signatures::found)
            .sorted()
            .toList();
    String a = Signatures.simple(argument.getType());
    String r = Signatures.simple(answer.getType());
    mistakes.add(
        type,
        method,
        "batchMethod \""
            + name
            + "\", but "
            + (found.isEmpty() ? "no method of that name" : String.join(", ", found)),
        "List<"
            + r
            + "> "
            + name
            + "(List<"
            + a
            + ">) or Map<"
            + a
            + ", "
            + r
            + "> "
            + name
            + "(List<"
            + a
            + ">)");
    return null;
  }

  private boolean suits(Method candidate, ResolvableType argument, ResolvableType answer) {
    if (candidate.getParameterCount() != 1) {
      return false;
    }
    ResolvableType list = Signatures.resolvedParameter(type, candidate, 0);
    ResolvableType returned = ResolvableType.forMethodReturnType(candidate, type);
    DeclaredCollapser.Answers answers = DeclaredCollapser.Answers.of(candidate.getReturnType());
    if (!list.toClass().isAssignableFrom(List.class)
        || !list.asCollection().getGeneric(0).isAssignableFrom(argument)
        || answers == null) {
      return false;
    }
    return switch (answers) {
      case BY_POSITION -> answer.isAssignableFrom(returned.asCollection().getGeneric(0));
      case BY_ARGUMENT -> isOf(returned.asMap(), argument, answer);
      case LATER_BY_ARGUMENT -> isOf(returned.getGeneric(0).asMap(), argument, answer);
    };
  }

  private static boolean isOf(ResolvableType map, ResolvableType argument, ResolvableType answer) {
    return map.getGeneric(0).isAssignableFrom(argument)
        && answer.isAssignableFrom(map.getGeneric(1));
  }

  private static ResolvableType boxed(ResolvableType type) {
    Class<?> raw = type.resolve();
    return raw != null && raw.isPrimitive()
        ? ResolvableType.forClass(ClassUtils.resolvePrimitiveIfNecessary(raw))
        : type;
  }
}
