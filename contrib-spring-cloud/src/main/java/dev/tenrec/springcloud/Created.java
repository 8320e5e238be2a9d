// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breakers that a factory has made, by id: each is made once, and asked for with each
 * call by clients such as Feign's. One whose key was removed from the Tenrec is known for as long
 * as somebody else holds it. If one of its calls brings the key back, the next thread that asks for
 * the id makes the factory keep it again. Thread-safe; runs no user code under a lock, and waits
 * for none.
 *
 * @param <C> the type of circuit breaker
 */
final class Created<C> {

  /** So many are not worth a look for those whose keys were removed. */
  private static final int FEW = 64;

  /**
   * One circuit breaker, as it was described first. Threads that come while it is being made make
   * it as well, by that description: what they build is one command. Those that fail leave it to
   * the others, and the last of them gives it up, so that the next one describes it anew.
   */
  private static final class Place<C> {

    private static final int GIVEN_UP = -1;

    final Supplier<C> description;

    /** How many threads make it, or have made it. Changed by each of them, by compare-and-set. */
    private final AtomicInteger makers = new AtomicInteger();

    /** Null until it is made. */
    final AtomicReference<@Nullable Made<C>> made = new AtomicReference<>();

    Place(Supplier<C> description) {
      this.description = description;
    }

    /** Whether the caller may make it: false if it was given up. */
    boolean begin() {
      return makers.updateAndGet(now -> now == GIVEN_UP ? now : now + 1) != GIVEN_UP;
    }

    /** Whether it is given up, as one more has failed and there is no other. */
    boolean fail() {
      return makers.updateAndGet(now -> now == 1 ? GIVEN_UP : now - 1) == GIVEN_UP;
    }
  }

  /** What {@link #kept} holds, or somebody else does. */
  private static final class Made<C> extends WeakReference<C> {

    final String id;
    final Place<C> place;

    Made(String id, Place<C> place, C breaker, ReferenceQueue<C> gone) {
      super(breaker, gone);
      this.id = id;
      this.place = place;
    }
  }

  private final Predicate<? super C> removed;

  /** Written by threads that create, read by any caller, ordered by the map. */
  private final Map<String, Place<C>> byId = new ConcurrentHashMap<>();

  /** Those whose keys are there. Written by threads that ask for them, ordered by the map. */
  private final Map<String, C> kept = new ConcurrentHashMap<>();

  private final ReferenceQueue<C> gone = new ReferenceQueue<>();

  /**
   * How many may be kept before removed ones are looked for. Written and read by threads that
   * create, ordered by volatile access; if two look at once, either's is right.
   */
  private volatile int enough = FEW;

  /**
   * None yet.
   *
   * @param removed whether its key was removed from the Tenrec
   */
  Created(Predicate<? super C> removed) {
    this.removed = removed;
  }

  /**
   * That of {@code id}.
   *
   * @param describe asked if it is the first; what it returns makes the circuit breaker, and may be
   *     asked by several threads
   */
  C get(String id, Supplier<? extends Supplier<C>> describe) {
    Objects.requireNonNull(id, "id");
    try {
      while (true) {
        Place<C> place = placeOf(id, describe);
        C breaker = breakerAt(id, place);
        if (breaker != null) {
          C unused = kept.putIfAbsent(id, breaker);
          return breaker;
        }
        boolean unused = byId.remove(id, place); // nobody holds it any more, nor makes it
      }
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "The circuit breaker \""
              + id
              + "\" cannot be created: "
              + e.getMessage()
              + ". An id is the key of a command; annotations, the blocking and the reactive factory"
              + " share it if all say the same of it, its isolation included",
          e);
    }
  }

  private Place<C> placeOf(String id, Supplier<? extends Supplier<C>> describe) {
    Place<C> present = byId.get(id);
    if (present != null) {
      return present;
    }
    letGo();
    Place<C> own = new Place<>(describe.get());
    Place<C> other = byId.putIfAbsent(id, own);
    return other != null ? other : own;
  }

  /** Null if it was made and is gone, or was given up. */
  private @Nullable C breakerAt(String id, Place<C> place) {
    Made<C> present = place.made.get();
    if (present != null) {
      return present.get();
    }
    if (!place.begin()) {
      return null;
    }
    C breaker;
    Made<C> own;
    try {
      breaker = place.description.get();
      own = new Made<>(id, place, breaker, gone);
    } catch (RuntimeException | Error refused) {
      if (place.fail()) {
        boolean unused = byId.remove(id, place);
      }
      throw refused;
    }
    if (place.made.compareAndSet(null, own)) {
      return breaker;
    }
    return Objects.requireNonNull(place.made.get()).get();
  }

  /** Looks at all so seldom that each creation pays for a few at the most. */
  private void letGo() {
    if (kept.size() > enough) {
      boolean unused = kept.values().removeIf(removed);
      enough = Math.max(FEW, 2 * kept.size());
    }
    for (Reference<? extends C> one = gone.poll(); one != null; one = gone.poll()) {
      Made<?> made = (Made<?>) one;
      boolean unused = byId.remove(made.id, made.place);
    }
  }

  /** How many ids are known. */
  int size() {
    return byId.size();
  }

  /**
   * Refuses to configure what is there already.
   *
   * @throws IllegalStateException if one of {@code ids} was created
   */
  void requireNone(String... ids) {
    for (String id : ids) {
      if (byId.containsKey(id)) {
        throw new IllegalStateException(
            "The circuit breaker \""
                + id
                + "\" was created before it was configured. Configure it in a Customizer bean of"
                + " its factory; while the application runs its settings change by"
                + " tenrec.command."
                + id
                + ".<property>");
      }
    }
  }

  /** Made of a group's name where there is one, for messages and pools. */
  static @Nullable String group(@Nullable String name) {
    return name == null || name.isBlank() ? null : name;
  }
}
