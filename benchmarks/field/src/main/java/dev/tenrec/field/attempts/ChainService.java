// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A service of a chain, on loopback: it asks the next one, if there is one, and then does its own
 * piece of work. Both are commands, which heed deadlines or do not.
 */
final class ChainService implements AutoCloseable {

  private static final int UNAVAILABLE = 503;
  private static final int OK = 200;
  private static final int MANY = 10_000;

  private final ChainForm form;
  private final boolean deadlines;
  private final @Nullable URI next;
  private final @Nullable Pauses pauses;
  private final HttpServer server;
  private final HttpClient client;
  private final ExecutorService threads;
  private final Tenrec tenrec = Tenrec.create();
  private final Command<Asked, Integer> ask;
  private final Command<Asked, Integer> work;
  private final LongAdder begun = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder laterThanItsWay = new LongAdder();

  /**
   * Starts one.
   *
   * @param deadlines whether its commands heed the deadline that a call comes with, and hand it on
   * @param next the service that it asks first; null for none, and then its work takes time
   * @param pauses of a service without another; null for none
   * @param client of all services, to ask the next one
   */
  ChainService(
      ChainForm form,
      boolean deadlines,
      @Nullable URI next,
      @Nullable Pauses pauses,
      HttpClient client)
      throws IOException {
    this.form = form;
    this.deadlines = deadlines;
    this.next = next;
    this.pauses = pauses;
    this.client = client;
    this.ask =
        heeding(tenrec.command("Ask", this::askNext).isolation(Isolation.semaphore(MANY))).build();
    this.work =
        heeding(
                tenrec
                    .command("Work", this::workOn)
                    .isolation(
                        next == null
                            ? Isolation.threadPool().coreSize(form.places()).queueSize(form.queue())
                            : Isolation.semaphore(MANY)))
            .build();
    this.threads = Executors.newCachedThreadPool(ChainService::daemon);
    this.server = LoopbackServer.bind(0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  private CommandBuilder<Asked, Integer> heeding(CommandBuilder<Asked, Integer> builder) {
    CommandBuilder<Asked, Integer> usual = builder.timeout(form.hop()).withoutCircuitBreaker();
    return deadlines ? usual.withDeadline() : usual;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "chain-service");
    thread.setDaemon(true);
    return thread;
  }

  URI uri() {
    return LoopbackServer.uri(server);
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      exchange.sendResponseHeaders(answer(Asked.read(exchange.getRequestHeaders())), -1);
    } catch (IOException gone) {
      // the caller has given up: nobody waits for the answer
    }
  }

  private int answer(Asked asked) {
    Duration left = asked.left();
    if (left == null) {
      return askAndWork(asked);
    }
    try (Scope scope = Deadline.after(tenrec, left).open()) {
      return askAndWork(asked);
    }
  }

  private int askAndWork(Asked asked) {
    try {
      int status = next == null ? OK : ask.execute(asked);
      return status == OK ? work.execute(asked) : status;
    } catch (CommandException refusedOrLate) {
      return UNAVAILABLE;
    }
  }

  private int askNext(Asked asked) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        asked.writeTo(HttpRequest.newBuilder(Objects.requireNonNull(next))).timeout(form.hop());
    if (deadlines) {
      Deadline.current(tenrec)
          .ifPresent(deadline -> deadline.writeTo(request, DeadlineHeader.MILLIS));
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** A piece of work. That of a service which asks another is short. */
  private int workOn(Asked asked) throws InterruptedException {
    long overdueNanos = Asked.nanos() - asked.goneAtNanos();
    begun.increment();
    if (overdueNanos > 0) {
      late.increment();
    }
    if (overdueNanos > asked.wayNanos()) {
      laterThanItsWay.increment();
    }
    if (pauses != null) {
      pauses.await();
    }
    if (next == null) {
      RunClock clock = new RunClock();
      clock.awaitNanos(form.workMillis() * 1_000_000L);
    }
    return OK;
  }

  /** What it did; exact when no call is under way. */
  ChainRun.Work done(String name) {
    return new ChainRun.Work(
        name,
        begun.sum(),
        late.sum(),
        laterThanItsWay.sum(),
        count(EventType.DEADLINE_EXCEEDED),
        count(EventType.TIMEOUT),
        count(EventType.THREAD_POOL_REJECTED));
  }

  private long count(EventType event) {
    return work.view().cumulativeCount(event);
  }

  /** Calls that its commands have under way. */
  long underWay() {
    return (long) ask.view().concurrency() + work.view().concurrency() + work.view().stillBusy();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    tenrec.close();
  }
}
