// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.core.internal.config.NearNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The properties of Tenrec itself, beside the settings of commands, and mistyped ones. An
 * application may have properties of its own below {@code tenrec}; so only a name that is nearly
 * one of these counts as mistyped, and below {@code tenrec.annotations} each other one.
 */
final class OwnNames {

  private static final String START = "tenrec.";
  private static final String OURS = "annotations";

  /** A name this near is a mistyped one. */
  static final int NEAR = 2;

  static final List<String> NAMES =
      List.of(
          "annotations.deadline-header",
          "annotations.default-key",
          "annotations.in-transaction",
          "annotations.order",
          "annotations.refusals-are-callers-fault",
          "annotations.request-context",
          "prefix",
          "properties-file");

  private OwnNames() {}

  /** What is wrong with names in this environment, in words; environment variables left out. */
  static List<String> mistakes(ConfigurableEnvironment environment) {
    List<String> mistakes = new ArrayList<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        for (String name : enumerable.getPropertyNames()) {
          if (name.startsWith(START) && isMistyped(name.substring(START.length()))) {
            mistakes.add(
                name
                    + " is no property of Tenrec, and is not used; nearest name: "
                    + START
                    + nearest(name.substring(START.length())));
          }
        }
      }
    }
    return mistakes;
  }

  /** Whether it is none of these, but nearly one, or below what is Tenrec's alone. */
  static boolean isMistyped(String name) {
    String plain = plain(name);
    return NAMES.stream().noneMatch(known -> plain(known).equals(plain))
        && (plain.startsWith(OURS)
            || NAMES.stream().anyMatch(known -> NearNames.apart(plain, plain(known)) <= NEAR));
  }

  /** The one of these that is most like a mistyped name. */
  static String nearest(String name) {
    String plain = plain(name);
    return Collections.min(
        NAMES, Comparator.comparingInt(known -> NearNames.apart(plain, plain(known))));
  }

  private static String plain(String name) {
    return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }
}
