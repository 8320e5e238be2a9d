// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Collects an answer's text, and gives up on one that has more bytes than it may have. */
final class BoundedText implements BodySubscriber<String> {

  private final int mostBytes;
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private @Nullable Subscription subscription;

  BoundedText(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public CompletionStage<String> getBody() {
    return text;
  }

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    for (ByteBuffer piece : pieces) {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      if (said.size() + bytes.length > mostBytes) {
        giveUp();
        return;
      }
      said.writeBytes(bytes);
    }
  }

  private void giveUp() {
    if (subscription != null) {
      subscription.cancel();
    }
    onError(new IOException("its answer has more than " + mostBytes + " bytes"));
  }

  @Override
  public void onError(Throwable failed) {
    text.completeExceptionally(failed);
  }

  @Override
  public void onComplete() {
    text.complete(said.toString(UTF_8));
  }
}
