// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenrec.fleet.store.StoreException;

/** How what is kept is written: as JSON, in an order of its own, so that equal is written alike. */
public final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          // an instance of an older version reads what a newer one has written
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  /** As text. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("cannot be written: " + value.getClass(), impossible);
    }
  }

  /**
   * Reads a text.
   *
   * @param what the text is of, for the message
   * @throws StoreException if it is no such value
   */
  public static <T> T read(String what, String text, Class<T> type) {
    try {
      T value = MAPPER.readValue(text, type);
      if (value == null) {
        throw new StoreException(what + " is empty");
      }
      return value;
    } catch (JsonProcessingException bad) {
      // its message would show the text
      throw new StoreException(
          what
              + " cannot be read as a "
              + type.getSimpleName()
              + (bad.getLocation() == null
                  ? ""
                  : " at line "
                      + bad.getLocation().getLineNr()
                      + ", column "
                      + bad.getLocation().getColumnNr()));
    }
  }
}
