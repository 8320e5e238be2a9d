// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;
import java.util.function.Function;

/**
 * What is configured under one kind of key: its properties, the rules between them, and the record
 * made of their values.
 *
 * @param table the properties
 * @param rules the rules between them
 * @param snapshot makes the record
 */
record Scope<S>(PropertyTable table, List<CrossRule> rules, Function<Values, S> snapshot) {

  String name() {
    return table.scope();
  }
}
