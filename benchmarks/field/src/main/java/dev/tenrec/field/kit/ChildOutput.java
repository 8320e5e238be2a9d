// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a child says: the lines of its {@link Lifeline} in their order. Any other goes where this
 * program's errors go, and the last of them are kept. Thread-safe.
 */
final class ChildOutput {

  private static final int KEPT = 5;
  private static final long LAST_WORDS_MILLIS = 1_000;

  /** Empty at the end. */
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  /** Guarded by itself: both listening threads write. */
  private final Deque<String> others = new ArrayDeque<>();

  private final Thread output;
  private final Thread errors;

  ChildOutput(String name, Process process) {
    BufferedReader out = process.inputReader();
    BufferedReader err = process.errorReader();
    this.output = thread("listening-to-" + name, () -> listen(out));
    this.errors = thread("listening-to-errors-of-" + name, () -> note(err));
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void listen(BufferedReader out) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(Lifeline.READY)
            || line.startsWith(Lifeline.REPORT)
            || line.startsWith(Lifeline.WRONG)) {
          lines.add(Optional.of(line));
        } else {
          note(line);
        }
      }
    } catch (IOException ended) {
      // in the midst of a line: there are no more
    }
    lines.add(Optional.empty());
  }

  private void note(BufferedReader err) {
    try {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        note(line);
      }
    } catch (IOException ended) {
      // in the midst of a line: there are no more
    }
  }

  private void note(String line) {
    System.err.println(line);
    synchronized (others) {
      others.addLast(line);
      if (others.size() > KEPT) {
        others.removeFirst();
      }
    }
  }

  /**
   * The next line, or null if it has ended.
   *
   * @throws TimeoutException if there is none within this time
   */
  @Nullable String next(Duration patience) throws InterruptedException, TimeoutException {
    Optional<String> line = lines.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new TimeoutException();
    }
    if (line.isEmpty()) {
      lines.add(line);
    }
    return line.orElse(null);
  }

  /** After its end, until all its output is read. */
  void awaitLastWords() throws InterruptedException {
    output.join(LAST_WORDS_MILLIS);
    errors.join(LAST_WORDS_MILLIS);
  }

  /** The last of what it said besides, as the end of a sentence. */
  String lastWords() {
    synchronized (others) {
      return others.isEmpty() ? "it said nothing" : "it said: " + String.join(" / ", others);
    }
  }
}
