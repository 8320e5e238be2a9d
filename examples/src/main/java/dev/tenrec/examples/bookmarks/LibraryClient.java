// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Plain HTTP to the library, as one would write it without Tenrec. */
final class LibraryClient implements AutoCloseable {

  private static final int OK = 200;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI library;

  LibraryClient(URI library) {
    this.library = library;
  }

  Bookmark bookmark(int id) throws IOException, InterruptedException {
    return Bookmark.parse(get("bookmark/" + id));
  }

  /** Several by one request. */
  Map<Integer, Bookmark> bookmarks(List<Integer> ids) throws IOException, InterruptedException {
    String commas = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    return get("bookmarks/" + commas)
        .lines()
        .map(Bookmark::parse)
        .collect(Collectors.toMap(Bookmark::id, Function.identity()));
  }

  /** The name of a user. */
  String user(int id) throws IOException, InterruptedException {
    return get("user/" + id);
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(library.resolve(path)).build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IOException(
          answer.uri() + " answered " + answer.statusCode() + ", expected 200: " + answer.body());
    }
    return answer.body();
  }

  /**
   * An HttpClient can be closed from Java 21 on; before that, its threads end when nobody has it
   * any more.
   */
  @Override
  public void close() throws Exception {
    if (http instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
