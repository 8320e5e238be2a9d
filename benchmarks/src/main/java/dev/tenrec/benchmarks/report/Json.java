// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** As much of JSON as JMH writes: maps, lists, strings, doubles, booleans, null. */
final class Json {

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value of a whole text. */
  static @Nullable Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at < text.length()) {
      throw json.unexpected("the end");
    }
    return value;
  }

  private @Nullable Object value() {
    skipBlanks();
    return switch (at < text.length() ? text.charAt(at) : '\0') {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    at++;
    skipBlanks();
    if (take('}')) {
      return members;
    }
    do {
      skipBlanks();
      String name = string();
      skipBlanks();
      require(':');
      members.put(name, value());
      skipBlanks();
    } while (take(','));
    require('}');
    return members;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> items = new ArrayList<>();
    at++;
    skipBlanks();
    if (take(']')) {
      return items;
    }
    do {
      items.add(value());
      skipBlanks();
    } while (take(','));
    require(']');
    return items;
  }

  private String string() {
    require('"');
    StringBuilder characters = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      characters.append(c == '\\' ? escaped() : c);
    }
    require('"');
    return characters.toString();
  }

  private char escaped() {
    if (at >= text.length()) {
      throw unexpected("an escaped character");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw unexpected("four hexadecimal digits");
        }
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> c;
    };
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at == start) {
      throw unexpected("a value");
    }
    return Double.valueOf(text.substring(start, at));
  }

  private @Nullable Object word(String word, @Nullable Object meaning) {
    if (!text.startsWith(word, at)) {
      throw unexpected(word);
    }
    at += word.length();
    return meaning;
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean take(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private void require(char c) {
    if (!take(c)) {
      throw unexpected("'" + c + "'");
    }
  }

  private IllegalArgumentException unexpected(String expected) {
    return new IllegalArgumentException(
        "not JSON: expected " + expected + " at character " + at + " of " + text.length());
  }
}
