// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What is sent to an address: a method, headers, and a body. Immutable. */
public final class Request {

  /** A GET with no headers of its own. */
  public static final Request GET = new Request("GET", List.of(), new byte[0]);

  /** Those that a body or its absence goes with; CONNECT and TRACE are for proxies. */
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private static final Set<String> WITH_LENGTH = Set.of("POST", "PUT", "PATCH");
  private static final Set<String> OURS =
      Set.of("content-length", "transfer-encoding", "connection", "expect");

  /** A name as RFC 9110 has it, and a value on one line. */
  private static final Pattern HEADER =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\x21-\\x7e\\x80-\\xff \\t]*)");

  private final String method;
  private final List<String> headers;
  private final byte[] body;

  private Request(String method, List<String> headers, byte[] body) {
    this.method = method;
    this.headers = headers;
    this.body = body;
  }

  /**
   * A request.
   *
   * @param method GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS
   * @param headers lines, "Name: value" each; one of the name Host replaces the address's
   * @param body empty for none
   * @throws IllegalArgumentException if the method is another, a header is none, or one of those
   *     that follow from the body and the connection
   */
  public static Request of(String method, List<String> headers, byte[] body) {
    if (!METHODS.contains(method)) {
      throw new IllegalArgumentException(
          "the method is " + method + ", expected one of " + METHODS.stream().sorted().toList());
    }
    headers.forEach(Request::check);
    return new Request(method, List.copyOf(headers), body.clone());
  }

  private static void check(String header) {
    if (!HEADER.matcher(header).matches()) {
      throw new IllegalArgumentException(
          "the header is '" + header + "', expected one like 'Accept: text/plain'");
    }
    if (OURS.contains(name(header))) {
      throw new IllegalArgumentException(
          "the header is '" + header + "', which the driver sets itself; expected another");
    }
  }

  private static String name(String header) {
    return header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
  }

  /** For people: the method, and how long the body is. */
  public String label() {
    return body.length == 0 ? method : method + " of " + body.length + " bytes";
  }

  /** Whether the reply has no body, whatever its headers say. */
  boolean isHead() {
    return method.equals("HEAD");
  }

  /** As it is sent to this address. */
  byte[] bytes(HttpAddress address) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(address.path()).append(" HTTP/1.1\r\n");
    if (headers.stream().noneMatch(header -> name(header).equals("host"))) {
      head.append("Host: ").append(address.host()).append("\r\n");
    }
    headers.forEach(header -> head.append(header).append("\r\n"));
    if (body.length > 0 || WITH_LENGTH.contains(method)) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    head.append("\r\n");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }
}
