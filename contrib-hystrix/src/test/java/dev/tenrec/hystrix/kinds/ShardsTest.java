// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.hystrix.HystrixCollapser;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandProperties;
import dev.tenrec.hystrix.HystrixObservableCollapser;
import dev.tenrec.hystrix.HystrixObservableCommand;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.functions.Function;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a user's shards are, each call of the batch ends: "wrong" and "right" share one. */
@ExtendWith(FreshHystrix.class)
class ShardsTest {

  private static final int NEVER_BY_TIME = 3_600_000;

  private enum Fault {
    NO_SHARDS("shardRequests returned null", false),
    SHARDS_THROW("cannot divide", false),
    SHARDS_THROW_ON_THEIR_WAY("cannot go on", false),
    SHARD_IS_NULL("shardRequests returned a shard that is null", false),
    SHARD_HAS_NULL("shardRequests returned a request that is null", false),
    SHARD_THROWS("cannot be read", false),
    LEFT_OUT("shardRequests left out", true),
    CREATE_THROWS("no command", true),
    CREATE_THROWS_AN_ERROR("no class", true),
    CREATES_NULL("createCommand returned null", true),
    COMMAND_FAILS("failed and no fallback available", true),
    TO_OBSERVABLE_THROWS("cannot be observed", true),
    TO_OBSERVABLE_IS_NULL("null", true);

    private final String words;

    /** Whether the fault is one shard's alone. */
    private final boolean leavesOthers;

    Fault(String words, boolean leavesOthers) {
      this.words = words;
      this.leavesOthers = leavesOthers;
    }

    Collection<Collection<CollapsedRequest<String, String>>> shards(
        Collection<CollapsedRequest<String, String>> requests) {
      Collection<Collection<CollapsedRequest<String, String>>> shards = new ArrayList<>();
      for (CollapsedRequest<String, String> request : requests) {
        if (request.getArgument().equals("right")) {
          shards.add(List.of(request));
        }
      }
      for (CollapsedRequest<String, String> request : requests) {
        if (request.getArgument().equals("wrong")) {
          switch (this) {
            case NO_SHARDS -> {
              return null;
            }
            case SHARDS_THROW -> throw new IllegalArgumentException("cannot divide");
            case SHARDS_THROW_ON_THEIR_WAY -> {
              return thatThrows(shards, "cannot go on");
            }
            case SHARD_IS_NULL -> shards.add(null);
            case SHARD_HAS_NULL -> shards.add(Arrays.asList(request, null));
            case SHARD_THROWS -> shards.add(thatThrows(List.of(request), "cannot be read"));
            case LEFT_OUT -> {}
            default -> shards.add(List.of(request));
          }
        }
      }
      return shards;
    }

    /** Brings what it has, and then throws. */
    private static <T> Collection<T> thatThrows(Collection<T> has, String words) {
      return new AbstractCollection<>() {
        @Override
        public Iterator<T> iterator() {
          Iterator<T> all = has.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return true;
            }

            @Override
            public T next() {
              if (!all.hasNext()) {
                throw new IllegalArgumentException(words);
              }
              return all.next();
            }
          };
        }

        @Override
        public Object[] toArray() {
          throw new IllegalArgumentException(words);
        }

        @Override
        public int size() {
          return has.size() + 1;
        }
      };
    }

    /** What the command's own {@code toObservable} returns. */
    <T> Observable<T> observable(
        Collection<CollapsedRequest<String, String>> requests, Observable<T> engines) {
      if (arguments(requests).contains("wrong")) {
        switch (this) {
          case TO_OBSERVABLE_THROWS -> throw new IllegalArgumentException("cannot be observed");
          case TO_OBSERVABLE_IS_NULL -> {
            return null;
          }
          default -> {}
        }
      }
      return engines;
    }

    void atWork(Collection<CollapsedRequest<String, String>> requests) {
      if (this == COMMAND_FAILS && arguments(requests).contains("wrong")) {
        throw new IllegalStateException("down");
      }
    }

    /** Whether there is a command for these. */
    boolean createsFor(Collection<CollapsedRequest<String, String>> requests) {
      if (requests.stream().anyMatch(request -> request.getArgument().equals("wrong"))) {
        switch (this) {
          case CREATE_THROWS -> throw new IllegalArgumentException("no command");
          case CREATE_THROWS_AN_ERROR -> throw new NoClassDefFoundError("no class");
          case CREATES_NULL -> {
            return false;
          }
          default -> {}
        }
      }
      return true;
    }
  }

  /** The arguments of each command that began. */
  private final List<List<String>> begun = new CopyOnWriteArrayList<>();

  private static HystrixCollapserProperties.Setter two() {
    return HystrixCollapserProperties.Setter()
        .withMaxRequestsInBatch(2)
        .withTimerDelayInMilliseconds(NEVER_BY_TIME);
  }

  private static List<String> arguments(Collection<CollapsedRequest<String, String>> requests) {
    return requests.stream().map(CollapsedRequest::getArgument).toList();
  }

  private final class Single extends HystrixCollapser<List<String>, String, String> {

    private final Fault fault;
    private final String argument;

    Single(Fault fault, String argument) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Single " + fault))
              .andCollapserPropertiesDefaults(two()));
      this.fault = fault;
      this.argument = argument;
    }

    @Override
    public String getRequestArgument() {
      return argument;
    }

    @Override
    protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
        Collection<CollapsedRequest<String, String>> requests) {
      return fault.shards(requests);
    }

    @Override
    protected HystrixCommand<List<String>> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      if (!fault.createsFor(requests)) {
        return null;
      }
      return new HystrixCommand<>(HystrixCommandGroupKey.Factory.asKey("Shards")) {
        @Override
        protected List<String> run() {
          fault.atWork(requests);
          begun.add(arguments(requests));
          return arguments(requests);
        }

        @Override
        public Observable<List<String>> toObservable() {
          return fault.observable(requests, super.toObservable());
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        List<String> response, Collection<CollapsedRequest<String, String>> requests) {
      requests.forEach(request -> request.setResponse("answer"));
    }
  }

  private final class Items extends HystrixObservableCollapser<String, String, String, String> {

    private final Fault fault;
    private final String argument;

    Items(Fault fault, String argument) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Items " + fault))
              .andCollapserPropertiesDefaults(two()));
      this.fault = fault;
      this.argument = argument;
    }

    @Override
    public String getRequestArgument() {
      return argument;
    }

    @Override
    protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
        Collection<CollapsedRequest<String, String>> requests) {
      return fault.shards(requests);
    }

    @Override
    protected HystrixObservableCommand<String> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      if (!fault.createsFor(requests)) {
        return null;
      }
      return new HystrixObservableCommand<>(HystrixCommandGroupKey.Factory.asKey("Shards")) {
        @Override
        protected Observable<String> construct() {
          fault.atWork(requests);
          begun.add(arguments(requests));
          return Observable.fromIterable(arguments(requests));
        }

        @Override
        public Observable<String> toObservable() {
          return fault.observable(requests, super.toObservable());
        }
      };
    }

    @Override
    protected Function<String, String> getBatchReturnTypeKeySelector() {
      return item -> item;
    }

    @Override
    protected Function<String, String> getRequestArgumentKeySelector() {
      return asked -> asked;
    }

    @Override
    protected Function<String, String> getBatchReturnTypeToResponseTypeMapper() {
      return item -> "answer";
    }

    @Override
    protected void onMissingResponse(CollapsedRequest<String, String> request) {
      request.setException(new IllegalStateException("no item"));
    }
  }

  private static String answer(Observable<String> call) {
    return call.timeout(PatientWaits.seconds(), TimeUnit.SECONDS).blockingSingle();
  }

  private void check(Fault fault, Observable<String> wrong, Observable<String> right) {
    assertThat(catchThrowable(() -> answer(wrong))).as("wrong").hasMessageContaining(fault.words);
    if (fault.leavesOthers) {
      assertThat(answer(right)).isEqualTo("answer");
      assertThat(begun).containsExactly(List.of("right"));
    } else {
      assertThat(catchThrowable(() -> answer(right))).as("right").hasMessageContaining(fault.words);
      assertThat(begun).as("of a batch that fails as a whole nothing begins").isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shards_ofACollapser_endAllTheirCalls(Fault fault) {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> right = new Single(fault, "right").observe();
      Observable<String> wrong = new Single(fault, "wrong").observe();

      check(fault, wrong, right);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shards_ofAnObservableCollapser_endAllTheirCalls(Fault fault) {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> right = new Items(fault, "right").observe();
      Observable<String> wrong = new Items(fault, "wrong").observe();

      check(fault, wrong, right);
    }
  }

  /** An argument that cannot be written into a message. */
  private record Nameless(int number) {
    @Override
    public String toString() {
      throw new IllegalStateException("no name");
    }
  }

  private static final class OfTheNameless extends HystrixCollapser<String, String, Nameless> {

    private final Nameless argument;

    OfTheNameless(int number) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Nameless"))
              .andCollapserPropertiesDefaults(two()));
      this.argument = new Nameless(number);
    }

    @Override
    public Nameless getRequestArgument() {
      return argument;
    }

    @Override
    protected Collection<Collection<CollapsedRequest<String, Nameless>>> shardRequests(
        Collection<CollapsedRequest<String, Nameless>> requests) {
      return List.of(List.of(requests.iterator().next()));
    }

    @Override
    protected HystrixCommand<String> createCommand(
        Collection<CollapsedRequest<String, Nameless>> requests) {
      return new HystrixCommand<>(HystrixCommandGroupKey.Factory.asKey("Shards")) {
        @Override
        protected String run() {
          return "answer";
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        String response, Collection<CollapsedRequest<String, Nameless>> requests) {
      requests.forEach(request -> request.setResponse(response));
    }
  }

  @Test
  void shards_thatLeaveOutAnArgumentWithoutAName_failItAloneAndAnswerTheOthers() throws Exception {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> first = new OfTheNameless(1).queue();
      Future<String> leftOut = new OfTheNameless(2).queue();

      assertThat(catchThrowable(() -> leftOut.get(PatientWaits.seconds(), TimeUnit.SECONDS)))
          .hasRootCauseMessage("no name");
      assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");
    }
  }

  @Test
  void shardsOfAKindOfTheirOwn_always_areWhatTheUsersCodeGets() throws Exception {
    List<Collection<?>> got = new CopyOnWriteArrayList<>();
    Collection<Collection<CollapsedRequest<String, String>>> made =
        Collections.synchronizedList(new ArrayList<>());
    class Divided extends HystrixCollapser<String, String, String> {
      Divided() {
        super(HystrixCollapserKey.Factory.asKey("Divided"));
      }

      @Override
      public String getRequestArgument() {
        return "one";
      }

      @Override
      protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
          Collection<CollapsedRequest<String, String>> requests) {
        made.add(new ArrayList<>(requests));
        return made;
      }

      @Override
      protected HystrixCommand<String> createCommand(
          Collection<CollapsedRequest<String, String>> requests) {
        got.add(requests);
        return new HystrixCommand<>(HystrixCommandGroupKey.Factory.asKey("Shards")) {
          @Override
          protected String run() {
            return "answer";
          }
        };
      }

      @Override
      protected void mapResponseToRequests(
          String response, Collection<CollapsedRequest<String, String>> requests) {
        got.add(requests);
        requests.forEach(request -> request.setResponse(response));
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> answer = new Divided().queue();

      assertThat(answer.get()).isEqualTo("answer");
      Collection<?> shard = made.iterator().next();
      assertThat(got).hasSize(2).allSatisfy(one -> assertThat(one).isSameAs(shard));
    }
  }

  /** Divided by its argument; "slow" is held up, and "nowhere" is in no shard. */
  private static final class Apart extends HystrixCollapser<String, String, String> {

    private final CountDownLatch held;
    private final String argument;

    Apart(CountDownLatch held, String argument) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Apart"))
              .andCollapserPropertiesDefaults(two().withMaxRequestsInBatch(3)));
      this.held = held;
      this.argument = argument;
    }

    @Override
    public String getRequestArgument() {
      return argument;
    }

    @Override
    protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
        Collection<CollapsedRequest<String, String>> requests) {
      Collection<Collection<CollapsedRequest<String, String>>> shards = new ArrayList<>();
      requests.stream()
          .filter(request -> !request.getArgument().equals("nowhere"))
          .forEach(request -> shards.add(List.of(request)));
      return shards;
    }

    @Override
    protected HystrixCommand<String> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      return new HystrixCommand<>(
          HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Shards"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutEnabled(false))) {
        @Override
        protected String run() throws Exception {
          if (arguments(requests).contains("slow")) {
            boolean unused = held.await(PatientWaits.seconds(), TimeUnit.SECONDS);
          }
          return "answer";
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        String response, Collection<CollapsedRequest<String, String>> requests) {
      requests.forEach(request -> request.setResponse(response));
    }
  }

  private enum Door {
    EXECUTE,
    QUEUE,
    QUEUE_WITHOUT_A_LIMIT,
    OBSERVE;

    String answer(Apart call) throws Exception {
      return switch (this) {
        case EXECUTE -> call.execute();
        case QUEUE -> call.queue().get(PatientWaits.seconds(), TimeUnit.SECONDS);
        case QUEUE_WITHOUT_A_LIMIT -> call.queue().get();
        case OBSERVE -> ShardsTest.answer(call.toObservable());
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void shard_thatIsSlow_holdsUpItsOwnCallsAlone(Door door) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> slow = new Apart(held, "slow").queue();
      Future<String> nowhere = new Apart(held, "nowhere").queue();

      assertThat(door.answer(new Apart(held, "fast"))).isEqualTo("answer");
      assertThat(slow.isDone()).isFalse();
      assertThatThrownBy(() -> slow.get(1, TimeUnit.NANOSECONDS))
          .isInstanceOf(TimeoutException.class);

      held.countDown();
      assertThat(slow.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");
      assertThat(slow.isDone()).isTrue();
      assertThat(slow.isCancelled()).isFalse();
      assertThatThrownBy(() -> nowhere.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .hasMessageContaining("left out");
    } finally {
      held.countDown();
    }
  }

  @Test
  void callOfASlowShard_thatIsCancelled_endsAlone() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> slow = new Apart(held, "slow").queue();
      Future<String> equal = new Apart(held, "slow").queue();
      Future<String> other = new Apart(held, "other").queue();
      assertThat(new Apart(held, "fast").execute()).isEqualTo("answer");
      assertThat(other.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");

      assertThat(slow.cancel(true)).isTrue();
      assertThat(slow.isCancelled()).isTrue();
      assertThat(equal.isDone()).isFalse();

      held.countDown();
      assertThat(equal.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");
    } finally {
      held.countDown();
    }
  }

  @Test
  void callerOfASlowShard_thatIsInterrupted_waitsNoLonger() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      AtomicBoolean keptItsFlag = new AtomicBoolean();
      FutureTask<Throwable> waiting =
          new FutureTask<>(
              () -> {
                HystrixRequestContext.setContextOnCurrentThread(request);
                Throwable thrown = catchThrowable(() -> new Apart(held, "slow").execute());
                keptItsFlag.set(Thread.currentThread().isInterrupted());
                return thrown;
              });
      Thread caller = new Thread(waiting, "caller");
      caller.setDaemon(true);
      caller.start();
      Future<String> other = new Apart(held, "other").queue();
      assertThat(Door.EXECUTE.answer(new Apart(held, "fast"))).isEqualTo("answer");
      assertThat(other.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");

      caller.interrupt();
      assertThat(waiting.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(CommandInterruptedException.class);
      assertThat(keptItsFlag).isTrue();
    } finally {
      held.countDown();
    }
  }
}
