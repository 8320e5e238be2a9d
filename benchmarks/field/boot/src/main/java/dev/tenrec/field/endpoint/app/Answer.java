// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

/**
 * What a visitor gets.
 *
 * @param text shown to him
 * @param degraded whether it is the fallback's
 */
public record Answer(String text, boolean degraded) {

  static final Answer BUSY = new Answer("busy\n", true);
}
