// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Figures as JSON: indented, fractions with three places, null where there is no number. */
public final class Json {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .addModule(new SimpleModule().addSerializer(new ThreePlaces()))
          .build();

  private Json() {}

  /**
   * The JSON text of a value, with a line feed at the end.
   *
   * @throws IllegalArgumentException if Jackson cannot write something in it
   */
  public static String write(@Nullable Object value) {
    try {
      return MAPPER.writeValueAsString(value) + "\n";
    } catch (JsonProcessingException unknown) {
      throw new IllegalArgumentException(unknown.getMessage(), unknown);
    }
  }

  private static final class ThreePlaces extends StdSerializer<Double> {

    ThreePlaces() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider unused)
        throws IOException {
      if (Double.isFinite(value)) {
        out.writeNumber(BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP));
      } else {
        out.writeNull();
      }
    }
  }
}
