// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.Map;

/**
 * Builds commands whose keys depend on arguments before there are any: under the text of their
 * keys, on a Tenrec of its own that is thrown away. So what is wrong with their settings is
 * reported at start-up, not by the first call.
 */
public final class StartupValidation {

  private StartupValidation() {}

  /**
   * Builds one.
   *
   * @param first the first command whose key has this text, maybe {@code declared} itself; the two
   *     need equal settings
   * @throws RuntimeException as {@link CommandMethod#of}
   */
  public static void of(DeclaredCommand first, DeclaredCommand declared) {
    try (Tenrec stage = Tenrec.builder().source(new Nothing()).build()) {
      if (first != declared && !isBuilt(stage, first)) {
        return; // what is wrong with it was reported before
      }
      GuardedMethod unused = build(stage, declared);
    }
  }

  private static boolean isBuilt(Tenrec stage, DeclaredCommand first) {
    try {
      GuardedMethod unused = build(stage, first);
      return true;
    } catch (IllegalStateException | IllegalArgumentException e) {
      return false;
    }
  }

  private static GuardedMethod build(Tenrec stage, DeclaredCommand declared) {
    KeyTemplate pool = declared.pool();
    return new CommandAssembly(stage, declared, Transactions.NONE, method -> null)
        .build(
            declared.key().toString(),
            declared.group().toString(),
            pool == null ? null : pool.toString());
  }

  /** What the annotations say is what counts. */
  private static final class Nothing implements SettingsSource {

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
