// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address on this machine or on a list, and what to ask there. There is no other kind: a load
 * driver that can be pointed anywhere is a weapon.
 *
 * @param socket where
 * @param host as it was written, for the request's header
 * @param path with its query
 */
public record HttpAddress(InetSocketAddress socket, String host, String path) {

  /** So that no name is looked up: that would already reach out. */
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.]+]");

  /**
   * Reads an address on this machine.
   *
   * @throws IllegalArgumentException if it is not http, not loopback, or has no port
   */
  public static HttpAddress of(String url) {
    return of(url, Set.of());
  }

  /**
   * Reads an address on this machine, or at one of the places that are allowed besides. Only a name
   * on that list is looked up.
   *
   * @param allowed places, HOST:PORT each, as they stand in addresses
   * @throws IllegalArgumentException if it is not http, has no port, or is neither loopback nor
   *     allowed
   */
  public static HttpAddress of(String url, Set<String> allowed) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException malformed) {
      throw refused(url, "it is not a URL");
    }
    if (!"http".equals(uri.getScheme()) || uri.getPort() < 1) {
      throw refused(url, "it is not http with a port");
    }
    String place = uri.getHost() + ":" + uri.getPort();
    InetAddress address = allowed.contains(place) ? named(url, uri.getHost()) : loopback(uri);
    if (address == null) {
      throw refused(url, "it is not on this machine, and " + place + " is not allowed");
    }
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery();
    return new HttpAddress(
        new InetSocketAddress(address, uri.getPort()),
        place,
        query == null ? path : path + "?" + query);
  }

  private static InetAddress named(String url, String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw refused(url, "there is no host of this name");
    }
  }

  private static @Nullable InetAddress loopback(URI uri) {
    String host = uri.getHost();
    if ("localhost".equals(host)) {
      return InetAddress.getLoopbackAddress();
    }
    if (host == null || !LITERAL.matcher(host).matches()) {
      return null;
    }
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() ? address : null;
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
