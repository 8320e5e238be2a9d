// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.console.internal.relay.RelayedStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request is answered with, whichever server it came to. */
public final class Reply {

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final boolean stream;
  private final @Nullable String instance;
  private final @Nullable RelayedStream relayed;

  private Reply(
      int status,
      Map<String, String> headers,
      byte[] body,
      boolean stream,
      @Nullable String instance,
      @Nullable RelayedStream relayed) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body;
    this.stream = stream;
    this.instance = instance;
    this.relayed = relayed;
  }

  /**
   * What the console of another instance answers.
   *
   * @param part its name, with its query
   */
  static Reply ofInstance(String instance, String part) {
    return new Reply(200, Map.of(), part.getBytes(UTF_8), false, instance, null);
  }

  static Reply of(int status, String type, byte[] body) {
    return of(status, type, body, Map.of(), false);
  }

  static Reply json(byte[] body) {
    return of(200, "application/json", body);
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

  /** The stream of another instance, which is read already. */
  static Reply relayed(String type, RelayedStream relayed) {
    Reply head = stream(type);
    return new Reply(head.status, head.headers, head.body, true, null, relayed);
  }

  private static Reply of(
      int status, String type, byte[] body, Map<String, String> more, boolean stream) {
    Map<String, String> headers = new HashMap<>(Pages.GUARDS);
    headers.putAll(more);
    headers.put("Content-Type", type);
    return new Reply(status, headers, body, stream, null, null);
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

  /** Whose console is to be asked, for the part that the body names; null if nobody's. */
  public @Nullable String instance() {
    return instance;
  }

  /** The stream of another instance that follows; null if what follows is the page's own. */
  public @Nullable RelayedStream relayed() {
    return relayed;
  }

  /** Whether a stream follows: the page's, if there is a place left at it, or an instance's. */
  public boolean isStream() {
    return stream;
  }
}
