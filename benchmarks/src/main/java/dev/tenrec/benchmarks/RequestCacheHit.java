// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.core.Command;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call whose answer its request has already. Each thread is at a request of its own; the work
 * runs once in each, which is checked. Requests keep their log where that is the default, in
 * Tenrec; in Hystrix it is off, for its log of hits would only add to its figure.
 */
public class RequestCacheHit extends InNanoseconds {

  /** One request, of one thread; work on a pool, the default of both. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public static class OnTenrec {
    private final AtomicLong reached = new AtomicLong();
    private Tenrec tenrec;
    private RequestContext request;
    Command<String, String> command;

    @Setup(Level.Trial)
    public void start() {
      tenrec = Tenrec.create();
      command =
          tenrec
              .command(
                  "Cached",
                  (String question) -> {
                    reached.incrementAndGet();
                    return ProtectedCall.answer(question);
                  })
              .cacheKey(question -> question)
              .fallback((question, cause) -> "fallback")
              .build();
      request = tenrec.openRequest();
      command.execute(question);
    }

    @TearDown(Level.Trial)
    public void end() {
      checkReached(reached);
      if (command.view().cumulativeCount(EventType.RESPONSE_FROM_CACHE) == 0) {
        throw new IllegalStateException("no answer came from the cache");
      }
      request.close();
      tenrec.close();
    }
  }

  /** The same, after all that others did. */
  @State(Scope.Thread)
  public static class OnTenrecPolluted extends OnTenrec {
    @Override
    public void start() {
      Pollution.ofThisJvm();
      super.start();
    }
  }

  /** The same; its cache needs a context, and a command object for each hit. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public static class OnHystrix {
    private static final AtomicLong NUMBER = new AtomicLong();
    private final AtomicLong reached = new AtomicLong();
    private HystrixCommand.Setter setter;
    private HystrixRequestContext request;

    @Setup(Level.Trial)
    public void start() {
      String name = "Cached" + NUMBER.incrementAndGet();
      setter =
          HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(name))
              .andCommandKey(HystrixCommandKey.Factory.asKey(name))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withRequestLogEnabled(false));
      request = HystrixRequestContext.initializeContext();
      new Cached(this, question).execute();
    }

    @TearDown(Level.Trial)
    public void end() {
      checkReached(reached);
      request.shutdown();
    }
  }

  private static void checkReached(AtomicLong reached) {
    if (reached.get() != 1) {
      throw new IllegalStateException(
          "the work has to run once in a request, and ran " + reached + " times");
    }
  }

  private static final class Cached extends HystrixCommand<String> {
    private final OnHystrix state;
    private final String asked;

    Cached(OnHystrix state, String asked) {
      super(state.setter);
      this.state = state;
      this.asked = asked;
    }

    @Override
    protected String run() {
      state.reached.incrementAndGet();
      return ProtectedCall.answer(asked);
    }

    @Override
    protected String getFallback() {
      return "fallback";
    }

    @Override
    protected String getCacheKey() {
      return asked;
    }
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.command.execute(question);
  }

  /** In a JVM that has seen other works, fallbacks and doors: see {@link Pollution}. */
  @Benchmark
  public String tenrecPolluted(OnTenrecPolluted on) {
    return on.command.execute(question);
  }

  @Benchmark
  public String hystrix(OnHystrix on) {
    return new Cached(on, question).execute();
  }
}
