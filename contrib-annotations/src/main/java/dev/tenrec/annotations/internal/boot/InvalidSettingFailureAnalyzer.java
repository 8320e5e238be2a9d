// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.core.config.InvalidSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/** Reports a wrong setting without a stack trace: its property, its value, and where it stands. */
public final class InvalidSettingFailureAnalyzer
    extends AbstractFailureAnalyzer<InvalidSettingException> {

  private final @Nullable Environment environment;

  /** Over the environment of the application that failed. */
  public InvalidSettingFailureAnalyzer(@Nullable Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
    Origin origin = origin(cause.key());
    return new FailureAnalysis(
        cause.key()
            + " = "
            + cause.value()
            + (origin == null ? "" : ", in " + origin)
            + ", is not right: it "
            + cause.rule(),
        "Change the value of " + cause.key(),
        cause);
  }

  private @Nullable Origin origin(String key) {
    if (environment instanceof ConfigurableEnvironment configurable) {
      for (PropertySource<?> source : configurable.getPropertySources()) {
        Origin origin = OriginLookup.getOrigin(source, key);
        if (origin != null) {
          return origin;
        }
      }
    }
    return null;
  }
}
