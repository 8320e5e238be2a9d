// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address on this machine, and what to ask there. There is no other kind: a load driver that can
 * be pointed anywhere is a weapon.
 *
 * @param socket where
 * @param host as it was written, for the request's header
 * @param path with its query
 */
public record LoopbackAddress(InetSocketAddress socket, String host, String path) {

  /** So that no name is looked up: that would already reach out. */
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.]+]");

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is not http, not loopback, or has no port
   */
  public static LoopbackAddress of(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException malformed) {
      throw refused(url, "it is not a URL");
    }
    if (!"http".equals(uri.getScheme()) || uri.getPort() < 1) {
      throw refused(url, "it is not http with a port");
    }
    InetAddress address = address(uri.getHost());
    if (address == null || !address.isLoopbackAddress()) {
      throw refused(url, "it is not on this machine");
    }
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery();
    return new LoopbackAddress(
        new InetSocketAddress(address, uri.getPort()),
        uri.getHost() + ":" + uri.getPort(),
        query == null ? path : path + "?" + query);
  }

  private static @Nullable InetAddress address(@Nullable String host) {
    if ("localhost".equals(host)) {
      return InetAddress.getLoopbackAddress();
    }
    if (host == null || !LITERAL.matcher(host).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException notAnAddress) {
      return null;
    }
  }

  private static IllegalArgumentException refused(String url, String why) {
    return new IllegalArgumentException(
        "the address is " + url + ": " + why + "; expected one like http://127.0.0.1:8080/path");
  }

  @Override
  public String toString() {
    return "http://" + host + path;
  }
}
