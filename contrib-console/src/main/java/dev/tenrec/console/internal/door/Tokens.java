// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

/** Which tokens are long enough, and fit into an address, a header and a cookie as they are. */
public final class Tokens {

  private static final int SHORTEST = 16;

  private Tokens() {}

  /**
   * This one.
   *
   * @throws IllegalArgumentException if it will not do; its message does not have it
   */
  public static String checked(String token) {
    if (!token.matches("[A-Za-z0-9._~-]{" + SHORTEST + ",}")) {
      throw new IllegalArgumentException(
          "token: expected at least "
              + SHORTEST
              + " ASCII letters, digits, '-', '.', '_' or '~', but it has "
              + token.length()
              + " characters");
    }
    return token;
  }
}
