// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.moved.before;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixInvokable;
import com.netflix.hystrix.exception.HystrixBadRequestException;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import com.netflix.hystrix.exception.HystrixRuntimeException.FailureType;
import com.netflix.hystrix.strategy.HystrixPlugins;
import com.netflix.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/** How commands end, through each door, and all that can be asked about it then. */
public final class Endings {

  /** What becomes of the work. */
  public enum Ending {
    ANSWER,
    NOTHING,
    FAILURE,
    CHECKED_FAILURE,
    ERROR,
    ERROR_OF_THE_JVM,
    CANCELLATION_OF_ITS_OWN,
    BAD_REQUEST,
    TIMEOUT,
    CIRCUIT_OPEN,
    NO_PERMIT,
    FALLBACKS_OFF,
    NO_FALLBACK_PERMIT
  }

  /** What the class says of a fallback. */
  public enum Fallback {
    NONE,
    ASKS_SUPER,
    ANSWERS,
    FAILS
  }

  /** How it is called. */
  public enum Door {
    EXECUTE,
    QUEUE,
    OBSERVE,
    TO_OBSERVABLE
  }

  private static class Work extends HystrixCommand<String> {

    private final Ending ending;
    private final boolean cached;
    private final CountDownLatch over;

    Work(Setter setter, Ending ending, boolean cached, CountDownLatch over) {
      super(setter);
      this.ending = ending;
      this.cached = cached;
      this.over = over;
    }

    @Override
    protected String run() throws Exception {
      switch (ending) {
        case NOTHING:
          return null;
        case CHECKED_FAILURE:
          throw new IOException("down");
        case ERROR:
          throw new AssertionError("wrong");
        case ERROR_OF_THE_JVM:
          throw new StackOverflowError("deep");
        case CANCELLATION_OF_ITS_OWN:
          throw new CancellationException("gave up");
        case BAD_REQUEST:
          throw new HystrixBadRequestException("bad");
        case TIMEOUT:
          over.await();
          return "too late";
        case FAILURE:
        case FALLBACKS_OFF:
        case NO_FALLBACK_PERMIT:
          throw new IllegalStateException("down");
        default:
          return "answer";
      }
    }

    @Override
    protected String getCacheKey() {
      return cached ? "key" : null;
    }
  }

  private static final class WithFallback extends Work {

    private final Fallback fallback;

    WithFallback(
        Setter setter, Ending ending, boolean cached, CountDownLatch over, Fallback fallback) {
      super(setter, ending, cached, over);
      this.fallback = fallback;
    }

    @Override
    protected String getFallback() {
      switch (fallback) {
        case ANSWERS:
          return "fallback because of " + getExecutionEvents();
        case FAILS:
          throw new IllegalArgumentException("fallback down");
        default:
          return super.getFallback();
      }
    }
  }

  /** Notes each step. */
  @SuppressWarnings("deprecation") // old hooks have to work as well
  private static final class Steps extends HystrixCommandExecutionHook {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    /**
     * Whether the last step was heard. No error is, where no permit is left for a fallback; and
     * what comes too late may be heard after a time-out.
     */
    boolean isOver(Ending ending) {
      String last = heard.isEmpty() ? "" : heard.get(heard.size() - 1);
      if (ending == Ending.NO_FALLBACK_PERMIT
          && last.equals(heard.contains("thread start") ? "thread complete" : "run error")) {
        return true;
      }
      return ending == Ending.TIMEOUT ? heard.stream().anyMatch(Steps::ends) : ends(last);
    }

    private static boolean ends(String step) {
      return step.equals("success") || step.startsWith("error") || step.equals("cache hit");
    }

    @Override
    public <T> void onStart(HystrixInvokable<T> command) {
      heard.add("start");
    }

    @Override
    public <T> T onEmit(HystrixInvokable<T> command, T value) {
      heard.add("emit " + value);
      return value;
    }

    @Override
    public <T> Exception onError(HystrixInvokable<T> command, FailureType type, Exception e) {
      heard.add("error " + type + " " + e.getClass().getSimpleName());
      return e;
    }

    @Override
    public <T> void onSuccess(HystrixInvokable<T> command) {
      heard.add("success");
    }

    @Override
    public <T> void onThreadStart(HystrixInvokable<T> command) {
      heard.add("thread start");
    }

    @Override
    public <T> void onThreadComplete(HystrixInvokable<T> command) {
      heard.add("thread complete");
    }

    @Override
    public <T> void onExecutionStart(HystrixInvokable<T> command) {
      heard.add("execution start");
    }

    @Override
    public <T> T onExecutionEmit(HystrixInvokable<T> command, T value) {
      heard.add("execution emit " + value);
      return value;
    }

    @Override
    public <T> Exception onExecutionError(HystrixInvokable<T> command, Exception e) {
      heard.add("execution error " + e);
      return e;
    }

    @Override
    public <T> void onExecutionSuccess(HystrixInvokable<T> command) {
      heard.add("execution success");
    }

    @Override
    public <T> T onFallbackEmit(HystrixInvokable<T> command, T value) {
      heard.add("fallback emit " + value);
      return value;
    }

    @Override
    public <T> Exception onFallbackError(HystrixInvokable<T> command, Exception e) {
      heard.add("fallback error " + e.getMessage());
      return e;
    }

    @Override
    public <T> void onFallbackSuccess(HystrixInvokable<T> command) {
      heard.add("fallback success");
    }

    @Override
    public <T> void onCacheHit(HystrixInvokable<T> command) {
      heard.add("cache hit");
    }

    @Override
    public <T> void onRunStart(HystrixInvokable<T> command) {
      heard.add("run start");
    }

    @Override
    public <T> void onRunStart(HystrixCommand<T> command) {
      heard.add("run start of a command");
    }

    @Override
    public <T> T onRunSuccess(HystrixInvokable<T> command, T value) {
      heard.add("run success");
      return value;
    }

    @Override
    public <T> Exception onRunError(HystrixInvokable<T> command, Exception e) {
      heard.add("run error");
      return e;
    }

    @Override
    public <T> T onFallbackSuccess(HystrixInvokable<T> command, T value) {
      heard.add("fallback value");
      return value;
    }

    @Override
    public <T> T onComplete(HystrixInvokable<T> command, T value) {
      heard.add("complete");
      return value;
    }

    @Override
    public <T> T onComplete(HystrixCommand<T> command, T value) {
      heard.add("complete of a command");
      return value;
    }
  }

  private final String key;
  private final Ending ending;
  private final Fallback fallback;
  private final Door door;
  private final boolean cached;
  private final HystrixCommand.Setter setter;
  private final Steps steps = new Steps();
  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * One way.
   *
   * @param key of a command that is known nowhere yet
   * @param strategy its name
   * @param cached whether an equal execution was there before
   */
  public Endings(
      String key, Ending ending, Fallback fallback, String strategy, Door door, boolean cached) {
    this.key = key;
    this.ending = ending;
    this.fallback = fallback;
    this.door = door;
    this.cached = cached;
    this.setter =
        HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Endings"))
            .andCommandKey(HystrixCommandKey.Factory.asKey(key))
            .andCommandPropertiesDefaults(settings(ExecutionIsolationStrategy.valueOf(strategy)));
  }

  private HystrixCommandProperties.Setter settings(ExecutionIsolationStrategy strategy) {
    return HystrixCommandProperties.Setter()
        .withExecutionIsolationStrategy(strategy)
        .withExecutionTimeoutInMilliseconds(ending == Ending.TIMEOUT ? 20 : 60_000)
        .withExecutionIsolationThreadInterruptOnTimeout(false)
        .withCircuitBreakerForceOpen(ending == Ending.CIRCUIT_OPEN)
        .withExecutionIsolationSemaphoreMaxConcurrentRequests(ending == Ending.NO_PERMIT ? 0 : 10)
        .withFallbackEnabled(ending != Ending.FALLBACKS_OFF)
        .withFallbackIsolationSemaphoreMaxConcurrentRequests(
            ending == Ending.NO_FALLBACK_PERMIT ? 0 : 10);
  }

  private HystrixCommand<String> command() {
    return fallback == Fallback.NONE
        ? new Work(setter, ending, cached, over)
        : new WithFallback(setter, ending, cached, over, fallback);
  }

  /** What its caller gets, what can be asked, and what a hook hears. */
  public List<String> seen() {
    List<String> seen = new ArrayList<>();
    try {
      if (cached) {
        String unused = called(command());
      }
      HystrixPlugins.reset();
      HystrixPlugins.getInstance().registerCommandExecutionHook(steps);
      HystrixCommand<String> command = command();
      seen.add(called(command));
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> command.isExecutionComplete() && steps.isOver(ending));
      seen.add("events " + command.getExecutionEvents());
      seen.add("failed with " + command.getFailedExecutionException());
      seen.add("did not answer for " + command.getExecutionException());
      seen.add(
          "successful "
              + command.isSuccessfulExecution()
              + ", failed "
              + command.isFailedExecution());
      seen.add(
          "fallback "
              + command.isResponseFromFallback()
              + ", cache "
              + command.isResponseFromCache());
      seen.add(
          "late " + command.isResponseTimedOut() + ", open " + command.isResponseShortCircuited());
      seen.add(
          "no permit "
              + command.isResponseSemaphoreRejected()
              + ", no thread "
              + command.isResponseThreadPoolRejected()
              + ", none "
              + command.isResponseRejected());
      seen.add("took time " + (command.getExecutionTimeInMilliseconds() >= 0));
      seen.add("at work " + command.getMetrics().getCurrentConcurrentExecutionCount());
      if (ending != Ending.TIMEOUT) { // the time may be over before a thread is there
        seen.add("on a thread " + command.isExecutedInThread());
        seen.addAll(steps.heard);
      }
    } finally {
      over.countDown();
      HystrixPlugins.reset();
    }
    return seen;
  }

  private String called(HystrixCommand<String> command) {
    try {
      switch (door) {
        case EXECUTE:
          return "answer " + command.execute();
        case QUEUE:
          return "answer " + command.queue().get();
        default:
          return observed(command);
      }
    } catch (ExecutionException failed) {
      return "later " + described(failed.getCause());
    } catch (Exception failed) { // of a queue, too, if a thread has brought it by then
      return (door == Door.QUEUE ? "later " : "") + described(failed);
    }
  }

  private String observed(HystrixCommand<String> command) throws InterruptedException {
    AtomicReference<String> brought = new AtomicReference<>(); // null is no item, or an item
    CountDownLatch ended = new CountDownLatch(1);
    var unused =
        (door == Door.OBSERVE ? command.observe() : command.toObservable())
            .subscribe(
                brought::set,
                error -> {
                  brought.set(described(error));
                  ended.countDown();
                },
                ended::countDown);
    ended.await();
    return "observed " + brought.get();
  }

  private String described(Throwable thrown) {
    if (!(thrown instanceof HystrixRuntimeException)) {
      return "threw " + thrown;
    }
    HystrixRuntimeException known = (HystrixRuntimeException) thrown;
    Throwable fallbackError = known.getFallbackException();
    return known.getFailureType()
        + " "
        + known.getMessage().replace(key, "it")
        + " of "
        + known.getImplementingClass().getSimpleName()
        + " because of "
        + (ending == Ending.NO_FALLBACK_PERMIT // there it has none, against all sense
            ? "something"
            : known.getCause().getClass().getSimpleName())
        + ", fallback: "
        + (fallbackError instanceof UnsupportedOperationException ? "missing" : fallbackError);
  }
}
