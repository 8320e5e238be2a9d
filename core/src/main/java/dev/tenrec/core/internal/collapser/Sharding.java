// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Divides a batch: arguments of one shard key go together.
 *
 * @param shardOf the shard key of an argument, which may be null; null for no division
 */
public record Sharding<A extends @Nullable Object>(
    @Nullable Function<? super A, ? extends @Nullable Object> shardOf) {

  /** Whether dividing runs user code. */
  public boolean runsUserCode() {
    return shardOf != null;
  }

  /** The parts of a batch. What the function throws for an argument fails its members alone. */
  <R extends @Nullable Object> List<Part<A, R>> parts(
      Part.Whole<A, R> whole, List<Slot<A, R>> slots, int members) {
    if (shardOf == null) {
      return List.of(new Part<>(whole, slots, members));
    }
    Map<@Nullable Object, List<Slot<A, R>>> shards = new LinkedHashMap<>();
    for (Slot<A, R> slot : slots) {
      try {
        shards.computeIfAbsent(shardOf.apply(slot.argument), first -> new ArrayList<>()).add(slot);
      } catch (Throwable thrown) { // the user's function, or its key's equals
        Member<R> taken = slot.take();
        Slot.publish(taken, null, thrown);
        Slot.deliver(taken, whole.deliverer(), true);
      }
    }
    List<Part<A, R>> parts = new ArrayList<>(shards.size());
    for (List<Slot<A, R>> shard : shards.values()) {
      int waiting = shard.stream().mapToInt(Slot::waitingNow).sum();
      parts.add(new Part<>(whole, shard, waiting));
    }
    return parts;
  }
}
