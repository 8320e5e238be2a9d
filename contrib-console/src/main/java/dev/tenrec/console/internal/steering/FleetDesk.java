// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.steering;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenrec.console.internal.door.Desk;
import dev.tenrec.fleet.FleetDraft;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.FleetRefusedException;
import dev.tenrec.fleet.FleetState;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows a fleet, and writes what its operators order. What is shown is read by one session for all
 * pages, once a second at most; what is written is written by the operator's own session, so that
 * its author is the one that the store has authenticated, whatever the order says.
 */
public final class FleetDesk implements Desk {

  private static final long FRESH_NANOS = 1_000_000_000;

  /** Of the history. */
  private static final int SHOWN = 50;

  /** Of what counts for a while: more than 31 years. */
  private static final long MOST_SECONDS = 1_000_000_000;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final FleetOperator viewer;
  private final Function<String, @Nullable FleetOperator> operators;
  private final boolean opensInstances;
  private final Ticker ticker;

  /** Held while the store is asked. */
  private final ReentrantLock reading = new ReentrantLock();

  /** What was read last. Written under the lock, read by any thread, ordered by volatile access. */
  private volatile @Nullable Seen seen;

  /**
   * How many changes were made here: what was read before the last of them is not shown after it.
   * Written and read by any thread, ordered by atomic access.
   */
  private final AtomicLong changes = new AtomicLong();

  /** By users: as whom the store knew their operators when it was asked last. */
  private final Map<String, String> authors = new ConcurrentHashMap<>();

  /**
   * What was read.
   *
   * @param consoles those of the instances, by their ids
   * @param changes how many there were before it was read
   * @param nanos when it was read
   */
  private record Seen(
      Map<String, Object> all, Map<String, String> consoles, long changes, long nanos) {}

  /**
   * Of this fleet.
   *
   * @param viewer reads what is shown
   * @param operators by the name of the user that they write for; null for users that may not
   * @param opensInstances whether the page can be that of another instance
   */
  public FleetDesk(
      FleetOperator viewer,
      Function<String, @Nullable FleetOperator> operators,
      boolean opensInstances,
      Ticker ticker) {
    this.viewer = Objects.requireNonNull(viewer, "viewer");
    this.operators = Objects.requireNonNull(operators, "operators");
    this.opensInstances = opensInstances;
    this.ticker = ticker;
  }

  @Override
  public byte[] look(@Nullable String user) {
    FleetOperator operator = of(user);
    Map<String, @Nullable Object> all = new LinkedHashMap<>(seen(true).all);
    all.put("you", user == null || operator == null ? null : author(user, operator));
    all.put("prefix", viewer.prefix());
    all.put("opens", opensInstances);
    return bytes(all);
  }

  @Override
  public @Nullable String console(String instance) {
    return seen(false).consoles.get(instance);
  }

  /** The author's name comes from the store; while that is away, the last known one. */
  private @Nullable String author(String user, FleetOperator operator) {
    try {
      String author = operator.author();
      String shown = author.isEmpty() ? "anonymous" : author;
      authors.put(user, shown);
      return shown;
    } catch (StoreException away) {
      return authors.get(user);
    }
  }

  private @Nullable FleetOperator of(@Nullable String user) {
    return user == null ? null : operators.apply(user);
  }

  @Override
  public boolean isAdvice(@Nullable String command, byte[] said) {
    return OthersAdvice.isAdvisers(command, said);
  }

  @Override
  public boolean mayChange(@Nullable String user) {
    return of(user) != null;
  }

  /**
   * One reading for all pages.
   *
   * @param mayBeOld whether the last reading will do while another thread reads; an address is no
   *     longer an instance's when that has left, so what is opened must be of now
   */
  private Seen seen(boolean mayBeOld) {
    long changed = changes.get();
    Seen last = seen;
    Seen known = last == null || last.changes < changed ? null : last;
    if (known != null && ticker.nanoTime() - known.nanos < FRESH_NANOS) {
      return known;
    }
    if (known == null || !mayBeOld) {
      reading.lock();
    } else if (!reading.tryLock()) {
      return known;
    }
    try {
      Seen meanwhile = seen;
      if (meanwhile != null && meanwhile != known && meanwhile.changes >= changed) {
        return meanwhile;
      }
      Seen fresh = read();
      seen = fresh;
      return fresh;
    } finally {
      reading.unlock();
    }
  }

  private Seen read() {
    long before = changes.get();
    Map<String, Object> all = new LinkedHashMap<>();
    Map<String, String> consoles = new HashMap<>();
    try {
      FleetState state = viewer.state();
      all.put("manifest", state.manifest());
      all.put("layers", layers(state));
      all.put("misfits", misfits(state));
      List<MemberReport> members = viewer.members();
      all.put("members", members.stream().map(FleetDesk::shown).toList());
      all.put("history", viewer.history(SHOWN));
      for (MemberReport member : members) {
        String console = member.console();
        if (console != null) {
          consoles.put(member.id(), console);
        }
      }
    } catch (StoreException away) {
      all.clear(); // all of it, or nothing
      all.put("away", Objects.requireNonNullElse(away.getMessage(), away.toString()));
    }
    return new Seen(all, consoles, before, ticker.nanoTime());
  }

  private static List<Map<String, Object>> layers(FleetState state) {
    List<Map<String, Object>> layers = new ArrayList<>();
    state
        .documents()
        .forEach(
            (layer, document) -> {
              if (!document.settings().isEmpty() || document.canary() != null) {
                Map<String, Object> shown = new LinkedHashMap<>();
                shown.put("layer", layer.toString());
                shown.put("document", document);
                layers.add(shown);
              }
            });
    return layers;
  }

  /** Which documents are left out, in words. */
  private static List<String> misfits(FleetState state) {
    List<String> misfits = new ArrayList<>();
    new TreeMap<>(state.manifest().layers())
        .forEach(
            (layer, version) -> {
              if (!state.documents().containsKey(FleetLayer.parse(layer))) {
                misfits.add(
                    "the document "
                        + layer
                        + " is missing, older or damaged: the manifest names its version "
                        + version);
              }
            });
    return misfits;
  }

  /** Without the names of all commands, which the page has no place for. */
  private static Map<String, @Nullable Object> shown(MemberReport report) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("id", report.id());
    shown.put("zone", report.zone());
    shown.put("version", report.version());
    shown.put("lineage", report.lineage());
    shown.put("settings", report.settingsHash());
    shown.put("effective", report.effectiveHash());
    shown.put("canary", report.canary());
    shown.put("alarm", report.alarm());
    shown.put("refused", report.refused());
    shown.put("masked", report.masked());
    shown.put("commands", report.commands().size());
    shown.put("refusing", report.refusing());
    shown.put("console", report.console() != null);
    return shown;
  }

  @Override
  public Done act(String user, byte[] order) {
    FleetOperator operator = of(user);
    if (operator == null) {
      return refused(403, "this user may not change settings");
    }
    try {
      Order read = JSON.readValue(order, Order.class);
      if (read == null) {
        return refused(400, "the order is empty");
      }
      FleetOperator named = operator.withId(read.id());
      Long expect = read.expect();
      return new Done(200, bytes(done(expect == null ? named : named.expecting(expect), read)));
    } catch (ValueInstantiationException bad) {
      Throwable cause = bad.getCause();
      return refused(400, words(cause == null ? bad : cause));
    } catch (JsonProcessingException bad) {
      return refused(400, "the order is no JSON of the form that is expected");
    } catch (IOException impossible) {
      return refused(400, "the order cannot be read");
    } catch (FleetRefusedException refused) {
      return refused(status(refused.reason()), words(refused));
    } catch (IllegalArgumentException bad) {
      return refused(422, words(bad));
    } catch (StoreAccessDeniedException denied) {
      return refused(403, words(denied));
    } catch (StoreUnavailableException away) {
      return refused(503, words(away) + "; send it again with the same id");
    } catch (StoreException failed) {
      return refused(502, words(failed));
    } finally {
      changes.incrementAndGet(); // its author looks at once
    }
  }

  private static int status(FleetRefusedException.Reason reason) {
    return switch (reason) {
      case CONFLICT -> 409;
      case FROZEN -> 423;
      case NOT_AUTHENTICATED -> 403;
      case INVALID, MASKED, TOO_LARGE -> 422;
    };
  }

  private static Object done(FleetOperator operator, Order order) {
    return switch (order.action()) {
      case "dry-run", "set", "canary" -> edit(operator, order);
      case "promote" -> operator.promote(order.reason());
      case "rollback" -> operator.rollBack(order.reason());
      case "undo" -> undone(operator, order);
      case "freeze" -> operator.freeze(order.reason());
      case "thaw" -> operator.thaw(order.reason());
      default -> throw new IllegalArgumentException("action: there is no such one");
    };
  }

  private static Change undone(FleetOperator operator, Order order) {
    Long version = order.version();
    if (version == null) {
      throw new IllegalArgumentException("version: expected the one to undo");
    }
    return operator.undo(version, order.reason());
  }

  /** Nothing gets into a canary that is running unless its layer is named. */
  private static void checkWhere(Order order) {
    boolean begins =
        order.lastsSeconds() != null
            || order.share() != 0
            || !order.members().isEmpty()
            || order.guard() != null;
    if (begins && order.action().equals("set")) {
      throw new IllegalArgumentException(
          "share, members, lastsSeconds, guard: expected of a canary only");
    }
    if (order.lastsSeconds() == null && (begins || order.action().equals("canary"))) {
      throw new IllegalArgumentException("lastsSeconds: expected how long the canary lasts");
    }
    if (order.layer() == null && !begins) {
      throw new IllegalArgumentException("layer: expected the one to change");
    }
  }

  private static @Nullable Duration time(String what, @Nullable Long seconds) {
    if (seconds == null) {
      return null;
    }
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw new IllegalArgumentException(
          what + ": expected 1 to " + MOST_SECONDS + " seconds, was " + seconds);
    }
    return Duration.ofSeconds(seconds);
  }

  private static Object edit(FleetOperator operator, Order order) {
    checkWhere(order);
    FleetDraft draft = operator.change(order.reason());
    String named = order.layer();
    FleetLayer layer = named == null ? FleetLayer.CANARY : FleetLayer.parse(named);
    if (order.set().isEmpty() && order.clear().isEmpty()) {
      throw new IllegalArgumentException("set, clear: expected a key of one of them");
    }
    Duration time = time("forSeconds", order.forSeconds());
    order
        .set()
        .forEach(
            (key, value) -> {
              if (time == null) {
                draft.set(layer, key, value);
              } else {
                draft.setFor(layer, key, value, time);
              }
            });
    order.clear().forEach(key -> draft.clear(layer, key));
    Duration lasts = time("lastsSeconds", order.lastsSeconds());
    if (lasts != null) {
      draft.canary(order.members(), order.share(), lasts);
    }
    if (order.guard() != null) {
      draft.guard(order.guard());
    }
    if (!order.isDryRun()) {
      return draft.write();
    }
    return draft.dryRun();
  }

  private static Done refused(int status, String why) {
    return new Done(status, bytes(Map.of("error", why)));
  }

  private static String words(Throwable thrown) {
    return Objects.requireNonNullElse(thrown.getMessage(), thrown.toString());
  }

  /** Through text, for half a pair of surrogates is an error to the writer of bytes. */
  private static byte[] bytes(Object value) {
    try {
      return JSON.writeValueAsString(value).getBytes(UTF_8);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("cannot be written: " + value.getClass(), impossible);
    }
  }
}
