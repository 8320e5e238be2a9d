// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import java.util.Locale;

/** The parts of the open load. */
enum Phase {
  /** As on most days. */
  CALM,
  /** More than the provider can do. */
  SURGE,
  /** As before. */
  AFTER;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
