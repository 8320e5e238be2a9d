// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request may read, where a token is asked for. A browser shows the token once, in the
 * address, and from then on a cookie that is worth nothing elsewhere; a script sends it as a
 * bearer's.
 */
public final class Access {

  private static final String PARAMETER = "token=";
  private static final String BEARER = "Bearer ";
  private static final int SESSION_BYTES = 32;

  private final byte @Nullable [] token;
  private final String session;

  /** With null, all may read. */
  public Access(@Nullable String token) {
    this.token = token == null ? null : token.getBytes(UTF_8);
    byte[] random = new byte[SESSION_BYTES];
    new SecureRandom().nextBytes(random);
    this.session = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Whether the request has shown that it may.
   *
   * @param port of this server, for cookies are of a host, and not of its port
   */
  boolean allows(Headers request, int port) {
    if (token == null) {
      return true;
    }
    String bearer = request.getFirst("Authorization");
    if (bearer != null && bearer.startsWith(BEARER) && isToken(bearer.substring(BEARER.length()))) {
      return true;
    }
    String wanted = name(port) + "=" + session;
    for (String header : request.getOrDefault("Cookie", List.of())) {
      for (String cookie : header.split(";", -1)) {
        if (equal(cookie.strip().getBytes(UTF_8), wanted.getBytes(UTF_8))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the query of an address has the token. */
  boolean opens(@Nullable String query) {
    return token != null
        && query != null
        && query.startsWith(PARAMETER)
        && isToken(query.substring(PARAMETER.length()));
  }

  /** What a browser is to show from now on. */
  String cookie(int port) {
    return name(port) + "=" + session + "; Path=/tenrec/; HttpOnly; SameSite=Lax";
  }

  private static String name(int port) {
    return "tenrec-console-" + port;
  }

  private boolean isToken(String shown) {
    return token != null && equal(shown.getBytes(UTF_8), token);
  }

  /** Takes as long for a good guess as for a bad one. */
  private static boolean equal(byte[] shown, byte[] wanted) {
    return MessageDigest.isEqual(shown, wanted);
  }
}
