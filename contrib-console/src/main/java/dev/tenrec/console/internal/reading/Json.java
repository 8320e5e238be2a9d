// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * JSON as text. Through a writer, and not as bytes at once: a key may hold half a pair of
 * surrogates, which is an error to the writer of bytes, and a question mark to the encoder of text.
 */
final class Json {

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** Writes one value. */
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  static String of(Content content) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return out.toString();
  }

  /** The text up to a bound, with an ellipsis if something is missing. A pair is not cut. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "…";
  }
}
