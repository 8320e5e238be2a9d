// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.work.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Faults that a test brings into commands, by their keys, without their code knowing: their work
 * fails, is late, hangs or times out; or their calls are refused before it.
 *
 * <pre>{@code
 * faults.on("GetQuote").fail(new IOException("down"));
 * faults.on("GetQuote").nth(3).timeOut();
 * faults.open("GetQuote");
 * }</pre>
 *
 * <p>A key may be that of a command, a stream command, a guard, or the batches of a collapser.
 * Several faults on one key happen in the order they were given. Thread-safe.
 */
public final class Faults {

  private static final String STRATEGY = "execution.isolation.strategy";
  private static final String PERMITS = "execution.isolation.semaphore.maxConcurrentRequests";
  private static final String FORCE_OPEN = "circuitBreaker.forceOpen";

  private final @Nullable VirtualTime time;
  private final String prefix;
  private final Map<String, List<Fault>> byKey = new ConcurrentHashMap<>();

  /** Each setting that is a fault, by its name. Guarded by itself. */
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  // Written by attach, read by open, reject and clear, ordered by being volatile.
  private volatile @Nullable Tenrec tenrec;

  // Written by attach, read where work begins and by Leaks, ordered by being volatile.
  private volatile @Nullable OpenRequests requests;

  /**
   * A setting that is a fault.
   *
   * @param key of which command
   * @param listed how a Tenrec lists it: by what begins with its prefix, and without brackets
   * @param before what was set in memory; null if it was not what counted, or nothing
   */
  private record Setting(String key, String listed, @Nullable String before) {}

  private Faults(@Nullable VirtualTime time, String prefix) {
    this.time = time;
    this.prefix = Objects.requireNonNull(prefix, "prefix");
  }

  /** Faults in real time: what is late is waited for. */
  public static Faults inRealTime() {
    return new Faults(null, "tenrec");
  }

  /** Faults in virtual time: what is late moves it on. */
  public static Faults in(VirtualTime time) {
    return new Faults(Objects.requireNonNull(time, "time"), "tenrec");
  }

  /**
   * Others, none so far, for a Tenrec whose settings have another {@code prefix}: {@link #open} and
   * {@link #reject} are settings.
   */
  public Faults prefix(String prefix) {
    return new Faults(time, prefix);
  }

  /**
   * Brings them into the Tenrec that {@code builder} will build; in virtual time, that is its time.
   *
   * @return the builder
   */
  public TenrecBuilder applyTo(TenrecBuilder builder) {
    VirtualTime virtual = time;
    if (virtual != null) {
      builder.time(virtual, virtual);
    }
    return builder.beforeWork(this::before);
  }

  /**
   * The Tenrec that {@link #open} and {@link #reject} are for, and whose requests {@link Leaks}
   * looks for; one at a time.
   */
  public void attach(Tenrec tenrec) {
    if (this.tenrec != Objects.requireNonNull(tenrec, "tenrec")) {
      requests = new OpenRequests(tenrec);
      this.tenrec = tenrec;
    }
  }

  /** Those of the attached Tenrec; null before there is one. */
  @Nullable OpenRequests openRequests() {
    return requests;
  }

  /**
   * Says of which calls: at first of every one whose work begins. What is refused before, or
   * answered from a cache, is not counted; each attempt of a retry is.
   *
   * @param key the command's
   */
  public FaultyCalls on(String key) {
    return new FaultyCalls(this, Objects.requireNonNull(key, "key"), ordinal -> true);
  }

  /**
   * The circuit of {@code key} is open until the fault is cleared: each call is short-circuited. It
   * is forced open, so it makes no transition.
   *
   * @throws IllegalStateException if no Tenrec is attached, if its settings have another prefix, or
   *     if it has a source of its own
   */
  public void open(String key) {
    set(key, FORCE_OPEN, "true");
  }

  /**
   * No call of {@code key} gets a permit until the fault is cleared: each is rejected by a
   * semaphore, whatever isolates the command otherwise. Not for commands that share a semaphore,
   * which go by that one's limit.
   *
   * @throws IllegalStateException as {@link #open} does
   */
  public void reject(String key) {
    set(key, PERMITS, "0");
    set(key, STRATEGY, "SEMAPHORE");
  }

  /**
   * Takes back every fault of this key; work that was held goes on, and what the Tenrec's settings
   * said before is in force again.
   */
  public void clear(String key) {
    List<Fault> gone = byKey.remove(key);
    if (gone != null) {
      gone.forEach(Fault::release);
    }
    clearSettings(key::equals);
  }

  /** Takes back every fault, as {@link #clear(String)} does. */
  public void clear() {
    new ArrayList<>(byKey.keySet()).forEach(this::clear);
    clearSettings(key -> true);
  }

  void add(String key, Fault fault) {
    byKey.computeIfAbsent(key, unused -> new CopyOnWriteArrayList<>()).add(fault);
  }

  @Nullable VirtualTime time() {
    return time;
  }

  private void before(Call call) throws Exception {
    OpenRequests present = requests;
    if (present != null) {
      present.look();
    }
    List<Fault> faults = byKey.get(call.commandKey());
    if (faults != null) {
      for (Fault fault : faults) {
        fault.meet(call);
      }
    }
  }

  private void set(String key, String property, String value) {
    // in brackets, for the key may hold dots
    String name = prefix + ".command[" + key + "]." + property;
    Tenrec attached = attached();
    String listed = prefix + ".command." + key + "." + property;
    synchronized (settings) {
      // clear and set are refused where its source is its own
      if (!settings.containsKey(name)) {
        settings.put(name, new Setting(key, listed, takenFromMemory(attached, name, listed)));
      }
      attached.set(name, value);
      if (!attached.resolvedSettings().properties().containsKey(listed)) {
        attached.clear(List.of(name));
        settings.remove(name);
        throw new IllegalStateException(
            "the settings of this Tenrec do not begin with '"
                + prefix
                + "': give the faults its prefix by prefix(..)");
      }
    }
  }

  /** What is gone when memory is cleared of it, was set there; another source may have said it. */
  private static @Nullable String takenFromMemory(Tenrec attached, String name, String listed) {
    String before = attached.resolvedSettings().properties().get(listed);
    attached.clear(List.of(name));
    return Objects.equals(before, attached.resolvedSettings().properties().get(listed))
        ? null
        : before;
  }

  private void clearSettings(Predicate<String> keys) {
    synchronized (settings) {
      List<String> mine =
          settings.entrySet().stream()
              .filter(setting -> keys.test(setting.getValue().key()))
              .map(Map.Entry::getKey)
              .toList();
      if (!mine.isEmpty()) {
        Tenrec attached = attached();
        attached.clear(mine);
        setAgain(attached, mine);
        settings.keySet().removeAll(mine);
      }
    }
  }

  /** What was in memory before a fault took its place; what other sources say shows by itself. */
  private void setAgain(Tenrec attached, List<String> names) {
    Map<String, String> now = attached.resolvedSettings().properties();
    Map<String, String> back = new LinkedHashMap<>();
    for (String name : names) {
      Setting taken = Objects.requireNonNull(settings.get(name));
      String before = taken.before();
      if (before != null && !before.equals(now.get(taken.listed()))) {
        back.put(name, before);
      }
    }
    if (!back.isEmpty()) {
      attached.set(back);
    }
  }

  private Tenrec attached() {
    Tenrec attached = tenrec;
    if (attached == null) {
      throw new IllegalStateException(
          "these faults know no Tenrec yet: call attach(tenrec) once it is built");
    }
    return attached;
  }
}
