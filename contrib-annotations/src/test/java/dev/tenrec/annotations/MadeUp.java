// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.util.List;
import java.util.Random;

/** The source of a class that is made up, from a seed. Some make sense. */
abstract class MadeUp {

  static final String PACKAGE = "made";
  static final String IMPORTS =
      "package "
          + PACKAGE
          + """
          ;
          import java.util.*;
          import java.util.concurrent.*;
          import io.reactivex.rxjava3.core.*;
          import org.reactivestreams.Publisher;
          import reactor.core.publisher.*;
          import dev.tenrec.annotations.*;
          import dev.tenrec.annotations.Command;
          import dev.tenrec.core.config.IsolationStrategy;
          """;

  /** The system property that has commands fail: a static method has no field to look at. */
  static final String FAILS = PACKAGE + ".fails";

  /** What the command's body throws when it is to fail. */
  static final String FAILURE = "made up to fail";

  static final List<String> PARAMETERS =
      List.of(
          "int",
          "long",
          "String",
          "Integer",
          "Object",
          "byte[]",
          "List<String>",
          "Map<String, Long>");

  static final List<String> MODIFIERS =
      List.of(
          "public",
          "public",
          "public",
          "public",
          "public",
          "public",
          "public",
          "public",
          "",
          "protected",
          "private",
          "static",
          "final");

  /** Texts where a name or a key belongs. */
  static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "Key",
          "a.b",
          "{0}",
          "{",
          "{9}",
          "{x}",
          "Key {0}",
          "${missing}",
          "${",
          "#{1 + 1}",
          "#p0",
          "\n",
          "\u0000",
          "\uD83E\uDD94",
          "\uD83E",
          "k".repeat(300),
          "null",
          "-");

  final Random random;
  final String simpleName;

  MadeUp(long seed, String simpleName) {
    random = new Random(seed);
    this.simpleName = simpleName;
  }

  final String name() {
    return PACKAGE + "." + simpleName;
  }

  /** Makes it up; to be called once. */
  abstract String source();

  /** As Java's source has it: by octal escapes where one by code would end the line. */
  static String literal(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < ' ') {
        literal.append(String.format("\\%03o", (int) c));
      } else if (c == '"' || c == '\\') {
        literal.append('\\').append(c);
      } else if (c > '~') {
        literal.append(String.format("\\u%04x", (int) c));
      } else {
        literal.append(c);
      }
    }
    return literal.append('"').toString();
  }

  boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
