// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.FallbackMethod;
import dev.tenrec.annotations.internal.declaration.Fallbacks;
import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import dev.tenrec.core.outcome.Described;
import dev.tenrec.core.work.BatchResult;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/**
 * Calls a batch method through the bean's proxy, so that its advice is applied; the command before
 * it is left out, for the batch is one already. A method that the proxy does not have is called on
 * the bean, and so is a fallback, unless that is a command itself.
 */
final class BatchCall {

  private final Method batch;
  private final String where;
  private final MethodHandle handle;

  /**
   * Under which method a class of proxies has it, if any. Written by the first call of one, read by
   * each, ordered by the map.
   */
  private final Map<Class<?>, Optional<Method>> visible = new ConcurrentHashMap<>();

  /**
   * Calls of one method.
   *
   * @param batch as its class has it
   * @param where the batch method, for messages
   * @param handle calls it
   */
  BatchCall(Method batch, String where, MethodHandle handle) {
    this.batch = batch;
    this.where = where;
    this.handle = handle;
  }

  /** Calls it, and answers by member. */
  Map<BatchArgument, @Nullable Object> run(List<BatchArgument> asked) {
    BatchArguments arguments = new BatchArguments(batch, asked);
    try {
      return byMember(asked, call(asked, arguments));
    } finally {
      arguments.end();
    }
  }

  /** Calls one that answers later. */
  CompletionStage<Map<BatchArgument, @Nullable Object>> start(List<BatchArgument> asked) {
    BatchArguments arguments = new BatchArguments(batch, asked);
    CompletionStage<?> later;
    try {
      later = (CompletionStage<?>) call(asked, arguments);
    } catch (Throwable thrown) {
      arguments.end();
      throw thrown;
    }
    return LaterAnswers.of(later, arguments::end, answers -> byMember(asked, answers));
  }

  private Object call(List<BatchArgument> asked, BatchArguments arguments) {
    Object proxy = asked.get(0).proxy();
    Method shown =
        visible
            .computeIfAbsent(
                proxy.getClass(), type -> Optional.ofNullable(ProxyMethods.visible(type, batch)))
            .orElse(null);
    Object[] given = {arguments};
    if (shown == null) {
      return call(handle, bean(asked), asked, given, null);
    }
    return shown.equals(batch)
        ? call(handle, proxy, asked, given, null)
        : answered(byInterface(shown, proxy, given), asked);
  }

  private static @Nullable Object byInterface(Method shown, Object proxy, Object[] given) {
    try {
      return AopUtils.invokeJoinpointUsingReflection(proxy, shown, given);
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
  }

  /** Calls the fallback that takes the cause. */
  Map<BatchArgument, @Nullable Object> fallback(
      Fallbacks fallbacks, List<BatchArgument> asked, Throwable cause) throws Exception {
    FallbackMethod method = fallbacks.forCause(cause);
    if (method == null) {
      throw new UnsuitedFallbackException(where, cause);
    }
    Object[] given = fallbacks.takesArguments() ? new Object[] {arguments(asked)} : new Object[0];
    Object target = method.isCommand() ? asked.get(0).proxy() : bean(asked);
    Object answer = call(method.handleFor(target), target, asked, given, cause);
    return byMember(
        asked,
        answer instanceof CompletionStage<?> later
            ? FutureDoor.await(later.toCompletableFuture())
            : answer);
  }

  private static List<@Nullable Object> arguments(List<BatchArgument> asked) {
    List<@Nullable Object> arguments = new ArrayList<>(asked.size());
    asked.forEach(one -> arguments.add(one.argument()));
    return arguments;
  }

  /** One of a shard is as good as another. */
  private static Object bean(List<BatchArgument> asked) {
    return asked.get(0).bean();
  }

  private Object call(
      MethodHandle method,
      Object target,
      List<BatchArgument> asked,
      Object[] given,
      @Nullable Throwable cause) {
    Object answer;
    try {
      answer = (Object) method.invokeExact(target, given, cause);
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
    return answered(answer, asked);
  }

  private Object answered(@Nullable Object answer, List<BatchArgument> asked) {
    if (answer == null) {
      throw new NullPointerException(where + " answered null for " + asked.size() + " arguments");
    }
    return answer;
  }

  private Map<BatchArgument, @Nullable Object> byMember(
      List<BatchArgument> asked, @Nullable Object answers) {
    if (answers instanceof Map<?, ?> map) {
      return byArgument(asked, map);
    }
    if (!(answers instanceof List<?> list)) {
      throw new NullPointerException(
          where + " answered " + Described.value(answers) + " for " + asked.size() + " arguments");
    }
    if (list.size() != asked.size()) {
      throw new IllegalStateException(
          where
              + " returned "
              + list.size()
              + " answers for "
              + asked.size()
              + " arguments: as many were expected, in their order");
    }
    Map<BatchArgument, @Nullable Object> byMember = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      byMember.put(asked.get(i), list.get(i));
    }
    return byMember;
  }

  /**
   * An argument that is not in the map is left out here, too: its members fail with a report that
   * it was. Of what nobody asked for, one is handed on: the collapser logs that there is such.
   */
  private static Map<BatchArgument, @Nullable Object> byArgument(
      List<BatchArgument> asked, Map<?, ?> map) {
    BatchResult<BatchArgument, @Nullable Object> byMember = BatchResult.empty();
    Map<?, Throwable> failures =
        map instanceof BatchResult<?, ?> result ? result.failures() : Map.of();
    int answered = 0;
    int failed = 0;
    for (BatchArgument one : asked) {
      if (answer(one, map, byMember)) {
        answered++;
      }
      Throwable failure = failures.isEmpty() ? null : failures.get(one.argument());
      if (failure != null) {
        byMember = byMember.failed(one, failure);
        failed++;
      }
    }
    if (map.size() > answered) {
      handOnUnknown(asked, map.keySet(), byMember);
    }
    if (failures.size() > failed) {
      handOnUnknown(asked, failures.keySet(), byMember);
    }
    return byMember;
  }

  /** Answers a member whose argument is in the map, and says whether it is. */
  private static boolean answer(
      BatchArgument one, Map<?, ?> map, BatchResult<BatchArgument, @Nullable Object> byMember) {
    Object argument = one.argument();
    if (argument != null) { // by the map's own comparison, which may be looser than equals
      if (!map.containsKey(argument)) {
        return false;
      }
      byMember.answered(one, map.get(argument));
      return true;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) { // not each map can be asked for a null key
      if (entry.getKey() == null) {
        byMember.answered(one, entry.getValue());
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("NullAway") // null is a legal answer
  private static void handOnUnknown(
      List<BatchArgument> asked,
      Set<?> brought,
      BatchResult<BatchArgument, @Nullable Object> byMember) {
    Set<@Nullable Object> known = new HashSet<>(arguments(asked));
    for (Object argument : brought) {
      if (!known.contains(argument)) {
        BatchArgument first = asked.get(0);
        byMember.answered(new BatchArgument(first.bean(), first.proxy(), argument), null);
        return;
      }
    }
  }
}
