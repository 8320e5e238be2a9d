// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

/** Reads what JMH writes: maps, lists, strings, numbers, booleans, null. */
final class Json {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  /**
   * The value of a whole text.
   *
   * @throws IllegalArgumentException if it is not JSON; says where
   */
  static @Nullable Object parse(String text) {
    try {
      return MAPPER.readValue(text, Object.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException("not JSON: " + wrong.getMessage(), wrong);
    }
  }
}
