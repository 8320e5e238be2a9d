// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

/** No fallback of a method takes the exception; stays inside: the caller gets that exception. */
final class UnsuitedFallbackException extends Exception {

  private static final long serialVersionUID = 1L;

  UnsuitedFallbackException(String method, Throwable cause) {
    super(
        "no fallback of " + method + " takes a " + cause.getClass().getName(), null, false, false);
  }
}
