// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tenrec.fleet.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as what it is, without {@link Json}'s mapper: that has 500 classes to load, for
 * which a process that starts in an outage does not wait. What is missing is null, 0 or empty, and
 * what is not known is left out, as by the mapper.
 */
final class JsonTree {

  private static final JsonFactory FACTORY = new JsonFactory();

  private final String what;
  private final Map<?, ?> fields;

  private JsonTree(String what, Map<?, ?> fields) {
    this.what = what;
    this.fields = fields;
  }

  /**
   * Reads a text.
   *
   * @param what the text is of, for the message
   * @throws StoreException if it is no object
   */
  static JsonTree read(String what, String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      if (value(parser) instanceof Map<?, ?> fields && parser.nextToken() == null) {
        return new JsonTree(what, fields);
      }
    } catch (IOException bad) {
      throw new StoreException(what + " is no JSON"); // its message would show the text
    }
    throw new StoreException(what + " is no JSON object");
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return object(parser);
    }
    if (token == JsonToken.START_ARRAY) {
      return array(parser);
    }
    if (token == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (token != JsonToken.VALUE_NUMBER_INT) {
      return null; // nothing that is read has any other
    }
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? parser.getBigIntegerValue() // wrong where it is read, and nothing where it is not
        : (Object) parser.getLongValue();
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  private <T> @Nullable T find(String name, Class<T> type) {
    Object value = fields.get(name);
    if (value == null || type.isInstance(value)) {
      return type.cast(value);
    }
    throw new StoreException(
        what + " has a wrong " + name + ": expected a " + type.getSimpleName());
  }

  /** Null if it is missing. */
  @Nullable String text(String name) {
    return find(name, String.class);
  }

  /**
   * A text that has to be there.
   *
   * @throws StoreException if it is missing
   */
  String requiredText(String name) {
    String found = text(name);
    if (found == null) {
      throw new StoreException(what + " has no " + name);
    }
    return found;
  }

  /** Empty if it is missing. */
  String textOrEmpty(String name) {
    return Objects.requireNonNullElse(text(name), "");
  }

  /** Null if it is missing. */
  @Nullable Long number(String name) {
    return find(name, Long.class);
  }

  /** 0 if it is missing. */
  long numberOrZero(String name) {
    return Objects.requireNonNullElse(number(name), 0L);
  }

  /** Null if it is missing. */
  @Nullable Integer whole(String name) {
    Long number = number(name);
    if (number != null && number.intValue() != number) {
      throw new StoreException(what + " has a wrong " + name + ": it is too large");
    }
    return number == null ? null : number.intValue();
  }

  /** Null if it is missing. */
  @Nullable JsonTree tree(String name) {
    Map<?, ?> found = find(name, Map.class);
    return found == null ? null : new JsonTree(what, found);
  }

  /** An empty one if it is missing. */
  JsonTree treeOrEmpty(String name) {
    return Objects.requireNonNullElseGet(tree(name), () -> new JsonTree(what, Map.of()));
  }

  /** The texts of a list; none if it is missing. */
  List<String> texts(String name) {
    List<?> found = find(name, List.class);
    return found == null ? List.of() : found.stream().map(String::valueOf).toList();
  }

  /** What the fields are called. */
  List<String> names() {
    return fields.keySet().stream().map(String::valueOf).toList();
  }
}
