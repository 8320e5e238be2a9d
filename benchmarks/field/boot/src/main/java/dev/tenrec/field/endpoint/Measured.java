// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.load.Arrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What there is so far. Not thread-safe. */
final class Measured {

  /** Unguarded at three levels and by schedule; A to D; what Sizing says, twice; the change. */
  static final int PLANNED = 11;

  private final List<Run> runs = new ArrayList<>();
  private @Nullable Sizing sizing;
  private LiveChange.@Nullable Seen live;

  void add(Run run) {
    runs.add(run);
  }

  void sizing(Sizing found) {
    sizing = found;
  }

  void live(LiveChange.Seen seen) {
    live = seen;
  }

  /** All but the one with the change, in their order. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** All of them. */
  List<Run> all() {
    List<Run> all = new ArrayList<>(runs);
    live().ifPresent(seen -> all.add(seen.run()));
    return all;
  }

  Optional<Sizing> sizing() {
    return Optional.ofNullable(sizing);
  }

  Optional<LiveChange.Seen> live() {
    return Optional.ofNullable(live);
  }

  /** The closed run of so many users. */
  Optional<Run> closed(Configuration configuration, int users) {
    return runs.stream()
        .filter(run -> run.configuration() == configuration)
        .filter(run -> run.result().plan().arrivals().equals(new Arrivals.Closed(users)))
        .findFirst();
  }

  /** The run with arrivals by schedule. */
  Optional<Run> open(Configuration configuration) {
    return runs.stream()
        .filter(run -> run.configuration() == configuration)
        .filter(run -> run.result().plan().arrivals() instanceof Arrivals.Open)
        .findFirst();
  }

  /** What does not agree; nothing, if all does. */
  List<String> differences() {
    return all().stream()
        .flatMap(
            run ->
                EndpointReconciliation.differences(run).stream()
                    .map(difference -> run + ": " + difference))
        .toList();
  }
}
