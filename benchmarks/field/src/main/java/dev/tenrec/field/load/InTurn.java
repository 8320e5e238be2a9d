// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.load.engine.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Calls several targets in turn, and counts the calls of each. Thread-safe. */
public final class InTurn implements Target {

  /**
   * What became of the calls of one target.
   *
   * @param sent calls
   * @param answered those with a status of 200 to 299
   */
  public record Share(long sent, long answered) {}

  private static final class Place {

    final String name;
    final Target target;
    final LongAdder sent = new LongAdder();
    final LongAdder answered = new LongAdder();

    Place(String name, Target target) {
      this.name = name;
      this.target = target;
    }

    void ended(int status) {
      if (status >= 200 && status < 300) {
        answered.increment();
      }
    }
  }

  private final List<Place> places = new ArrayList<>();
  private final AtomicLong turn = new AtomicLong();

  /**
   * Of these targets, which it closes with itself.
   *
   * @param targets by name; at least one
   */
  public InTurn(Map<String, ? extends Target> targets) {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("there are 0 targets, expected at least 1");
    }
    targets.forEach((name, target) -> places.add(new Place(name, target)));
  }

  private Place next() {
    Place place = places.get((int) (turn.getAndIncrement() % places.size()));
    place.sent.increment();
    return place;
  }

  @Override
  public int call() throws Exception {
    Place place = next();
    int status = place.target.call();
    place.ended(status);
    return status;
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    Place place = next();
    return place
        .target
        .callAsync()
        .whenComplete(
            (status, failed) -> {
              if (failed == null) {
                place.ended(status);
              }
            });
  }

  /** What became of the calls of each; exact when no call is under way. */
  public Map<String, Share> shares() {
    Map<String, Share> shares = new LinkedHashMap<>();
    for (Place place : places) {
      shares.put(place.name, new Share(place.sent.sum(), place.answered.sum()));
    }
    return shares;
  }

  /** Closes all, and throws what the first of them threw that could not be closed. */
  @Override
  public void close() throws Exception {
    Exception first = null;
    for (Place place : places) {
      try {
        place.target.close();
      } catch (Exception failed) {
        if (first == null) {
          first = failed;
        } else {
          first.addSuppressed(failed);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
