// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.context.ContextPropagator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values of threads that a test watches. It has to be registered before the application's
 * propagators: then it is installed before them and ended after them, and what it sees changed in
 * between stays on the thread. Carries nothing itself. Thread-safe.
 */
final class WatchedValues implements ContextPropagator {

  private record Watched(String name, Supplier<?> value, Thread by, @Nullable Object atFirst) {}

  private final List<Watched> watched = new CopyOnWriteArrayList<>();
  private final Set<String> left = ConcurrentHashMap.newKeySet();

  void watch(String name, Supplier<?> value) {
    watched.add(new Watched(name, value, Thread.currentThread(), value.get()));
  }

  @Override
  public @Nullable Captured capture() {
    return watched.isEmpty() ? null : this::install;
  }

  private Scope install() {
    List<Watched> all = List.copyOf(watched);
    @Nullable Object[] before = new @Nullable Object[all.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = all.get(i).value().get();
    }
    return () -> {
      for (int i = 0; i < before.length; i++) {
        compare(all.get(i), before[i]);
      }
    };
  }

  private void compare(Watched one, @Nullable Object before) {
    Object after = one.value().get();
    if (!Objects.equals(before, after)) {
      left.add(
          "a value on thread '"
              + Thread.currentThread().getName()
              + "': "
              + one.name()
              + " was "
              + before
              + " before a call, and "
              + after
              + " after it");
    }
  }

  /** One line for each value that stayed on a thread, and for each that changed on this one. */
  List<String> found() {
    List<String> found = new ArrayList<>(left);
    for (Watched one : watched) {
      Object now = one.value().get();
      if (one.by() == Thread.currentThread() && !Objects.equals(one.atFirst(), now)) {
        found.add(
            "a value on this thread: "
                + one.name()
                + " was "
                + one.atFirst()
                + " when the watch began, and is "
                + now);
      }
    }
    return found;
  }
}
