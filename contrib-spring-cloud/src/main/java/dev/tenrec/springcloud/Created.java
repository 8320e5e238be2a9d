// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breakers that a factory has made, by id: each is made once, and asked for with each
 * call by clients such as Feign's. Thread-safe.
 *
 * @param <C> the type of circuit breaker
 */
final class Created<C> {

  /** Written by threads that create, read by any caller, ordered by the map. */
  private final Map<String, C> byId = new ConcurrentHashMap<>();

  /** That of {@code id}, made by {@code make} if it is the first. */
  C get(String id, Supplier<C> make) {
    C present = byId.get(Objects.requireNonNull(id, "id"));
    if (present != null) {
      return present;
    }
    C made;
    try {
      made = make.get();
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "The circuit breaker \""
              + id
              + "\" cannot be created: "
              + e.getMessage()
              + ". An id is the key of a command; annotations, the blocking and the reactive factory"
              + " share it if all say the same of it, its isolation included",
          e);
    }
    C other = byId.putIfAbsent(id, made);
    return other != null ? other : made;
  }

  /**
   * Refuses to configure what is there already.
   *
   * @throws IllegalStateException if one of {@code ids} was created
   */
  void requireNone(String... ids) {
    for (String id : ids) {
      if (byId.containsKey(id)) {
        throw new IllegalStateException(
            "The circuit breaker \""
                + id
                + "\" was created before it was configured. Configure it in a Customizer bean of"
                + " its factory; while the application runs its settings change by"
                + " tenrec.command."
                + id
                + ".<property>");
      }
    }
  }

  /** Made of a group's name where there is one, for messages and pools. */
  static @Nullable String group(@Nullable String name) {
    return name == null || name.isBlank() ? null : name;
  }
}
