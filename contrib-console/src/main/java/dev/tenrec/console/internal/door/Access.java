// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose a request is, by tokens: a reader's, or that of one of the operators, each with a token of
 * its own. A browser shows the token once, in the address, and from then on a cookie that is worth
 * nothing elsewhere; a script sends it as a bearer's.
 */
public final class Access {

  private static final String PARAMETER = "token=";
  private static final String BEARER = "Bearer ";
  private static final int SESSION_BYTES = 32;

  private final boolean readersNeedOne;
  private final List<Key> keys = new ArrayList<>();

  /** A token, what a browser shows instead, and whose it is; null if it is for reading only. */
  private static final class Key {

    private final byte[] token;
    private final String session;
    private final @Nullable String operator;

    Key(byte[] token, String session, @Nullable String operator) {
      this.token = token;
      this.session = session;
      this.operator = operator;
    }
  }

  /**
   * With these tokens.
   *
   * @param token for reading; with null, all may read
   * @param operators their names by their tokens
   */
  public Access(@Nullable String token, Map<String, String> operators) {
    readersNeedOne = token != null;
    if (token != null) {
      keys.add(key(token, null));
    }
    operators.forEach((each, operator) -> keys.add(key(each, operator)));
  }

  private static Key key(String token, @Nullable String operator) {
    byte[] random = new byte[SESSION_BYTES];
    new SecureRandom().nextBytes(random);
    return new Key(
        token.getBytes(UTF_8),
        Base64.getUrlEncoder().withoutPadding().encodeToString(random),
        operator);
  }

  /**
   * Whether the request has shown that it may read.
   *
   * @param port of this server, for cookies are of a host, and not of its port
   */
  boolean allows(Headers request, int port) {
    return !readersNeedOne || shown(request, port) != null;
  }

  /** Which operator's token the request shows; null if none's. */
  @Nullable String operator(Headers request, int port) {
    Key shown = shown(request, port);
    return shown == null ? null : shown.operator;
  }

  /** A script's token counts before a browser's cookie. */
  private @Nullable Key shown(Headers request, int port) {
    String bearer = request.getFirst("Authorization");
    if (bearer != null && bearer.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return ofToken(bearer.substring(BEARER.length()));
    }
    Key found = null;
    for (String header : request.getOrDefault("Cookie", List.of())) {
      for (String cookie : header.split(";", -1)) {
        for (Key key : keys) {
          String wanted = name(port) + "=" + key.session;
          if (equal(cookie.strip().getBytes(UTF_8), wanted.getBytes(UTF_8))) {
            found = key;
          }
        }
      }
    }
    return found;
  }

  /** Looks at all of them, so that it takes as long for each. */
  private @Nullable Key ofToken(String shown) {
    Key found = null;
    for (Key key : keys) {
      if (equal(shown.getBytes(UTF_8), key.token)) {
        found = key;
      }
    }
    return found;
  }

  /** What a browser that shows a token in its address is to show from now on; null for none. */
  @Nullable String cookie(@Nullable String query, int port) {
    Key key =
        query == null || !query.startsWith(PARAMETER)
            ? null
            : ofToken(query.substring(PARAMETER.length()));
    return key == null
        ? null
        : name(port) + "=" + key.session + "; Path=/tenrec/; HttpOnly; SameSite=Lax";
  }

  private static String name(int port) {
    return "tenrec-console-" + port;
  }

  /** Takes as long for a good guess as for a bad one. */
  private static boolean equal(byte[] shown, byte[] wanted) {
    return MessageDigest.isEqual(shown, wanted);
  }
}
