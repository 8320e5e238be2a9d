// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a program prints, and something that happens when it has printed a certain text. */
public final class LineWatch extends ByteArrayOutputStream {

  private final String text;
  private final Runnable then;
  private boolean happened;

  /** Happens once. */
  public LineWatch(String text, Runnable then) {
    this.text = text;
    this.then = then;
  }

  /** Has all children of this program die, as if they had failed. */
  public static LineWatch killingAt(String text) {
    return new LineWatch(
        text,
        () ->
            ProcessHandle.current()
                .children()
                .forEach(
                    child -> {
                      boolean unused = child.destroyForcibly();
                      ProcessHandle dead = child.onExit().join();
                    }));
  }

  /** To be printed on. */
  public PrintStream out() {
    return new PrintStream(this, true, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    super.write(bytes, from, length);
    if (!happened && shown().contains(text)) {
      happened = true;
      then.run();
    }
  }

  /** What was printed. */
  public String shown() {
    return toString(StandardCharsets.UTF_8);
  }
}
