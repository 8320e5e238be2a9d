// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Server-sent events, each one line of JSON. Not thread-safe. */
final class EventWriter {

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
  private static final byte[] BEGIN = "data: ".getBytes(US_ASCII);
  private static final byte[] END = "\n\n".getBytes(US_ASCII);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(4_096);

  /** Writes one value. */
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  EventWriter event(Content content) {
    try {
      out.write(BEGIN);
      try (JsonGenerator json = JSON.createGenerator(out, JsonEncoding.UTF8)) {
        content.write(json);
      }
      out.write(END);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
