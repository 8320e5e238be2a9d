// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.CacheKeys;
import dev.tenrec.annotations.internal.declaration.DeclaredRemoval;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one method keeps for a request. Its results are kept by bean and method besides their key,
 * as several of either may share a command. Thread-safe.
 */
public final class CachedResults {

  private final Tenrec tenrec;
  private final Class<?> type;
  private final Method method;
  private final String commandKey;
  private final CacheKeys keys;

  /** The beans that kept something in a request, by identity: those another bean may speak of. */
  private final RequestVariable<Set<Object>> beans;

  /**
   * That of each command of the method, by the command's key. Written when a command is built or
   * dropped, read by removals, ordered by the map.
   */
  private final Map<String, Cache> caches = new ConcurrentHashMap<>();

  /**
   * Where one command keeps results.
   *
   * @param remove takes a key out
   * @param closed whether nobody asks for them any more
   */
  private record Cache(Consumer<Object> remove, BooleanSupplier closed) {}

  /**
   * The results of a method.
   *
   * @param commandKey of its command, as the annotation has it
   */
  CachedResults(Tenrec tenrec, Class<?> type, Method method, String commandKey, CacheKeys keys) {
    this.tenrec = tenrec;
    this.type = type;
    this.method = method;
    this.commandKey = commandKey;
    this.keys = keys;
    this.beans =
        tenrec.requestVariable(
            () -> Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>())));
  }

  /**
   * Adds the cache in which the command of this key keeps these results.
   *
   * @param remove takes a key out of it
   * @param closed whether the command was removed
   */
  void in(String key, Consumer<Object> remove, BooleanSupplier closed) {
    caches.put(key, new Cache(remove, closed));
  }

  /** Forgets the caches of commands that were removed, and have not come back. */
  void forgetClosed() {
    boolean unused = caches.values().removeIf(cache -> cache.closed.getAsBoolean());
  }

  /** The key of a call; null if it shares nothing. */
  @Nullable Object key(Object bean, @Nullable Object[] arguments) {
    Object key = keys.of(bean, arguments);
    if (key == null) {
      return null;
    }
    tenrec
        .currentRequest()
        .filter(request -> !request.isClosed()) // the command reports it, in its own words
        .ifPresent(
            request -> {
              boolean unused = beans.get().add(bean);
            });
    return new Kept(bean, method, key);
  }

  /**
   * Whether a removal means these results: by the command's key, or by the method's name in its
   * class.
   */
  public boolean areMeantBy(DeclaredRemoval removal) {
    return commandKey.equals(removal.commandKey())
        || (type == removal.type() && method.getName().equals(removal.commandKey()));
  }

  /** Removes a result: of {@code bean}, or, where the removal is another class's, of all beans. */
  void remove(DeclaredRemoval removal, Object bean, Object key) {
    List<Object> meant = type == removal.type() ? List.of(bean) : all();
    for (Object one : meant) {
      Kept kept = new Kept(one, method, key);
      caches.values().forEach(cache -> cache.remove.accept(kept));
    }
  }

  private List<Object> all() {
    Set<Object> here = beans.get();
    synchronized (here) { // a synchronized set requires it of a thread that iterates
      return List.copyOf(here);
    }
  }

  /**
   * A key within a command.
   *
   * @param bean compared by identity
   * @param key compared by equals
   */
  private record Kept(Object bean, Method method, Object key) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kept that
          && bean == that.bean
          && method.equals(that.method)
          && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return Objects.hash(System.identityHashCode(bean), method, key);
    }
  }
}
