// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How measuring came to its end. What there is by then is reported in any case, with a mark if it
 * is not all.
 *
 * @param stopped whether somebody asked for the end
 * @param failure what else broke it off; null if nothing did
 */
public record Ending(boolean stopped, @Nullable Exception failure) {

  /** With all that was planned. */
  public static final Ending COMPLETE = new Ending(false, null);

  /** Something that is measured. */
  @FunctionalInterface
  public interface Work {

    /** Measures, and puts what it has where it is found also if it fails after that. */
    void measure() throws Exception;
  }

  /** Measures as far as it goes. */
  public static Ending of(Stop stop, Work work) throws InterruptedException {
    try {
      work.measure();
      return new Ending(stop.asked(), null);
    } catch (IOException | IllegalStateException failed) {
      // perhaps of Ctrl-C, which reaches all of a terminal's programs, and ends one that has just
      // begun
      return stop.askedSoon() ? new Ending(true, null) : new Ending(false, failed);
    } catch (Exception failed) {
      return new Ending(stop.asked(), failed);
    }
  }

  private boolean isComplete() {
    return !stopped && failure == null;
  }

  /** Says so if it is not complete. */
  public void print(PrintStream out) {
    if (!isComplete()) {
      out.println("Incomplete: " + why() + ".");
    }
  }

  /** The mark in a file of results: {@code complete}, and if it is not, why. */
  public void put(Map<String, @Nullable Object> figures) {
    figures.put("complete", isComplete());
    if (!isComplete()) {
      figures.put("brokenOffBecause", why());
    }
  }

  private String why() {
    if (failure == null) {
      return "stopped by the user";
    }
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  /** When all else is reported. */
  public void rethrow() throws Exception {
    if (failure != null) {
      throw failure;
    }
  }
}
