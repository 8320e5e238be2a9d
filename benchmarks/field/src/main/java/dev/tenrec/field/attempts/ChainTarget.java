// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.field.load.engine.Target;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletionStage;

/** The caller of the first service of a chain, which waits for so long. Thread-safe. */
final class ChainTarget implements Target {

  private final ChainForm form;
  private final boolean deadlines;
  private final URI first;
  private final HttpClient client;

  ChainTarget(ChainForm form, boolean deadlines, URI first, HttpClient client) {
    this.form = form;
    this.deadlines = deadlines;
    this.first = first;
    this.client = client;
  }

  @Override
  public int call() {
    return callAsync().toCompletableFuture().join();
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    HttpRequest.Builder request =
        Asked.now(form.patience()).writeTo(HttpRequest.newBuilder(first)).timeout(form.patience());
    if (deadlines) {
      request.setHeader(DeadlineHeader.MILLIS.name(), DeadlineHeader.MILLIS.write(form.patience()));
    }
    return client
        .sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
        .thenApply(HttpResponse::statusCode);
  }

  /** Each call ends by its own time-out. */
  @Override
  public void close() {}
}
