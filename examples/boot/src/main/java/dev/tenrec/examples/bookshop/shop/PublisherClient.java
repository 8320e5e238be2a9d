// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Asks the publisher by HTTP. Knows nothing of time-outs: its callers are commands. */
@Component
class PublisherClient {

  private static final int OK = 200;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI publisher;

  PublisherClient(@Value("${bookshop.publisher}") URI publisher) {
    this.publisher = publisher;
  }

  String get(String path) throws IOException, InterruptedException {
    return body(http.send(request(path), BodyHandlers.ofString()));
  }

  CompletableFuture<String> getLater(String path) {
    return http.sendAsync(request(path), BodyHandlers.ofString())
        .thenApply(
            answer -> {
              try {
                return body(answer);
              } catch (IOException e) {
                throw new java.util.concurrent.CompletionException(e);
              }
            });
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(publisher.resolve(path)).build();
  }

  private static String body(HttpResponse<String> answer) throws IOException {
    if (answer.statusCode() != OK) {
      throw new IOException(answer.uri() + " answered " + answer.statusCode() + ", expected 200");
    }
    return answer.body();
  }
}
