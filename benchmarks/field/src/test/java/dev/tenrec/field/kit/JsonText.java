// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON, strictly, and knows nothing of the writer: numbers are Long, or Double if they have a
 * point.
 */
public final class JsonText {

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final Pattern STRING =
      Pattern.compile("\"((?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*)\"");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /** The value; an IllegalArgumentException that says where, if the text is not JSON. */
  public static Object parse(String text) {
    JsonText json = new JsonText(text);
    Object value = json.value();
    json.expect(json.at == text.length(), "the end");
    return value;
  }

  private Object value() {
    skipSpace();
    expect(at < text.length(), "a value");
    Object value =
        switch (text.charAt(at)) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> word("true", true);
          case 'f' -> word("false", false);
          case 'n' -> word("null", null);
          default -> number();
        };
    skipSpace();
    return value;
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    for (boolean first = true; !ends('}', first); first = false) {
      skipSpace();
      String key = string();
      skipSpace();
      expect(next() == ':', "a colon");
      expect(!object.containsKey(key), "a new key, not again " + key);
      object.put(key, value());
    }
    return object;
  }

  private List<Object> array() {
    List<Object> array = new ArrayList<>();
    for (boolean first = true; !ends(']', first); first = false) {
      array.add(value());
    }
    return array;
  }

  /**
   * Goes over the bracket that begins, the comma before the next item, or the bracket that ends.
   */
  private boolean ends(char bracket, boolean first) {
    if (first) {
      at++;
      skipSpace();
      if (at < text.length() && text.charAt(at) == bracket) {
        at++;
        return true;
      }
      return false;
    }
    char c = next();
    expect(c == bracket || c == ',', "a comma or " + bracket);
    return c == bracket;
  }

  private String string() {
    String quoted = match(STRING, "a string");
    return ESCAPE
        .matcher(quoted.substring(1, quoted.length() - 1))
        .replaceAll(
            escape -> Matcher.quoteReplacement(unescaped(escape.group(1), escape.group(2))));
  }

  private static String unescaped(String hex, String letter) {
    if (hex != null) {
      return Character.toString((char) Integer.parseInt(hex, 16));
    }
    int known = "bfnrt".indexOf(letter);
    return known < 0 ? letter : "\b\f\n\r\t".substring(known, known + 1);
  }

  private Object number() {
    String number = match(NUMBER, "a value");
    if (number.contains(".") || number.contains("e") || number.contains("E")) {
      return Double.valueOf(number);
    }
    return Long.valueOf(number);
  }

  private Object word(String word, Object value) {
    expect(text.startsWith(word, at), word);
    at += word.length();
    return value;
  }

  private String match(Pattern pattern, String what) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    expect(matcher.lookingAt(), what);
    at = matcher.end();
    return matcher.group();
  }

  private char next() {
    expect(at < text.length(), "more");
    return text.charAt(at++);
  }

  private void skipSpace() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void expect(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("expected " + what + " at " + at + " of " + text);
    }
  }
}
