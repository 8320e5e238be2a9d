// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import dev.tenrec.console.internal.door.Reply;
import dev.tenrec.console.internal.relay.RelayedStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request to a {@link ConsolePage} is answered with, for the server that it came to. */
public final class ConsoleAnswer {

  private final Reply reply;

  ConsoleAnswer(Reply reply) {
    this.reply = reply;
  }

  /** The status of HTTP. Where the stream follows, and has no place left, it is 503 instead. */
  public int status() {
    return reply.status();
  }

  /** All that are to be set; they keep browsers from running or framing what is not the page's. */
  public Map<String, String> headers() {
    return reply.headers();
  }

  /** All of the answer; empty if the stream follows. */
  public byte[] body() {
    return reply.body().clone();
  }

  /** Whether {@link ConsolePage#open} of this is to follow, each part of which is to be flushed. */
  public boolean isStream() {
    return reply.isStream();
  }

  /** The stream of another instance that follows; null if it is the page's own. */
  @Nullable RelayedStream relayed() {
    return reply.relayed();
  }

  /** No client takes the stream that follows. */
  void leave() {
    RelayedStream relayed = relayed();
    if (relayed != null) {
      relayed.leave();
    }
  }
}
