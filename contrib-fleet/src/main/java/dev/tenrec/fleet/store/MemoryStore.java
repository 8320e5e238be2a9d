// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

import dev.tenrec.core.config.Subscription;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in this JVM, for tests and for trying things out: nothing of it survives. An outage can
 * be played.
 *
 * <p>Thread-safe. Listeners are called on the thread that made the change.
 */
public final class MemoryStore {

  private final InstantSource clock;

  /** All below are read and written under this object's monitor. */
  private final Map<String, Stored> texts = new TreeMap<>();

  private final Map<String, Session> announcers = new HashMap<>();
  private long revision;
  private boolean away;

  private final List<Session> sessions = new CopyOnWriteArrayList<>();

  /** By the system's clock. */
  public MemoryStore() {
    this(InstantSource.system());
  }

  /** By this clock. */
  public MemoryStore(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Opens a session.
   *
   * @param principal as what it is authenticated; empty for not at all
   */
  public FleetStore connect(String principal) {
    Session session = new Session(principal);
    sessions.add(session);
    return session;
  }

  /** From now on no session reaches the engine; what they have announced stays. */
  public void goAway() {
    synchronized (this) {
      away = true;
    }
    signal(StoreListener::disconnected);
  }

  /** Sessions reach the engine again. */
  public void comeBack() {
    synchronized (this) {
      away = false;
    }
    signal(StoreListener::connected);
  }

  /**
   * Ends the announcements of every session, as engines do with sessions that were away for long.
   */
  public void expireSessions() {
    List<String> gone;
    synchronized (this) {
      gone = List.copyOf(announcers.keySet());
      announcers.clear();
      gone.forEach(texts::remove);
    }
    gone.forEach(this::changed);
    signal(StoreListener::disconnected);
    signal(StoreListener::connected);
  }

  /** Loses everything, as an engine that was set up anew. */
  public void wipe() {
    List<String> gone;
    synchronized (this) {
      gone = List.copyOf(texts.keySet());
      texts.clear();
      announcers.clear();
    }
    gone.forEach(this::changed);
  }

  /**
   * Writes or, with null, deletes a text past all rules, as a person with the engine's own tool.
   */
  public void tamper(String name, @Nullable String text) {
    synchronized (this) {
      if (text == null) {
        texts.remove(name);
      } else {
        put(name, text);
      }
    }
    changed(name);
  }

  private void put(String name, String text) {
    texts.put(name, new Stored(text, ++revision, clock.millis()));
  }

  private void changed(String name) {
    sessions.forEach(session -> session.changed(name));
  }

  private void signal(Consumer<StoreListener> what) {
    sessions.forEach(session -> session.watches.forEach(watch -> what.accept(watch.listener)));
  }

  private record Watch(String name, StoreListener listener) {

    boolean concerns(String changed) {
      return changed.equals(name) || changed.startsWith(name + "/");
    }
  }

  private final class Session implements FleetStore {

    private final String principal;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    /** Read and written under the store's monitor. */
    private boolean closed;

    Session(String principal) {
      this.principal = principal;
    }

    void changed(String name) {
      watches.stream()
          .filter(watch -> watch.concerns(name))
          .forEach(watch -> watch.listener.changed());
    }

    private <T extends @Nullable Object> T reached(Supplier<T> action) {
      synchronized (MemoryStore.this) {
        if (closed || away) {
          throw new StoreUnavailableException(
              closed ? "this session was closed" : "the store in memory is away");
        }
        return action.get();
      }
    }

    @Override
    public @Nullable Stored read(String name) {
      return this.<@Nullable Stored>reached(() -> texts.get(name));
    }

    @Override
    public List<String> names(String folder) {
      String start = folder + "/";
      return reached(
          () ->
              texts.keySet().stream()
                  .filter(name -> name.startsWith(start))
                  .map(name -> name.substring(start.length()))
                  .map(rest -> rest.contains("/") ? rest.substring(0, rest.indexOf('/')) : rest)
                  .distinct()
                  .toList());
    }

    @Override
    public void commit(Transaction transaction) {
      reached(
          () -> {
            Stored guard = texts.get(transaction.guard());
            long is = guard == null ? Transaction.ABSENT : guard.revision();
            if (is != transaction.expectedRevision()) {
              throw new StaleWriteException(
                  transaction.guard()
                      + " has revision "
                      + is
                      + ", expected was "
                      + transaction.expectedRevision());
            }
            transaction.puts().forEach(MemoryStore.this::put);
            transaction.deletes().forEach(texts::remove);
            return true;
          });
      List<String> names = new ArrayList<>(transaction.puts().keySet());
      names.addAll(transaction.deletes());
      names.forEach(MemoryStore.this::changed);
    }

    @Override
    public void announce(String name, String text) {
      reached(
          () -> {
            Session announcer = announcers.get(name);
            if (announcer != null && announcer != this) {
              throw new NameTakenException(name + " was announced by another session");
            }
            announcers.put(name, this);
            put(name, text);
            return true;
          });
      MemoryStore.this.changed(name);
    }

    @Override
    public void withdraw(String name) {
      boolean gone = reached(() -> announcers.remove(name, this) && texts.remove(name) != null);
      if (gone) {
        MemoryStore.this.changed(name);
      }
    }

    @Override
    public Subscription watch(String name, StoreListener listener) {
      Watch watch = new Watch(name, listener);
      watches.add(watch);
      return () -> watches.remove(watch);
    }

    @Override
    public String principal() {
      return principal;
    }

    @Override
    public long nowMillis() {
      return reached(clock::millis);
    }

    @Override
    public void close() {
      List<String> gone = new ArrayList<>();
      synchronized (MemoryStore.this) {
        closed = true;
        announcers.forEach(
            (name, session) -> {
              if (session == this) {
                gone.add(name);
              }
            });
        gone.forEach(announcers::remove);
        gone.forEach(texts::remove);
      }
      sessions.remove(this);
      watches.clear();
      gone.forEach(MemoryStore.this::changed);
    }
  }
}
