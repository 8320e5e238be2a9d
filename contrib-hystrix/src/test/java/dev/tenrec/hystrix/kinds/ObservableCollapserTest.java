// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.netflix.config.ConfigurationManager;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixEventType;
import dev.tenrec.hystrix.HystrixInvokableInfo;
import dev.tenrec.hystrix.HystrixObservableCollapser;
import dev.tenrec.hystrix.HystrixObservableCommand;
import dev.tenrec.hystrix.HystrixRequestLog;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.functions.Function;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.reactivex.rxjava3.subjects.PublishSubject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls of one window become one observable command, whose items go to those who asked. */
@ExtendWith(FreshHystrix.class)
class ObservableCollapserTest {

  private static final String DELAY = "hystrix.collapser.Orders REQUEST.timerDelayInMilliseconds";

  private record Order(String customer, String article) {}

  /** The batches that were made, each with its arguments. */
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();

  private Observable<Order> source =
      Observable.just(
          new Order("Ada", "pen"),
          new Order("Bob", "ink"),
          new Order("Ada", "paper"),
          new Order("Eve", "nobody asked"));

  private Observable<Order> fallback = Observable.error(new UnsupportedOperationException());

  /** The orders of a customer. */
  private class OrdersOf extends HystrixObservableCollapser<String, Order, String, String> {

    private final String customer;

    OrdersOf(String customer) {
      this(customer, Scope.REQUEST);
    }

    OrdersOf(String customer, Scope scope) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Orders " + scope))
              .andScope(scope)
              .andCollapserPropertiesDefaults(
                  HystrixCollapserProperties.Setter()
                      .withMaxRequestsInBatch(2)
                      .withTimerDelayInMilliseconds(50)));
      this.customer = customer;
    }

    @Override
    public String getRequestArgument() {
      return customer;
    }

    @Override
    protected HystrixObservableCommand<Order> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      batches.add(requests.stream().map(CollapsedRequest::getArgument).toList());
      return new HystrixObservableCommand<>(HystrixCommandGroupKey.Factory.asKey("Orders")) {
        @Override
        protected Observable<Order> construct() {
          return source;
        }

        @Override
        protected Observable<Order> resumeWithFallback() {
          return fallback;
        }
      };
    }

    @Override
    protected Function<Order, String> getBatchReturnTypeKeySelector() {
      return Order::customer;
    }

    @Override
    protected Function<String, String> getRequestArgumentKeySelector() {
      return argument -> argument;
    }

    @Override
    protected Function<Order, String> getBatchReturnTypeToResponseTypeMapper() {
      return Order::article;
    }

    @Override
    protected void onMissingResponse(CollapsedRequest<String, String> request) {
      switch (request.getArgument()) {
        case "Mallory" -> request.setException(new IllegalStateException("no customer"));
        case "Guest" -> request.setResponse("catalogue");
        default -> {}
      }
    }
  }

  @AfterEach
  void forget() {
    ConfigurationManager.getConfigInstance().clearProperty(DELAY);
  }

  /** However long the second takes. */
  private static void onlyTwoCallsStartABatch() {
    ConfigurationManager.getConfigInstance().setProperty(DELAY, "3600000");
  }

  private static List<String> itemsOf(Observable<String> observable) {
    return observable.toList().blockingGet();
  }

  @Test
  void observe_severalInOneWindow_bringsEachItsItemsOfOneBatch() {
    onlyTwoCallsStartABatch();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new OrdersOf("Ada").observe();
      Observable<String> bob = new OrdersOf("Bob").observe();

      assertThat(itemsOf(ada)).containsExactly("pen", "paper");
      assertThat(itemsOf(bob)).containsExactly("ink");
      assertThat(batches).containsExactly(List.of("Ada", "Bob"));
      HystrixInvokableInfo<?> batch =
          HystrixRequestLog.getCurrentRequest().getAllExecutedCommands().iterator().next();
      Awaitility.await().until(batch::isExecutionComplete);
      assertThat(batch.getExecutionEvents())
          .containsExactly(
              HystrixEventType.EMIT, HystrixEventType.SUCCESS, HystrixEventType.COLLAPSED);
      assertThat(batch.getNumberCollapsed()).isEqualTo(2);
      assertThat(batch.getOriginatingCollapserKey().name()).isEqualTo("Orders REQUEST");
      assertThat(new OrdersOf("Ada").getMetrics().getBatchSizeMean()).isEqualTo(2);
    }
  }

  @Test
  void items_ofASourceThatGoesOn_areThereBeforeItEnds() {
    onlyTwoCallsStartABatch();
    PublishSubject<Order> orders = PublishSubject.create();
    source = orders;
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      TestObserver<String> ada = new OrdersOf("Ada").toObservable().test();
      TestObserver<String> bob = new OrdersOf("Bob").toObservable().test();
      Awaitility.await().until(orders::hasObservers);

      orders.onNext(new Order("Bob", "ink"));
      Awaitility.await().untilAsserted(() -> bob.assertValuesOnly("ink"));
      orders.onNext(new Order("Ada", "pen"));
      Awaitility.await().untilAsserted(() -> ada.assertValuesOnly("pen"));
      orders.onComplete();

      Awaitility.await().untilAsserted(() -> bob.assertResult("ink"));
      Awaitility.await().untilAsserted(() -> ada.assertResult("pen"));
    }
  }

  @Test
  void call_thatIsDisposedOfBeforeTheBatch_isNotInIt() {
    onlyTwoCallsStartABatch();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      new OrdersOf("Eve").toObservable().test().dispose();
      Observable<String> ada = new OrdersOf("Ada").observe();
      Observable<String> bob = new OrdersOf("Bob").observe();

      assertThat(itemsOf(ada)).containsExactly("pen", "paper");
      assertThat(itemsOf(bob)).containsExactly("ink");
      assertThat(batches).containsExactly(List.of("Ada", "Bob"));
    }
  }

  @Test
  void item_thatNobodyAskedFor_failsNoCallOfACollapserWithoutAKey() {
    onlyTwoCallsStartABatch();
    class Keyless extends OrdersOf {
      Keyless(String customer) {
        super(customer);
      }

      @Override
      public HystrixCollapserKey getCollapserKey() {
        return null;
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new Keyless("Ada").observe();
      Observable<String> bob = new Keyless("Bob").observe();

      assertThat(itemsOf(ada)).containsExactly("pen", "paper");
      assertThat(itemsOf(bob)).containsExactly("ink");
    }
  }

  @Test
  void items_thatAreMissing_areTheUsersToSay() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> mallory = new OrdersOf("Mallory").observe();
      Observable<String> guest = new OrdersOf("Guest").observe();
      Observable<String> silent = new OrdersOf("Silent").observe();

      assertThatThrownBy(mallory::blockingSingle)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no customer");
      assertThat(itemsOf(guest)).containsExactly("catalogue");
      assertThat(itemsOf(silent)).isEmpty();
    }
  }

  @Test
  void onMissingResponse_thatThrows_failsItsCallInHystrixWords() {
    class Thrower extends OrdersOf {
      Thrower(String customer) {
        super(customer);
      }

      @Override
      protected void onMissingResponse(CollapsedRequest<String, String> request) {
        throw new AssertionError("forgot " + request.getArgument());
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> mallory = new Thrower("Mallory").observe();
      Observable<String> ada = new Thrower("Ada").observe();

      assertThatThrownBy(mallory::blockingSingle)
          .isInstanceOf(RuntimeException.class)
          .hasMessage("Error in HystrixObservableCollapser.onMissingResponse handler")
          .cause()
          .isInstanceOf(AssertionError.class)
          .hasMessage("forgot Mallory");
      assertThat(itemsOf(ada)).containsExactly("pen", "paper");
    }
  }

  @Test
  void batch_thatFails_failsEachOfItsCallsAfterTheirItems() {
    source =
        Observable.just(new Order("Ada", "pen"))
            .concatWith(Observable.error(new IllegalStateException("down")));
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new OrdersOf("Ada").observe();
      Observable<String> bob = new OrdersOf("Bob").observe();

      for (Observable<String> call : List.of(ada, bob)) {
        assertThatThrownBy(call::blockingSubscribe)
            .isInstanceOf(HystrixRuntimeException.class)
            .hasRootCauseMessage("down");
      }
      assertThat(itemsOf(ada.onErrorComplete())).containsExactly("pen");
    }
  }

  @Test
  void batch_withAFallback_goesOnWithIt() {
    source =
        Observable.just(new Order("Ada", "pen"))
            .concatWith(Observable.error(new IllegalStateException("down")));
    fallback = Observable.just(new Order("Bob", "stock"));
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new OrdersOf("Ada").observe();
      Observable<String> bob = new OrdersOf("Bob").observe();

      assertThat(itemsOf(ada)).containsExactly("pen");
      assertThat(itemsOf(bob)).containsExactly("stock");
    }
  }

  @Test
  void mapper_thatThrows_failsTheCallsThatTheItemIsFor() {
    class Picky extends OrdersOf {
      Picky(String customer) {
        super(customer);
      }

      @Override
      protected Function<Order, String> getBatchReturnTypeToResponseTypeMapper() {
        return order -> {
          if (order.customer().equals("Ada")) {
            throw new IllegalArgumentException("cannot read " + order.article());
          }
          return order.article();
        };
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new Picky("Ada").observe();
      Observable<String> bob = new Picky("Bob").observe();

      assertThatThrownBy(ada::blockingSingle)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("cannot read pen");
      assertThat(itemsOf(bob)).containsExactly("ink");
    }
  }

  @Test
  void keySelector_thatThrows_failsAllCalls() {
    class Picky extends OrdersOf {
      Picky(String customer) {
        super(customer);
      }

      @Override
      protected Function<Order, String> getBatchReturnTypeKeySelector() {
        return order -> {
          throw new IllegalArgumentException("whose is " + order.article());
        };
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new Picky("Ada").observe();
      Observable<String> bob = new Picky("Bob").observe();

      assertThatThrownBy(ada::blockingSingle).hasMessage("whose is pen");
      assertThatThrownBy(bob::blockingSingle).hasMessage("whose is pen");
    }
  }

  @Test
  void createCommand_thatThrows_failsItsCalls() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      OrdersOf wrong =
          new OrdersOf("Ada") {
            @Override
            protected HystrixObservableCommand<Order> createCommand(
                Collection<CollapsedRequest<String, String>> requests) {
              throw new IllegalArgumentException("no command");
            }
          };

      assertThatThrownBy(wrong.observe()::blockingSingle).hasMessage("no command");
    }
  }

  @Test
  void shards_always_haveACommandEach() {
    class Sharded extends OrdersOf {
      Sharded(String customer) {
        super(customer);
      }

      @Override
      protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
          Collection<CollapsedRequest<String, String>> requests) {
        List<Collection<CollapsedRequest<String, String>>> shards = new ArrayList<>();
        requests.forEach(one -> shards.add(List.of(one)));
        return shards;
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Observable<String> ada = new Sharded("Ada").observe();
      Observable<String> bob = new Sharded("Bob").observe();

      assertThat(itemsOf(ada)).containsExactly("pen", "paper");
      assertThat(itemsOf(bob)).containsExactly("ink");
      assertThat(batches).containsExactlyInAnyOrder(List.of("Ada"), List.of("Bob"));
    }
  }

  @Test
  void shards_thatLeaveACallOut_failIt() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      OrdersOf wrong =
          new OrdersOf("Ada") {
            @Override
            protected Collection<Collection<CollapsedRequest<String, String>>> shardRequests(
                Collection<CollapsedRequest<String, String>> requests) {
              return List.of();
            }
          };

      assertThatThrownBy(wrong.observe()::blockingSingle)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("shardRequests left out [Ada]");
    }
  }

  @Test
  void cacheKey_ofOneRequest_replaysTheItems() {
    class Cached extends OrdersOf {
      Cached() {
        super("Ada");
      }

      @Override
      protected String getCacheKey() {
        return "Ada";
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(itemsOf(new Cached().observe())).containsExactly("pen", "paper");
      assertThat(itemsOf(new Cached().toObservable())).containsExactly("pen", "paper");
    }
    assertThat(batches).hasSize(1);
  }

  @Test
  void items_always_areObservedAtTheRequestOfTheirCall() {
    HystrixRequestVariableDefault<String> user = new HystrixRequestVariableDefault<>();
    AtomicReference<String> seen = new AtomicReference<>();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      user.set("Ada");
      List<String> seenBy =
          itemsOf(
              new OrdersOf("Ada")
                  .toObservable()
                  .doOnNext(item -> seen.set(user.get()))
                  .map(item -> item + " for " + user.get()));
      List<String> elsewhere =
          itemsOf(
              new OrdersOf("Ada")
                  .toObservable(Schedulers.computation())
                  .map(item -> item + " for " + user.get()));

      assertThat(seen).hasValue("Ada");
      assertThat(seenBy).containsExactly("pen for Ada", "paper for Ada").isEqualTo(elsewhere);
    }
  }

  @Test
  void globalScope_always_needsNoRequest() {
    OrdersOf ada = new OrdersOf("Ada", HystrixObservableCollapser.Scope.GLOBAL);

    assertThat(itemsOf(ada.observe())).containsExactly("pen", "paper");
    assertThat(ada.getScope()).isEqualTo(HystrixObservableCollapser.Scope.GLOBAL);
    assertThat(ada.getCollapserKey().name()).isEqualTo("Orders GLOBAL");
  }

  @Test
  void requestScope_withoutARequest_saysWhatToDo() {
    assertThatThrownBy(() -> new OrdersOf("Ada").observe().blockingSingle())
        .hasStackTraceContaining("initializeContext");
  }
}
