// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.annotations.internal.declaration.FaultRules;
import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.internal.config.NearNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the property an environment variable stands for. Its name has neither the dots nor the case
 * of a key, so it can stand for known keys only: those of commands, pools and collapsers that
 * annotations name, and {@code default}. A name that stands for several of them, or for none, is
 * reported and not used.
 */
public final class EnvironmentVariables {

  private static final String GLOBAL = "default";

  private static final List<Name> PROPERTIES = names();

  private static final List<String> SCOPES =
      PROPERTIES.stream().map(Name::scope).distinct().toList();

  private final String prefix;
  private final Supplier<DeclaredKeys> reading;
  private final Consumer<String> complaints;

  /** Read when the first variable asks for it; most applications have none. */
  private @Nullable DeclaredKeys read;

  /**
   * The variables of one prefix.
   *
   * @param prefix what keys of properties begin with, without a dot at its end
   * @param keys asked once at most
   * @param complaints receives the reason why a variable is not used
   */
  public EnvironmentVariables(
      String prefix, Supplier<DeclaredKeys> keys, Consumer<String> complaints) {
    this.prefix = prefix;
    this.reading = keys;
    this.complaints = complaints;
  }

  /**
   * A name as Boot writes that of a variable: dots become underscores, dashes go, all in upper
   * case. What else the name of a variable cannot hold, as the brackets of a key made of
   * parameters, goes as well.
   */
  static String written(String name) {
    return name.replace('.', '_').replaceAll("[^\\p{L}\\p{N}_]", "").toUpperCase(Locale.ROOT);
  }

  /** The full key of the property {@code variable} stands for; null if it is none of Tenrec's. */
  @Nullable String property(String variable) {
    String name = variable.toUpperCase(Locale.ROOT);
    if (!name.startsWith(written(prefix) + "_")) {
      return null;
    }
    for (Name property : PROPERTIES) {
      String path = prefix + "." + property.scope() + ".";
      String start = written(path);
      String end = "_" + written(property.name());
      // no property's name ends in another's, so there is one way only to take a name apart
      if (name.startsWith(start)
          && name.endsWith(end)
          && name.length() > start.length() + end.length()) {
        String key =
            key(
                variable,
                property.scope(),
                name.substring(start.length(), name.length() - end.length()));
        return key == null ? null : path + key + "." + property.name();
      }
    }
    for (Name property : PROPERTIES) {
      if (name.startsWith(written(prefix + "." + property.scope() + "."))) {
        complain(variable, "ends in no property of a " + property.scope());
        return null;
      }
    }
    nameMistake(variable, name.substring(written(prefix).length() + 1));
    return null;
  }

  /** A mistyped scope, or a mistyped property of Tenrec itself; an application has other names. */
  private void nameMistake(String variable, String name) {
    int end = name.indexOf('_');
    String start = end < 0 ? name : name.substring(0, end);
    if (OwnNames.isMistyped(name)) {
      complain(variable, "is nearly, but not, " + written(prefix + "." + OwnNames.nearest(name)));
      return;
    }
    for (String scope : SCOPES) {
      if (end > 0 && NearNames.apart(start, scope) <= OwnNames.NEAR) {
        complain(variable, "names no scope; " + written(prefix + "." + scope + ".") + " is one");
        return;
      }
    }
  }

  private @Nullable String key(String variable, String scope, String writtenKey) {
    List<String> meant = new ArrayList<>();
    if (writtenKey.equals(written(GLOBAL))) {
      meant.add(GLOBAL);
    }
    for (String key : keys(scope)) {
      if (written(key).equals(writtenKey)) {
        meant.add(key);
      }
    }
    meant.sort(null); // for the complaint
    if (meant.size() == 1) {
      return meant.get(0);
    }
    complain(
        variable,
        meant.isEmpty()
            ? unknownKey(scope)
            : "stands for each of these keys of a " + scope + ": " + String.join(", ", meant));
    return null;
  }

  private Set<String> keys(String scope) {
    DeclaredKeys keys = read;
    if (keys == null) {
      keys = reading.get();
      read = keys;
    }
    return switch (scope) {
      case "command" -> keys.commands();
      case "threadpool" -> keys.pools();
      case "collapser" -> keys.collapsers();
      default -> Set.of(); // what commands share by name is not among the declared keys
    };
  }

  private static String unknownKey(String scope) {
    return switch (scope) {
      case "command", "threadpool", "collapser" ->
          "stands for no " + scope + " that annotations name by a key without expressions";
      default -> "names a " + scope + ", and of these a variable can stand for default only";
    };
  }

  private void complain(String variable, String why) {
    complaints.accept(
        "The environment variable "
            + variable
            + " is not used: it "
            + why
            + ". In a file of properties the key can be written as it is");
  }

  /**
   * What a variable can end in.
   *
   * @param scope of the property
   * @param name below scope and key
   */
  private record Name(String scope, String name) {}

  private static List<Name> names() {
    List<Name> names = new ArrayList<>();
    for (List<Property<?>> scope :
        List.of(
            CommandProperties.all(),
            PoolProperties.all(),
            SemaphoreProperties.all(),
            RateLimiterProperties.all(),
            RetryBudgetProperties.all(),
            CollapserProperties.all())) {
      scope.forEach(property -> names.add(new Name(property.scope(), property.name())));
    }
    FaultRules.NAMES.forEach(name -> names.add(new Name("command", name)));
    return List.copyOf(names);
  }
}
