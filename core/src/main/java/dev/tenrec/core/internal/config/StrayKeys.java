// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys below the prefix that belong to no scope. Most do not concern Tenrec, such as the properties
 * of a framework or of Hystrix that have no counterpart; but one whose scope is nearly one of ours,
 * or that ends in the name of a property, is a typing error.
 */
final class StrayKeys {

  /** A name this near is a mistyped one: {@code comand}, {@code commnds}, {@code thread-pool}. */
  private static final int NEAR = 2;

  /**
   * What Hystrix has besides: {@code hystrix.timer.threadpool.default.coreSize} ends as one of ours
   * does. A file written for it stays as it is.
   */
  private static final Set<String> OF_HYSTRIX = Set.of("timer", "stream", "plugin");

  private final int prefixLength;
  private final List<Scope<?>> scopes;

  StrayKeys(String prefix, List<Scope<?>> scopes) {
    this.prefixLength = prefix.length() + 1;
    this.scopes = scopes;
  }

  /** What is wrong with a full key that no scope owns; null if it is none of ours. */
  @Nullable String mistake(String fullKey) {
    if (fullKey.length() <= prefixLength) {
      return null;
    }
    String rest = fullKey.substring(prefixLength);
    int dot = rest.indexOf('.');
    String name = dot < 0 ? rest : rest.substring(0, dot);
    if (OF_HYSTRIX.contains(name) || (!isNear(name) && !endsInProperty(rest))) {
      return null;
    }
    return "'"
        + name
        + "' is no scope with a key and a property after it; the scopes are "
        + String.join(", ", scopes.stream().map(Scope::name).toList());
  }

  private boolean isNear(String written) {
    int bracket = written.indexOf('[');
    String name = bracket < 0 ? written : written.substring(0, bracket);
    return scopes.stream().anyMatch(scope -> NearNames.apart(name, scope.name()) <= NEAR);
  }

  private boolean endsInProperty(String rest) {
    for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.', dot + 1)) {
      String tail = rest.substring(dot + 1);
      if (scopes.stream().anyMatch(scope -> scope.table().find(tail) != null)) {
        return true;
      }
    }
    return false;
  }
}
