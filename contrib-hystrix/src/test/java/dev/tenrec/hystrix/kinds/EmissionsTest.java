// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.hystrix.HystrixCollapser;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import io.reactivex.rxjava3.core.Notification;
import io.reactivex.rxjava3.core.Observable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A collapser's mapping may answer a call item by item. */
@ExtendWith(FreshHystrix.class)
class EmissionsTest {

  private HystrixRequestContext request;

  @BeforeEach
  void open() {
    request = HystrixRequestContext.initializeContext();
  }

  @AfterEach
  void close() {
    request.close();
  }

  /** The first call is answered as given, the second by one item. */
  private static final class Calls extends HystrixCollapser<String, String, String> {

    private final String argument;
    private final Consumer<CollapsedRequest<String, String>> first;
    private final boolean cached;

    Calls(String argument, Consumer<CollapsedRequest<String, String>> first, int size) {
      this(argument, first, size, false);
    }

    Calls(
        String argument,
        Consumer<CollapsedRequest<String, String>> first,
        int size,
        boolean cached) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("Calls " + size))
              .andCollapserPropertiesDefaults(
                  HystrixCollapserProperties.Setter()
                      .withMaxRequestsInBatch(size)
                      .withTimerDelayInMilliseconds(3_600_000)));
      this.argument = argument;
      this.first = first;
      this.cached = cached;
    }

    @Override
    public String getRequestArgument() {
      return argument;
    }

    @Override
    protected String getCacheKey() {
      return cached ? argument : null;
    }

    @Override
    protected HystrixCommand<String> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      return new HystrixCommand<>(HystrixCommandGroupKey.Factory.asKey("Emissions")) {
        @Override
        protected String run() {
          return "answer";
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        String response, Collection<CollapsedRequest<String, String>> requests) {
      for (CollapsedRequest<String, String> request : requests) {
        if (request.getArgument().equals("first")) {
          first.accept(request);
        } else {
          request.setResponse(response);
        }
      }
    }
  }

  private static Calls alone(Consumer<CollapsedRequest<String, String>> answered) {
    return new Calls("first", answered, 1);
  }

  private static List<Notification<String>> seen(Calls call) {
    return call.toObservable().materialize().toList().blockingGet();
  }

  private static void twice(CollapsedRequest<String, String> request) {
    request.emitResponse("one");
    request.emitResponse("two");
    request.setComplete();
  }

  @Test
  void items_ofOneCall_areAllThere() {
    assertThat(alone(EmissionsTest::twice).toObservable().toList().blockingGet())
        .containsExactly("one", "two");
    assertThat(alone(EmissionsTest::twice).observe().toList().blockingGet())
        .containsExactly("one", "two");
  }

  @Test
  void items_ofOneCall_leaveTheOthers() throws Exception {
    Future<String> first = new Calls("first", EmissionsTest::twice, 2).queue();
    Future<String> second = new Calls("second", EmissionsTest::twice, 2).queue();

    assertThat(second.get()).isEqualTo("answer");
    assertThatThrownBy(first::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 items");
    assertThat(first.isDone()).isTrue();
    assertThat(first.cancel(true)).isFalse();
    assertThat(first.isCancelled()).isFalse();
  }

  @Test
  void items_whereThereIsRoomForOne_areAFailure() {
    assertThatThrownBy(() -> alone(EmissionsTest::twice).execute())
        .isExactlyInstanceOf(RuntimeException.class)
        .hasMessageEndingWith("HystrixCollapser failed while executing.")
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("toObservable()");
  }

  @Test
  void item_thatIsAlone_isTheAnswer() throws Exception {
    Consumer<CollapsedRequest<String, String>> once = request -> request.emitResponse("one");

    assertThat(alone(once).execute()).isEqualTo("one");
    assertThat(alone(once.andThen(CollapsedRequest::setComplete)).queue().get()).isEqualTo("one");
    assertThat(seen(alone(once)))
        .containsExactly(Notification.createOnNext("one"), Notification.createOnComplete());
  }

  @Test
  void response_afterAnItem_isTheLastItem() {
    assertThat(
            seen(
                alone(
                    request -> {
                      request.emitResponse("one");
                      request.setResponse("two");
                    })))
        .containsExactly(
            Notification.createOnNext("one"),
            Notification.createOnNext("two"),
            Notification.createOnComplete());
  }

  @Test
  void exception_afterAnItem_comesAfterIt() {
    IOException failure = new IOException("no more");
    Consumer<CollapsedRequest<String, String>> fails =
        request -> {
          request.emitResponse("one");
          request.setException(failure);
        };

    assertThat(seen(alone(fails)))
        .containsExactly(Notification.createOnNext("one"), Notification.createOnError(failure));
    assertThatThrownBy(() -> alone(fails).execute())
        .isExactlyInstanceOf(RuntimeException.class)
        .cause()
        .isSameAs(failure);
    assertThatThrownBy(() -> alone(fails).queue().get()).cause().isSameAs(failure);
  }

  @Test
  void exceptionOfHystrix_afterAnItem_isNotWrapped() {
    HystrixRuntimeException failure =
        new HystrixRuntimeException(
            HystrixRuntimeException.FailureType.COMMAND_EXCEPTION, null, "wrong", null, null);

    assertThatThrownBy(
            () ->
                alone(
                        request -> {
                          request.emitResponse("one");
                          request.setException(failure);
                        })
                    .execute())
        .isSameAs(failure);
  }

  @Test
  void mapping_thatThrowsAfterAnItem_failsItsCallAfterTheItem() {
    IllegalStateException failure = new IllegalStateException("cannot go on");

    assertThat(
            seen(
                alone(
                    request -> {
                      request.emitResponse("one");
                      throw failure;
                    })))
        .containsExactly(Notification.createOnNext("one"), Notification.createOnError(failure));
  }

  @Test
  void call_thatHasEnded_takesNothingMore() throws Exception {
    AtomicReference<CollapsedRequest<String, String>> kept = new AtomicReference<>();
    assertThat(
            alone(
                    request -> {
                      kept.set(request);
                      request.setResponse("one");
                      assertThatThrownBy(() -> request.emitResponse("two"))
                          .isInstanceOf(IllegalStateException.class);
                      assertThatThrownBy(() -> request.setResponse("two"))
                          .isInstanceOf(IllegalStateException.class);
                      assertThatThrownBy(() -> request.setException(new IOException()))
                          .isInstanceOf(IllegalStateException.class);
                      request.setComplete();
                    })
                .execute())
        .isEqualTo("one");
    assertThat(
            alone(
                    request -> {
                      kept.set(request);
                      request.emitResponse("one");
                    })
                .execute())
        .isEqualTo("one");

    assertThatThrownBy(() -> kept.get().emitResponse("after its mapping"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("answered before");
  }

  @Test
  void null_asAnItem_isNoneOfAnObservable() throws Exception {
    Consumer<CollapsedRequest<String, String>> nothing =
        request -> {
          request.emitResponse(null);
          request.setComplete();
        };

    assertThat(alone(nothing).execute()).isNull();
    assertThat(alone(nothing).queue().get()).isNull();
    assertThat(seen(alone(nothing))).containsExactly(Notification.createOnComplete());
    assertThat(
            seen(
                alone(
                    request -> {
                      request.emitResponse("one");
                      request.emitResponse(null);
                      request.emitResponse("three");
                    })))
        .containsExactly(
            Notification.createOnNext("one"),
            Notification.createOnNext("three"),
            Notification.createOnComplete());
  }

  @Test
  void items_fromTheRequestCache_areTheSame() {
    Observable<String> first = new Calls("first", EmissionsTest::twice, 1, true).observe();
    Observable<String> again =
        new Calls(
                "first",
                request -> {
                  throw new AssertionError("asked again");
                },
                1,
                true)
            .toObservable();

    assertThat(first.toList().blockingGet()).containsExactly("one", "two");
    assertThat(again.toList().blockingGet()).containsExactly("one", "two");
  }
}
