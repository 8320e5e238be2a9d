// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Collects what is printed while it is open: Boot sets logging up anew, and appenders go by that.
 */
final class Printed implements AutoCloseable {

  private final PrintStream before = System.out;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();

  Printed() {
    System.setOut(new PrintStream(text, true, StandardCharsets.UTF_8));
  }

  List<String> warnings() {
    return text.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("WARN"))
        .toList();
  }

  @Override
  public void close() {
    System.setOut(before);
    before.print(text.toString(StandardCharsets.UTF_8));
  }
}
