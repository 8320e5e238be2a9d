// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/** What a request is answered with, whichever server it came to. */
public final class Reply {

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final boolean stream;

  private Reply(int status, Map<String, String> headers, byte[] body, boolean stream) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body;
    this.stream = stream;
  }

  static Reply of(int status, String type, byte[] body) {
    return of(status, type, body, Map.of(), false);
  }

  static Reply words(int status, String words) {
    return words(status, words, Map.of());
  }

  static Reply words(int status, String words, Map<String, String> more) {
    return of(status, "text/plain;charset=UTF-8", (words + "\n").getBytes(UTF_8), more, false);
  }

  static Reply stream(String type) {
    return of(200, type, new byte[0], Map.of(), true);
  }

  private static Reply of(
      int status, String type, byte[] body, Map<String, String> more, boolean stream) {
    Map<String, String> headers = new HashMap<>(Pages.GUARDS);
    headers.putAll(more);
    headers.put("Content-Type", type);
    return new Reply(status, headers, body, stream);
  }

  /** As a client is to get it. */
  public int status() {
    return status;
  }

  /** All that are to be set. */
  public Map<String, String> headers() {
    return headers;
  }

  /** Not to be changed; empty if what follows is the stream. */
  public byte[] body() {
    return body;
  }

  /** Whether what follows is the page's stream, if there is a place left at it. */
  public boolean isStream() {
    return stream;
  }
}
