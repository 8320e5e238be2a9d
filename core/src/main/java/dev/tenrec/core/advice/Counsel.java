// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.metrics.event.EventType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges one observation. The settings come from {@link Sizing}; where a {@link Replay} shows that
 * its few threads refuse too many of calls that arrive at random, there are more.
 */
final class Counsel {

  /** Of fewer, not even five lie beyond the 99.5th percentile. */
  private static final int FEWEST = 1_000;

  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /**
   * The share of time-outs from which the 99.5th percentile is not known; of twice it, the 99th.
   */
  private static final double CUT_OFF = 0.005;

  /** The share of calls that limits may refuse, or time out in the queue, in good health. */
  private static final double TOLERATED = 0.001;

  /** Below that many calls, the share of errors that opens a circuit is chance. */
  private static final int FEW_CALLS = 5;

  /** What a change of a time-out has to bring, in proportion. */
  private static final double WORTH_IT = 0.1;

  private static final int MOST_STEPS = 60;

  private final Observation seen;
  private final List<Proposal> proposals = new ArrayList<>();
  private final List<String> withheld = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private @Nullable Risk proposed;

  private Counsel(Observation seen) {
    this.seen = seen;
  }

  static Advice on(Observation seen) {
    Counsel counsel = new Counsel(seen);
    counsel.warn();
    counsel.volume();
    if (counsel.isEnough() && counsel.isHealthy()) {
      counsel.limits();
    }
    long arrivals = seen.arrivals();
    Risk present =
        arrivals == 0
            ? null
            : new Risk(
                seen.events().get(EventType.TIMEOUT) / (double) arrivals,
                seen.refused() / (double) arrivals);
    return new Advice(
        seen.key(),
        counsel.proposals,
        present,
        counsel.proposed,
        counsel.withheld,
        counsel.warnings);
  }

  private void warn() {
    if (seen.stillBusy() > 0) {
      warnings.add(
          seen.stillBusy()
              + " threads work for calls that have ended: the work does not heed its interrupt, and"
              + " occupies its thread beyond the time-out");
    }
    long rejected = seen.events().get(EventType.FALLBACK_REJECTION);
    if (rejected > 0) {
      warnings.add(
          rejected + " fallbacks found none of the " + seen.fallbackPermits() + " permits free");
    }
    if (seen.limits().timeout() == null) {
      warnings.add("there is no time-out: one call that hangs holds its permit for ever");
    }
  }

  /** A circuit that needs more calls than there are can never open. */
  private void volume() {
    double perWindow = seen.perSecond() * seen.window().toNanos() / 1e9;
    if (seen.time().compareTo(seen.window()) < 0 || seen.arrivals() == 0) {
      withheld.add(
          "the circuit's volume threshold: "
              + seen.arrivals()
              + " calls in "
              + words(seen.time())
              + ", expected some in at least one window of "
              + words(seen.window()));
    } else if (seen.volumeThreshold() > perWindow) {
      int half = Math.max(1, (int) (perWindow / 2));
      propose(
          CommandProperties.REQUEST_VOLUME_THRESHOLD,
          seen.volumeThreshold(),
          half,
          String.format(
              Locale.ROOT,
              "%.1f calls come in a window of %s: the circuit never opens",
              perWindow,
              words(seen.window())));
      if (half < FEW_CALLS) {
        warnings.add(
            half
                + " calls open the circuit by chance: a longer "
                + CommandProperties.ROLLING_WINDOW.name()
                + " has more of them");
      }
    } else if (seen.volumeThreshold() < FEW_CALLS) {
      warnings.add(
          "a circuit that may open after "
              + seen.volumeThreshold()
              + " calls opens by chance; "
              + (int) perWindow
              + " come in a window");
    }
  }

  private boolean isEnough() {
    boolean enough = seen.execution().count() >= FEWEST && seen.time().compareTo(SHORTEST) >= 0;
    if (!enough) {
      withheld.add(
          "time-out and sizes: "
              + seen.execution().count()
              + " latencies in "
              + words(seen.time())
              + ", expected at least "
              + FEWEST
              + " in "
              + words(SHORTEST));
    }
    return enough;
  }

  private boolean isHealthy() {
    double failed = 100.0 * seen.events().get(EventType.FAILURE) / seen.begun();
    long open = seen.events().get(EventType.SHORT_CIRCUITED);
    if (open > 0) {
      withheld.add(
          "time-out and sizes: the circuit refused "
              + open
              + " calls meanwhile, so the others show an ill dependency");
    } else if (failed >= seen.errorThreshold()) {
      withheld.add(
          String.format(
              Locale.ROOT,
              "time-out and sizes: %.1f %% of the calls failed, so they show an ill dependency",
              failed));
    }
    return open == 0 && failed < seen.errorThreshold();
  }

  private void limits() {
    double cutOff = cutOff();
    String whyNoTimeout = whyNoTimeout(cutOff);
    if (whyNoTimeout != null) {
      withheld.add("the time-out: " + whyNoTimeout);
    }
    if (cutOff > 2 * CUT_OFF) {
      withheld.add("sizes: the 99th percentile lies beyond the time-out");
      return;
    }
    String shared = seen.sharedSemaphore();
    boolean alone = shared == null && seen.othersExecuted() * 10 <= seen.begun();
    Traffic traffic =
        alone
            ? Traffic.of(seen)
            : new Traffic(seen.execution(), seen.perSecond(), 1, null); // others fill it too
    if (traffic.burst() != null) {
      warnings.add(traffic.burst());
    }
    Duration p99 = traffic.percentile(0.99);
    Sizing sizing =
        Sizing.of(
            BigDecimal.valueOf(seen.perSecond()).setScale(3, RoundingMode.UP),
            p99,
            traffic.percentile(0.995),
            BigDecimal.valueOf(Math.max(1, seen.errorThreshold()), 2));
    Duration timeout = seen.limits().timeout();
    if (whyNoTimeout == null) {
      timeout = timeout(timeout, sizing.timeout());
    }
    if (alone) {
      sizes(traffic, sizing, timeout, p99);
    } else if (shared != null) {
      withheld.add(
          "sizes: the permits are those of the semaphore "
              + shared
              + ", which has to be sized for all commands that share it");
    } else {
      withheld.add(
          "sizes: the pool "
              + seen.pool()
              + " ran "
              + seen.othersExecuted()
              + " calls of other commands meanwhile, and has to be sized for all of them");
    }
  }

  /** The share of those that began, or might have, of which it is not known how long they take. */
  private double cutOff() {
    long beyondDeadline = seen.events().get(EventType.DEADLINE_EXCEEDED);
    return (seen.events().get(EventType.TIMEOUT) + beyondDeadline)
        / (double) (seen.begun() + beyondDeadline);
  }

  /** Null if the latencies are those that a time-out bounds, and all of them are known. */
  private @Nullable String whyNoTimeout(double cutOff) {
    long retries = seen.events().get(EventType.RETRY);
    if (retries > 0) {
      return "it bounds all attempts of a call and the waits between them, and "
          + retries
          + " attempts were retries; what is known is how long each attempt takes";
    }
    if (cutOff <= CUT_OFF) {
      return null;
    }
    if (seen.events().get(EventType.DEADLINE_EXCEEDED) > 0) {
      return String.format(
          Locale.ROOT,
          "%.2f %% of the calls did not end in time, some of them by the deadline of the call they"
              + " were made in, and how long they would have taken is not known",
          cutOff * 100);
    }
    Duration timeout = seen.limits().timeout();
    return String.format(
        Locale.ROOT,
        "%.2f %% of the calls did not end %s, and how long they would have taken is not known; a"
            + " longer one, tried by a canary, shows it",
        cutOff * 100,
        timeout == null ? "in time" : "within " + words(timeout));
  }

  private Duration timeout(@Nullable Duration present, Duration reckoned) {
    Duration set = seen.setTimeout();
    double change = Math.abs(1 - reckoned.toNanos() / (double) set.toNanos());
    if (present == null) {
      propose(
          CommandProperties.TIMEOUT_ENABLED, false, true, "one call that hangs holds its permit");
    }
    if (change <= WORTH_IT) {
      return set;
    }
    propose(CommandProperties.TIMEOUT, set, reckoned, "99.5 % of the calls end within that time");
    return reckoned;
  }

  private void sizes(Traffic traffic, Sizing first, @Nullable Duration timeout, Duration p99) {
    double unavoidable = traffic.beyond(timeout);
    Limits present = seen.limits();
    long needed = Math.min(seen.mostInFlight(), room(present));
    Sizing sizing = first;
    Limits wanted = limits(first, timeout);
    Risk least = traffic.risk(wanted);
    Risk risk = least;
    for (int step = 0;
        step < MOST_STEPS && !(isTolerable(risk, unavoidable) && room(wanted) >= needed);
        step++) {
      sizing = sizing.withCoreSize(sizing.coreSize() + Math.max(1, sizing.coreSize() / 8));
      wanted = limits(sizing, timeout);
      risk = traffic.risk(wanted);
    }
    Risk kept =
        traffic.risk(new Limits(timeout, present.core(), present.queue(), present.maximum()));
    // threads beyond the core come once the queue is full, and then every call waits in it
    boolean standing = present.queue() > 0 && traffic.atWork() >= present.core();
    boolean tooFew = standing || !isTolerable(kept, unavoidable);
    boolean tooMany = present.maximum() > 2L * wanted.maximum();
    if (tooFew || tooMany) {
      String reason =
          String.format(
              Locale.ROOT,
              "%.1f calls a second x p99 %s = %d at work%s%s",
              seen.perSecond(),
              words(p99),
              first.coreSize(),
              sizing == first ? "" : "; with that few, " + least,
              standing ? "; as it is, every call waits in a full queue" : "");
      propose(wanted, reason);
    }
    if (present.maximum() > 0 && seen.fallbackPermits() < sizing.fallbackPermits()) {
      propose(
          CommandProperties.FALLBACK_MAX_CONCURRENT,
          seen.fallbackPermits(),
          sizing.fallbackPermits(),
          seen.errorThreshold() + " % of " + sizing.maximumSize() + " calls may need one at once");
    }
    if (!proposals.isEmpty()) {
      proposed = tooFew || tooMany ? risk : kept;
    }
  }

  private void propose(Limits wanted, String reason) {
    String pool = seen.pool();
    Limits present = seen.limits();
    if (pool == null) {
      proposals.add(
          new Proposal(
              CommandProperties.SEMAPHORE_MAX_CONCURRENT.scope(),
              seen.key(),
              String.valueOf(seen.permitsProperty()),
              String.valueOf(present.core()),
              String.valueOf(wanted.core()),
              reason));
      return;
    }
    boolean diverged = present.maximum() > present.core();
    ofPool(pool, PoolProperties.CORE_SIZE, present.core(), wanted.core(), reason);
    ofPool(
        pool,
        PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE,
        diverged,
        wanted.maximum() > wanted.core(),
        "so that the maximum counts");
    ofPool(
        pool, PoolProperties.MAXIMUM_SIZE, present.maximum(), wanted.maximum(), "a quarter more");
    ofPool(pool, PoolProperties.MAX_QUEUE_SIZE, present.queue(), wanted.queue(), "the core");
    ofPool(
        pool,
        PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD,
        present.queue(),
        wanted.queue(),
        "the core");
  }

  private <T> void ofPool(String pool, Property<T> property, T present, T wanted, String reason) {
    if (!present.equals(wanted)) {
      proposals.add(
          new Proposal(
              property.scope(),
              pool,
              property.name(),
              String.valueOf(property.write(present)),
              String.valueOf(property.write(wanted)),
              reason));
    }
  }

  private <T> void propose(Property<T> property, T present, T wanted, String reason) {
    proposals.add(
        new Proposal(
            property.scope(),
            seen.key(),
            property.name(),
            String.valueOf(property.write(present)),
            String.valueOf(property.write(wanted)),
            reason));
  }

  private static boolean isTolerable(Risk risk, double unavoidable) {
    return risk.refused() <= TOLERATED && risk.timedOut() <= unavoidable + 2 * TOLERATED;
  }

  /** How many calls may be in flight at once. */
  private static long room(Limits limits) {
    return (long) limits.maximum() + limits.queue(); // a queue may be as long as an int can say
  }

  private Limits limits(Sizing sizing, @Nullable Duration timeout) {
    return seen.pool() == null
        ? Limits.ofPermits(timeout, sizing.maximumSize())
        : new Limits(timeout, sizing.coreSize(), sizing.queueSize(), sizing.maximumSize());
  }

  private static String words(Duration time) {
    return time.toMillis() >= 10_000 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
