// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads JSON, strictly: numbers are Long, or Double if they have a point. */
public final class JsonText {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_LONG_FOR_INTS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private JsonText() {}

  /** The value; an IllegalArgumentException that says where, if the text is not JSON. */
  public static Object parse(String text) {
    try {
      return MAPPER.readValue(text, Object.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  /** The object in a file. */
  public static Map<String, Object> read(Path file) throws IOException {
    return object(parse(Files.readString(file)));
  }

  /** The objects of a list. */
  public static List<Map<String, Object>> objects(Map<String, Object> from, String name) {
    return ((List<?>) from.get(name)).stream().map(JsonText::object).toList();
  }

  /** What has to be an object. */
  @SuppressWarnings("unchecked") // an object's keys are strings
  public static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  /** What has to be a number. */
  public static double number(Map<String, Object> from, String name) {
    assertThat(from.get(name)).as(name).isInstanceOf(Number.class);
    return ((Number) from.get(name)).doubleValue();
  }

  /** What has to be a whole number. */
  public static long count(Map<String, Object> from, String name) {
    assertThat(from.get(name)).as(name).isInstanceOf(Long.class);
    return (Long) from.get(name);
  }
}
