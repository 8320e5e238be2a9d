// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Report;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * What a load on three services in a chain came to.
 *
 * @param deadlines whether deadlines travelled with the calls
 * @param services what each did, the first one first
 * @param quiet whether all of them had nothing left to do at the end
 */
record ChainRun(
    ChainForm form, boolean deadlines, Result result, List<Work> services, boolean quiet) {

  /**
   * What one service did.
   *
   * @param service its name
   * @param begun pieces of work
   * @param late those of them that were begun when nobody waited any more
   * @param laterThanItsWay those of them that were so late that it cannot be for the time that the
   *     calls were on their way, which no header can know
   * @param notInTime that ended at the deadline that travelled, begun or not
   * @param timedOut that ended at the service's own time-out
   * @param refused that found no place in the queue
   */
  record Work(
      String service,
      long begun,
      long late,
      long laterThanItsWay,
      long notInTime,
      long timedOut,
      long refused) {

    Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("service", service);
      json.put("begun", begun);
      json.put("afterNobodyWaited", late);
      json.put("byMoreThanItsWay", laterThanItsWay);
      json.put("notInTime", notInTime);
      json.put("timedOut", timedOut);
      json.put("refused", refused);
      return json;
    }
  }

  private static final List<String> NAMES = List.of("first", "second", "third");

  /** Nothing under way for so long: between two hops a call is in no command. */
  private static final long QUIET_NANOS = Duration.ofMillis(300).toNanos();

  private static final int ASYNC_THREADS = 2;
  private static final int CLIENT_THREADS = 4;

  /** Of the time that is measured, a twentieth. */
  private static final int WARM_UP_SHARE = 20;

  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  /** Measures one, with services of its own in this JVM. */
  static ChainRun measure(ChainForm form, boolean deadlines, Stop stop) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENT_THREADS, ChainRun::daemon);
    HttpClient client = client(threads);
    try {
      // so that the services' code is compiled, and connections are open
      try (Chain chain = new Chain(form, deadlines, null, client)) {
        Duration warmUp = Duration.ofMillis(form.millis() / WARM_UP_SHARE);
        Result unused = drive(form, deadlines, warmUp, chain, client, stop);
        boolean calm = chain.awaitQuiet(stop);
      }
      RunClock clock = new RunClock();
      Pauses pauses = new Pauses(clock, form.pauseEveryMillis(), form.pauseMillis());
      try (Chain chain = new Chain(form, deadlines, pauses, client)) {
        clock.begin();
        Duration time = Duration.ofMillis(form.millis());
        Result result = drive(form, deadlines, time, chain, client, stop);
        boolean quiet = chain.awaitQuiet(stop);
        return new ChainRun(form, deadlines, result, chain.done(), quiet);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** With threads of its own: by default it may start one for each call, on two processors. */
  private static HttpClient client(ExecutorService threads) {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(threads).build();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "chain-client");
    thread.setDaemon(true);
    return thread;
  }

  private static Result drive(
      ChainForm form, boolean deadlines, Duration time, Chain chain, HttpClient client, Stop stop)
      throws Exception {
    Plan plan =
        new Plan(
            Engines.ASYNC,
            ASYNC_THREADS,
            new Arrivals.Open(form.perSecond()),
            Math.max(1, form.perSecond() * time.toMillis() / 1_000),
            time,
            GRACE);
    try (ChainTarget target = new ChainTarget(form, deadlines, chain.first().uri(), client)) {
      return new Driver(plan, target, stop, Progress.none()).run();
    }
  }

  /** Three services, each of which asks the next. */
  private static final class Chain implements AutoCloseable {

    /** The last one first, for it is asked by the others. */
    private final List<ChainService> services = new ArrayList<>();

    Chain(ChainForm form, boolean deadlines, @Nullable Pauses pauses, HttpClient client)
        throws Exception {
      services.add(new ChainService(form, deadlines, null, pauses, client));
      for (int number = 2; number <= NAMES.size(); number++) {
        services.add(new ChainService(form, deadlines, first().uri(), null, client));
      }
    }

    ChainService first() {
      return services.get(services.size() - 1);
    }

    boolean awaitQuiet(Stop stop) throws InterruptedException {
      RunClock clock = new RunClock();
      long quietSince = clock.nanos();
      while (clock.nanos() - quietSince < QUIET_NANOS) {
        if (services.stream().mapToLong(ChainService::underWay).sum() > 0) {
          quietSince = clock.nanos();
        }
        if (stop.asked() || clock.nanos() > GRACE.toNanos()) {
          return false;
        }
        clock.awaitNanos(clock.nanos() + LOOK_NANOS);
      }
      return true;
    }

    List<Work> done() {
      List<Work> done = new ArrayList<>();
      for (int i = 0; i < NAMES.size(); i++) {
        done.add(services.get(NAMES.size() - 1 - i).done(NAMES.get(i)));
      }
      return done;
    }

    @Override
    public void close() {
      services.forEach(ChainService::close);
    }
  }

  String label() {
    return label(deadlines);
  }

  static String label(boolean deadlines) {
    return deadlines ? "deadlines that travel" : "a time-out for each hop";
  }

  long late() {
    return services.stream().mapToLong(Work::late).sum();
  }

  long laterThanItsWay() {
    return services.stream().mapToLong(Work::laterThanItsWay).sum();
  }

  long begun() {
    return services.stream().mapToLong(Work::begun).sum();
  }

  double answeredShare() {
    return (double) result.counts().answered() / result.counts().due();
  }

  List<String> differences() {
    Reconciliation found = new Reconciliation();
    result.counts().reconcile("", found);
    if (!quiet) {
      found.add("the services still had something to do when it was ended");
    }
    for (Work service : services) {
      found.between(
          service.service() + ": work begun",
          service.begun(),
          "answers",
          result.counts().answered(),
          "calls",
          result.counts().sent());
    }
    return found.differences();
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("deadlines", deadlines);
    json.put("services", services.stream().map(Work::json).toList());
    json.put("begun", begun());
    json.put("afterNobodyWaited", late());
    json.put("byMoreThanItsWay", laterThanItsWay());
    json.put("driver", new Report(result).json());
    return json;
  }
}
