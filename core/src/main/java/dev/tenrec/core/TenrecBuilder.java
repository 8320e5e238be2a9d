// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.RefusalListener;
import dev.tenrec.core.config.SettingChangeListener;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.config.archaius.ArchaiusSourceBuilder;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.context.MdcPropagator;
import dev.tenrec.core.context.MicrometerPropagator;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Listeners;
import dev.tenrec.core.internal.call.RunningStages;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.SettingKey;
import dev.tenrec.core.internal.config.Spelling;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.journal.CircuitLog;
import dev.tenrec.core.internal.journal.Journal;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.request.Requests;
import dev.tenrec.core.internal.timeout.GuardedTime;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.work.BeforeWork;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Says what one Tenrec is made of. Everything has a default. Not thread-safe; used once. */
public final class TenrecBuilder {

  private static final int DEFAULT_REQUEST_LOG_LIMIT = 1_000;
  private static final int DEFAULT_MAX_COMMANDS = 10_000;

  private @Nullable SettingsSource source;
  private @Nullable SettingsSource remoteSource;
  private @Nullable Path propertiesFile;
  private Map<String, String> baseProperties = Map.of();
  private String prefix = Configuration.DEFAULT_PREFIX;
  private RefusalListener refusals = RefusalListener.NONE;
  private SettingChangeListener changes = SettingChangeListener.NONE;
  private Ticker ticker = Ticker.system();
  private Waiter waiter = Waiter.system();
  private @Nullable Executor callbackExecutor;
  private int callbackThreads = CallbackExecutor.defaultThreads();
  private int callbackQueue = CallbackExecutor.DEFAULT_QUEUE_SIZE;
  private final List<ContextPropagator> propagators = new ArrayList<>();
  private final List<CommandListener> listeners = new ArrayList<>();
  private @Nullable BeforeWork beforeWork;
  private int requestLogLimit = DEFAULT_REQUEST_LOG_LIMIT;
  private int maxCommands = DEFAULT_MAX_COMMANDS;
  private String poolThreads = "tenrec";
  private String callbackThreadNames = "tenrec-callback";

  TenrecBuilder() {}

  /**
   * A {@code .properties} file to watch, below the system properties and what is set in memory;
   * looked at each second. It may come and go. Default: none.
   */
  public TenrecBuilder propertiesFile(Path file) {
    propertiesFile = Objects.requireNonNull(file, "file");
    return this;
  }

  /**
   * Dynamic properties by their full key, the weakest source, below the watched file. They change
   * by {@link Tenrec#replaceBaseProperties} only. For what an application has read elsewhere, such
   * as its framework's environment. Default: none.
   */
  public TenrecBuilder baseProperties(Map<String, String> properties) {
    baseProperties = Map.copyOf(properties);
    return this;
  }

  /**
   * Where dynamic settings come from, in the place of memory, system properties and file. Closed by
   * the code that made it.
   */
  public TenrecBuilder source(SettingsSource source) {
    this.source = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * Settings that come from elsewhere, as a fleet's: below what is set in memory, above the system
   * properties, the watched file and the base properties. A change applies on the thread that
   * brings it, and has been applied when its notification returns. Closed by the code that made it.
   * Default: none.
   */
  public TenrecBuilder remoteSource(SettingsSource source) {
    remoteSource = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * What property keys begin with. Default {@code tenrec}; {@code hystrix} reads what was written
   * for that.
   */
  public TenrecBuilder prefix(String prefix) {
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    return this;
  }

  /** Has the dynamic values that were refused reported to {@code listener}. */
  public TenrecBuilder onRefusedSetting(RefusalListener listener) {
    refusals = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Has settings that changed while in use reported to {@code listener}. Short for a {@link #listen
   * listener} that has {@link CommandListener#onSettingChange} only, and called before such
   * listeners; calls do not notice it.
   */
  public TenrecBuilder onSettingChange(SettingChangeListener listener) {
    changes = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Has {@code listener} receive every step of every call, circuits that change their state, and
   * settings that change. Several may be registered: they are called in the order of their
   * registration. With any of them, calls that run on their caller's thread take a way that costs
   * an object a call.
   */
  public TenrecBuilder listen(CommandListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /**
   * Has {@code before} run right before the work of every call: of commands, guards, streams and
   * batches. For faults that tests and drills bring in. With it, calls that run on their caller's
   * thread take a way that costs an object a call; a second one replaces the first. Default: none,
   * which costs nothing.
   */
  public TenrecBuilder beforeWork(BeforeWork before) {
    beforeWork = Objects.requireNonNull(before, "before");
    return this;
  }

  /**
   * Time, for all that reads it and waits for it. Both have to be of one scale. Default: the
   * system's.
   */
  public TenrecBuilder time(Ticker ticker, Waiter waiter) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.waiter = Objects.requireNonNull(waiter, "waiter");
    return this;
  }

  /**
   * The threads for user code of calls that have ended: dependents of futures, fallbacks,
   * cancellers, listeners of endings; and for starts of batches and metric streams. Each command
   * has a share of them, and each share always gets a first thread, so what blocks in one command's
   * does not hold up another's. No answer, permit or count waits for these threads.
   *
   * @param threads how many beyond the first of each all shares may have together, of which one
   *     share may have half: 1 or more; default four times the processors, at least 32
   * @param queue how many tasks of one share may wait that can be left out: a fallback (the call
   *     ends with its first cause then), the start of a batch (it is rejected), a value of a metric
   *     stream. 0 or more; default 1,000
   */
  public TenrecBuilder callbacks(int threads, int queue) {
    callbackThreads = threads;
    callbackQueue = queue;
    return this;
  }

  /**
   * An executor of the application's for the callbacks. It is not closed with this Tenrec, and must
   * refuse rather than block when it is full. What it refuses, would run on the thread that submits
   * it, or has not begun within 50 ms, runs on a thread of Tenrec's. {@link #callbacks(int, int)}
   * has no effect then.
   */
  public TenrecBuilder callbackExecutor(Executor executor) {
    callbackExecutor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Carries thread-bound context into work and fallbacks, beside the request, SLF4J's MDC and, when
   * it is present, what is registered with Micrometer's context-propagation.
   */
  public TenrecBuilder propagate(ContextPropagator propagator) {
    propagators.add(Objects.requireNonNull(propagator, "propagator"));
    return this;
  }

  /**
   * How many entries the log of one request keeps; those beyond are only counted. Default 1,000; 0
   * keeps none.
   */
  public TenrecBuilder requestLogLimit(int entries) {
    if (entries < 0) {
      throw new IllegalArgumentException("requestLogLimit must be 0 or more, was " + entries);
    }
    requestLogLimit = entries;
    return this;
  }

  /** How many command keys there may be; building one more is an error. Default 10,000. */
  public TenrecBuilder maxCommands(int commands) {
    if (commands < 1) {
      throw new IllegalArgumentException("maxCommands must be 1 or more, was " + commands);
    }
    maxCommands = commands;
    return this;
  }

  /**
   * What threads are called, for code that goes by these names. Default {@code tenrec} and {@code
   * tenrec-callback}. Other threads of Tenrec's keep theirs.
   *
   * @param pools what the names of pools' threads begin with: {@code <pools>-<pool key>-<n>}
   * @param callbacks what the names of callback threads begin with: {@code <callbacks>-<n>}
   */
  public TenrecBuilder threadNames(String pools, String callbacks) {
    poolThreads = Objects.requireNonNull(pools, "pools");
    callbackThreadNames = Objects.requireNonNull(callbacks, "callbacks");
    return this;
  }

  /**
   * The Tenrec. To be closed by its owner.
   *
   * @throws IllegalArgumentException if {@code source} stands beside a file, a remote source or
   *     base properties, if the prefix is blank or has a blank or a dot at an end, or if a number
   *     of callbacks is out of range
   */
  public Tenrec build() {
    if (source != null && propertiesFile != null) {
      throw new IllegalArgumentException(
          "propertiesFile(" + propertiesFile + ") would be ignored: source(..) takes its place");
    }
    if (source != null && remoteSource != null) {
      throw new IllegalArgumentException(
          "remoteSource(..) would be ignored: source(..) takes its place");
    }
    if (source != null && !baseProperties.isEmpty()) {
      throw new IllegalArgumentException(
          "baseProperties(..), which gave "
              + baseProperties.size()
              + " properties, would be ignored: source(..) takes its place");
    }
    boolean systems = ticker == Ticker.system() && waiter == Waiter.system();
    GuardedTime guarded = systems ? null : new GuardedTime(ticker, waiter);
    return guarded == null ? build(ticker, waiter, null) : build(guarded, guarded, guarded);
  }

  /**
   * With this time as it is.
   *
   * @param guarded what of it reports failures; null if it cannot fail
   */
  Tenrec build(Ticker ticker, Waiter waiter, @Nullable GuardedTime guarded) {
    DaemonThreads timerThreads = new DaemonThreads("timer", ticker, waiter);
    DaemonThreads callbackThreadsMade = new DaemonThreads(callbackThreadNames, "", ticker, waiter);
    DaemonThreads settingsThreads = new DaemonThreads("settings", ticker, waiter);
    Timer timer = new Timer(ticker, waiter, timerThreads);
    CallbackExecutor callbacks =
        callbackExecutor != null
            ? CallbackExecutor.of(callbackExecutor, timer, ticker, waiter, callbackThreadsMade)
            : CallbackExecutor.bounded(
                callbackThreads, callbackQueue, timer, ticker, waiter, callbackThreadsMade);
    FailureLog failures = new FailureLog(callbacks.newShare("failures"));
    timer.reportFailures(failures);
    callbacks.reportFailures(failures);
    if (guarded != null) {
      guarded.reportFailures(failures);
    }
    Requests requests = new Requests(ticker, requestLogLimit);
    List<ContextPropagator> all = new ArrayList<>();
    all.addAll(requests.propagators());
    all.add(new MdcPropagator());
    if (MicrometerPropagator.isPresent()) {
      all.add(new MicrometerPropagator());
    }
    all.addAll(propagators);
    InFlightMonitor closing = new InFlightMonitor(ticker, waiter);
    Listeners listening = new Listeners(listeners);
    Journal journal = new Journal(new CircuitLog(callbacks.newShare("log")));
    Engine engine =
        new Engine(
            ticker,
            waiter,
            timer,
            callbacks,
            callbacks.newShare("stages"),
            failures,
            new RunningStages(),
            closing,
            requests,
            listening,
            journal,
            all);
    SettingsSource given = source;
    ArchaiusSource own = given == null ? ownSource(settingsThreads) : null;
    SettingsSource settings = own != null ? own : Objects.requireNonNull(given);
    try {
      Configuration configuration =
          Configuration.open(settings, prefix, refusals(journal), changes(listening, journal));
      VirtualStarter virtual = new VirtualStarter(closing);
      Registry registry = new Registry(engine, configuration, virtual, maxCommands, poolThreads);
      return new Tenrec(
          engine,
          configuration,
          own,
          registry,
          virtual,
          List.of(timerThreads, callbackThreadsMade, settingsThreads),
          new Prelude(beforeWork));
    } catch (RuntimeException | Error e) {
      if (own != null) {
        own.close();
      }
      throw e;
    }
  }

  private RefusalListener refusals(Journal journal) {
    RefusalListener first = refusals;
    String begin = prefix;
    return refusal -> {
      SettingKey of = SettingKey.parse(begin, refusal.key());
      journal.refused(of == null ? "" : of.scope(), of == null ? "" : of.key(), refusal);
      first.onRefused(refusal);
    };
  }

  private SettingChangeListener changes(Listeners listening, Journal journal) {
    SettingChangeListener first = changes;
    boolean unheard = listeners.isEmpty();
    return change -> {
      journal.changed(change);
      try {
        first.onChange(change);
      } finally {
        if (!unheard) {
          listening.settingChanged(change);
        }
      }
    };
  }

  private ArchaiusSource ownSource(DaemonThreads threads) {
    ArchaiusSourceBuilder builder = ArchaiusSource.builder().time(ticker, waiter).threads(threads);
    if (propertiesFile != null) {
      builder.file(propertiesFile);
    }
    if (remoteSource != null) {
      builder.remote(prefix, remoteSource);
    }
    builder.base(baseProperties).spelling(new Spelling(prefix));
    return builder.start();
  }
}
