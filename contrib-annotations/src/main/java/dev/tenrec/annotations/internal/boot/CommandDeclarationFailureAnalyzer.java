// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Mistake;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports wrong annotations without a stack trace. */
public final class CommandDeclarationFailureAnalyzer
    extends AbstractFailureAnalyzer<CommandDeclarationException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, CommandDeclarationException cause) {
    String action =
        cause.mistakes().stream()
            .map(Mistake::where)
            .distinct()
            .collect(
                Collectors.joining("\n  - ", "Change these as said under \"expected\":\n  - ", ""));
    return new FailureAnalysis(cause.getMessage(), action, cause);
  }
}
