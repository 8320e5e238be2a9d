// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.config.CodeSettings;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settings that several commands, stream commands, guards and collapsers have in common: written
 * once, and given to each builder by {@link CommandOptions#settings}. Immutable and thread-safe;
 * belongs to no Tenrec.
 *
 * <p>What is shared are values, not what is made of them: each command has a circuit breaker and a
 * semaphore of its own. Only what has a name of its own is one for all: a group's thread pool, and
 * what {@code Isolation} and {@code RateLimit} share by name.
 */
public final class SharedSettings {

  private final CodeSettings properties;
  private final @Nullable String group;
  private final @Nullable Isolation isolation;
  private final @Nullable RateLimit rateLimit;
  private final @Nullable Boolean stackTraces;
  private final Predicate<Throwable> ignored;

  SharedSettings(
      CodeSettings properties,
      @Nullable String group,
      @Nullable Isolation isolation,
      @Nullable RateLimit rateLimit,
      @Nullable Boolean stackTraces,
      Predicate<Throwable> ignored) {
    this.properties = properties;
    this.group = group;
    this.isolation = isolation;
    this.rateLimit = rateLimit;
    this.stackTraces = stackTraces;
    this.ignored = ignored;
  }

  /** Begins with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  CodeSettings properties() {
    return properties;
  }

  @Nullable String group() {
    return group;
  }

  @Nullable Isolation isolation() {
    return isolation;
  }

  @Nullable RateLimit rateLimit() {
    return rateLimit;
  }

  @Nullable Boolean stackTraces() {
    return stackTraces;
  }

  Predicate<Throwable> ignored() {
    return ignored;
  }

  /** The properties that are set, by name. */
  @Override
  public String toString() {
    return "SharedSettings" + properties;
  }

  /** Collects settings; each value is checked when it is given. Not thread-safe. */
  public static final class Builder extends CommandOptions<Builder> {

    private Builder() {
      super("(shared settings)");
    }

    @Override
    Builder self() {
      return this;
    }

    /** What was set so far. */
    public SharedSettings build() {
      return shared();
    }
  }
}
