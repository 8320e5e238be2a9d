// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.micrometer.internal.Binding;
import dev.tenrec.micrometer.internal.Catalog;
import dev.tenrec.micrometer.internal.Family;
import dev.tenrec.micrometer.internal.RegistryMeters;
import dev.tenrec.micrometer.internal.prometheus.PrometheusBinding;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.noop.NoopMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The meters of one Tenrec: of its commands, pools, semaphores and collapsers, of those there are
 * and of those that come later. What is removed takes its meters along.
 *
 * <pre>{@code
 * TenrecMetrics metrics = TenrecMetrics.of(tenrec);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Nothing is recorded a second time, and no call is listened to: each meter is a function of
 * what Tenrec has counted since the beginning, read when the registry publishes. Meters of one name
 * always have the same tag keys.
 *
 * <p>A {@code PrometheusMeterRegistry} gets the same names and numbers from a collector, which
 * reads each command once a scrape, and which has the latencies as histograms, classic and native
 * in one. Of the registry's filters these series obey the common tags; and there are none if {@code
 * tenrec.commands} is denied. In other registries a latency has count and sum, for Micrometer has
 * no histogram that is a function.
 *
 * <p>A composite has each of its registries bound that it has at that moment. Thread-safe.
 */
public final class TenrecMetrics implements MeterBinder, AutoCloseable {

  private static final boolean PROMETHEUS =
      isThere("io.micrometer.prometheusmetrics.PrometheusMeterRegistry");

  private final Tenrec tenrec;
  private final Function<InventoryListener, Subscription> follow;
  private final Tags tags;
  private final boolean prometheusCollector;
  private final long[] boundsNanos;

  /** Guarded by itself. */
  private final IdentityHashMap<MeterRegistry, Binding> bindings = new IdentityHashMap<>();

  private TenrecMetrics(Builder builder) {
    this.tenrec = builder.tenrec;
    this.follow = builder.follow;
    this.tags = builder.tags;
    this.prometheusCollector = builder.prometheusCollector;
    this.boundsNanos = builder.buckets.stream().mapToLong(Duration::toNanos).toArray();
  }

  /** With all defaults. */
  public static TenrecMetrics of(Tenrec tenrec) {
    return builder(tenrec).build();
  }

  /** Starts the description of one. */
  public static Builder builder(Tenrec tenrec) {
    return new Builder(Objects.requireNonNull(tenrec, "tenrec"));
  }

  /**
   * Begins to publish to this registry; does nothing if it does so already. What is refused leaves
   * no meter behind; of a composite, the registries that were bound before the one that refuses
   * stay bound.
   *
   * <p>A command, a pool or another part whose meters the registry refuses is left out, and the log
   * says so: whether the part is there already, or comes later.
   *
   * @throws IllegalArgumentException if the registry has meters of another kind by the name of one
   *     of the whole Tenrec's, as {@code tenrec.threads}
   * @throws IllegalStateException if it has meters of another Tenrec with the same {@link
   *     Builder#tags}, or if a Prometheus registry has the collector of another, which {@link
   *     Builder#prometheusCollector} can do without
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    if (registry instanceof CompositeMeterRegistry composite) {
      composite.getRegistries().forEach(this::bindTo);
      return;
    }
    synchronized (bindings) {
      if (!bindings.containsKey(registry)) {
        bindings.put(registry, bind(registry));
      }
    }
  }

  private List<Family<Tenrec>> families() {
    List<Family<Tenrec>> families = new ArrayList<>(Catalog.OF_TENREC);
    if (tenrec.sourceStatus().isPresent()) {
      families.addAll(Catalog.OF_SOURCE);
    }
    return families;
  }

  private Binding bind(MeterRegistry registry) {
    if (registry.find(Catalog.COMMANDS).tags(tags).meter() != null) {
      throw new IllegalStateException(
          "the registry has meters of another Tenrec with the tags "
              + tags
              + ": give each Tenrec tags of its own");
    }
    RegistryMeters meters = new RegistryMeters(registry, tags);
    List<Meter> ofTheWhole = meters.add(tenrec, tenrec, Tags.empty(), families());
    try {
      return following(registry, meters, ofTheWhole);
    } catch (RuntimeException | Error failed) { // a collector that is refused, or no memory
      meters.close();
      throw failed;
    }
  }

  private Binding following(MeterRegistry registry, RegistryMeters meters, List<Meter> ofTheWhole) {
    if (!(PROMETHEUS && prometheusCollector && PrometheusBinding.suits(registry))) {
      Subscription following = follow.apply(meters);
      return () -> {
        following.close();
        meters.close();
      };
    }
    Meter commands = ofTheWhole.get(0); // as the registry's filters have left it
    if (commands instanceof NoopMeter) {
      return meters::close;
    }
    Binding collecting =
        PrometheusBinding.bind(registry, follow, Tags.of(commands.getId().getTags()), boundsNanos);
    return () -> {
      collecting.close();
      meters.close();
    };
  }

  /** Takes all meters out of all registries. Idempotent; binding anew begins anew. */
  @Override
  public void close() {
    List<Binding> closing;
    synchronized (bindings) {
      closing = new ArrayList<>(bindings.values());
      bindings.clear();
    }
    closing.forEach(Binding::close);
  }

  private static boolean isThere(String type) {
    try {
      Class.forName(type, false, TenrecMetrics.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  /** Describes the meters of one Tenrec. Not thread-safe. */
  public static final class Builder {

    private static final List<Duration> DEFAULT_BUCKETS =
        List.of(
            Duration.ofMillis(1),
            Duration.ofNanos(2_500_000),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    private final Tenrec tenrec;
    private Function<InventoryListener, Subscription> follow;
    private Tags tags = Tags.empty();
    private boolean prometheusCollector = true;
    private List<Duration> buckets = DEFAULT_BUCKETS;

    private Builder(Tenrec tenrec) {
      this.tenrec = tenrec;
      this.follow = tenrec::follow;
    }

    /** Tests: follows the Tenrec by {@code follow}, which may fail. */
    Builder follow(Function<InventoryListener, Subscription> follow) {
      this.follow = follow;
      return this;
    }

    /** Tags of all meters; none by default. Two Tenrecs in one registry want different values. */
    public Builder tags(Tags tags) {
      this.tags = Objects.requireNonNull(tags, "tags");
      return this;
    }

    /**
     * Whether a Prometheus registry gets a collector; on by default. Without it that registry is
     * treated as any other: all its filters count, several Tenrecs may share it, and there are no
     * histograms.
     */
    public Builder prometheusCollector(boolean used) {
      this.prometheusCollector = used;
      return this;
    }

    /**
     * The bounds of classic histograms, from 1 ms to 10 s by default. A latency is counted below a
     * bound by the midpoint of its slot, which may be 1.6 % away.
     *
     * @throws IllegalArgumentException if there is none, one is not positive, or they do not grow
     */
    public Builder buckets(Duration... bounds) {
      List<Duration> wanted = List.of(bounds);
      List<Duration> growing = new ArrayList<>(wanted);
      Collections.sort(growing);
      if (wanted.isEmpty()
          || !wanted.equals(growing)
          || wanted.stream().distinct().count() < wanted.size()
          || growing.get(0).isNegative()
          || growing.get(0).isZero()) {
        throw new IllegalArgumentException(
            "buckets: " + wanted + ", expected at least one, positive and growing");
      }
      this.buckets = wanted;
      return this;
    }

    /** Makes it; nothing is published until it is bound. */
    public TenrecMetrics build() {
      return new TenrecMetrics(this);
    }
  }
}
