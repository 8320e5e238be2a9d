// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.netflix.config.ConfigurationManager;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCollapser;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixEventType;
import dev.tenrec.hystrix.HystrixInvokableInfo;
import dev.tenrec.hystrix.HystrixRequestLog;
import dev.tenrec.hystrix.HystrixTenrec;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.metrics.PatientWaits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration.AbstractConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls of one window become one batch command. */
@ExtendWith(FreshHystrix.class)
class CollapserTest {

  private static final String SETTINGS = "hystrix.collapser.GetValueForKeys.";

  @AfterEach
  void forget() {
    ConfigurationManager.getConfigInstance().clearProperty(SETTINGS + "timerDelayInMilliseconds");
    ConfigurationManager.getConfigInstance().clearProperty(SETTINGS + "maxRequestsInBatch");
  }

  static class GetValueForKey extends HystrixCollapser<List<String>, String, Integer> {

    private final Integer key;

    GetValueForKey(Integer key) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("GetValueForKeys"))
              .andCollapserPropertiesDefaults(
                  HystrixCollapserProperties.Setter().withTimerDelayInMilliseconds(10)));
      this.key = key;
    }

    @Override
    public Integer getRequestArgument() {
      return key;
    }

    @Override
    protected HystrixCommand<List<String>> createCommand(
        Collection<CollapsedRequest<String, Integer>> requests) {
      return new BatchCommand(requests);
    }

    @Override
    protected void mapResponseToRequests(
        List<String> batchResponse, Collection<CollapsedRequest<String, Integer>> requests) {
      int count = 0;
      for (CollapsedRequest<String, Integer> request : requests) {
        if (request.getArgument() == 13) {
          request.setException(new Exception("no thirteen"));
        } else if (request.getArgument() != 14) {
          request.setResponse(batchResponse.get(count));
        }
        count++;
      }
    }
  }

  static class BatchCommand extends HystrixCommand<List<String>> {

    private final Collection<CollapsedRequest<String, Integer>> requests;

    BatchCommand(Collection<CollapsedRequest<String, Integer>> requests) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Values"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetValues")));
      this.requests = requests;
    }

    @Override
    protected List<String> run() {
      List<String> response = new ArrayList<>();
      for (CollapsedRequest<String, Integer> request : requests) {
        if (request.getArgument() < 0) {
          throw new IllegalArgumentException("key " + request.getArgument());
        }
        response.add("value " + request.getArgument());
      }
      return response;
    }
  }

  @Test
  void queue_severalInOneWindow_runsOneBatch() throws Exception {
    AbstractConfiguration archaius = ConfigurationManager.getConfigInstance();
    archaius.setProperty(SETTINGS + "timerDelayInMilliseconds", "3600000");
    archaius.setProperty(SETTINGS + "maxRequestsInBatch", "3"); // the third starts it
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> one = new GetValueForKey(1).queue();
      Future<String> two = new GetValueForKey(2).queue();
      Future<String> three = new GetValueForKey(3).queue();

      assertThat(one.get()).isEqualTo("value 1");
      assertThat(two.get()).isEqualTo("value 2");
      assertThat(three.get()).isEqualTo("value 3");
      Collection<HystrixInvokableInfo<?>> executed =
          HystrixRequestLog.getCurrentRequest().getAllExecutedCommands();
      assertThat(executed).hasSize(1);
      HystrixInvokableInfo<?> batch = executed.iterator().next();
      assertThat(batch.getCommandKey().name()).isEqualTo("GetValues");
      assertThat(batch.getExecutionEvents())
          .containsExactly(HystrixEventType.SUCCESS, HystrixEventType.COLLAPSED);
      assertThat(batch.getNumberCollapsed()).isEqualTo(3);
      assertThat(batch.getOriginatingCollapserKey().name()).isEqualTo("GetValueForKeys");
    }
  }

  @Test
  void execute_alone_isABatchOfOne() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(new GetValueForKey(7).execute()).isEqualTo("value 7");
      assertThat(new GetValueForKey(8).toObservable().blockingSingle()).isEqualTo("value 8");
      assertThat(new GetValueForKey(9).observe().blockingSingle()).isEqualTo("value 9");
    }
  }

  @Test
  void queue_whenOneIsFailedAndOneLeftOut_othersAreAnswered() throws Exception {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> answered = new GetValueForKey(1).queue();
      Future<String> failed = new GetValueForKey(13).queue();
      Future<String> leftOut = new GetValueForKey(14).queue();

      assertThat(answered.get()).isEqualTo("value 1");
      assertThatThrownBy(failed::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .hasMessage("no thirteen");
      assertThatThrownBy(leftOut::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("No response set by GetValueForKeys");
    }
  }

  @Test
  void execute_whenTheBatchFails_throwsItsException() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(() -> new GetValueForKey(-1).execute())
          .hasMessage("GetValues failed and no fallback available.")
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void mapping_thatThrowsAnError_failsItsCallsByAnException() {
    class Wrong extends GetValueForKey {
      Wrong() {
        super(1);
      }

      @Override
      protected void mapResponseToRequests(
          List<String> batchResponse, Collection<CollapsedRequest<String, Integer>> requests) {
        throw new AssertionError("cannot map");
      }
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(new Wrong()::execute)
          .isInstanceOf(RuntimeException.class)
          .hasMessageEndingWith("failed while executing.")
          .cause()
          .isInstanceOf(RuntimeException.class)
          .hasMessage("Throwable caught while executing batch and mapping responses.")
          .cause()
          .hasMessage("cannot map");
      assertThatThrownBy(new Wrong().toObservable()::blockingSingle)
          .isInstanceOf(RuntimeException.class)
          .cause()
          .hasMessage("cannot map");
    }
  }

  @Test
  void queue_whoseRequestEndsBeforeItsBatch_failsAndIsNotCancelled() {
    ConfigurationManager.getConfigInstance()
        .setProperty(SETTINGS + "timerDelayInMilliseconds", "3600000");
    Future<String> waiting;
    Future<String> cancelled;
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      waiting = new GetValueForKey(1).queue();
      cancelled = new GetValueForKey(2).queue();
      assertThat(cancelled.cancel(true)).isTrue();
    }

    long patience = PatientWaits.patience().toMillis();
    assertThatThrownBy(() -> waiting.get(patience, TimeUnit.MILLISECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GetValueForKeys")
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(waiting.isDone()).isTrue();
    assertThat(waiting.isCancelled()).isFalse();
    assertThat(waiting.cancel(true)).isFalse();
    assertThat(waiting.isCancelled()).isFalse();
    assertThatThrownBy(() -> cancelled.get(patience, TimeUnit.MILLISECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(cancelled.isCancelled()).isTrue();
  }

  @Test
  void argumentOrCacheKey_thatThrows_failsTheCallByItsDoor() {
    GetValueForKey withoutArgument =
        new GetValueForKey(1) {
          @Override
          public Integer getRequestArgument() {
            throw new IllegalArgumentException("none");
          }
        };
    GetValueForKey withoutCacheKey =
        new GetValueForKey(1) {
          @Override
          protected String getCacheKey() {
            throw new IllegalArgumentException("none");
          }
        };
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      for (GetValueForKey wrong : List.of(withoutArgument, withoutCacheKey)) {
        Future<String> later = wrong.queue();
        assertThatThrownBy(later::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(wrong::execute)
            .isExactlyInstanceOf(RuntimeException.class)
            .hasCauseInstanceOf(IllegalArgumentException.class);
        wrong.toObservable().test().assertError(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void collapserKey_thatIsNullOrThrows_leavesNoCallWithoutAnEnd() throws Exception {
    GetValueForKey withoutKey =
        new GetValueForKey(14) {
          @Override
          public HystrixCollapserKey getCollapserKey() {
            return null;
          }
        };
    GetValueForKey failing =
        new GetValueForKey(1) {
          @Override
          public HystrixCollapserKey getCollapserKey() {
            throw new IllegalArgumentException("no key");
          }
        };
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Future<String> unanswered = withoutKey.queue();
      assertThatThrownBy(() -> unanswered.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("No response set by GetValueForKeys");
      Future<String> failed = failing.queue();
      assertThatThrownBy(() -> failed.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasStackTraceContaining("no key");
    }
  }

  /** Of all requests, with a cache key; it has the name of its batch command. */
  private static final class Everywhere extends HystrixCollapser<List<String>, String, Integer> {

    Everywhere(HystrixCollapserProperties.Setter settings) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("GetValues"))
              .andScope(Scope.GLOBAL)
              .andCollapserPropertiesDefaults(settings));
    }

    @Override
    public Integer getRequestArgument() {
      return 1;
    }

    @Override
    protected String getCacheKey() {
      return "one";
    }

    @Override
    protected HystrixCommand<List<String>> createCommand(
        Collection<CollapsedRequest<String, Integer>> requests) {
      return new BatchCommand(requests);
    }

    @Override
    protected void mapResponseToRequests(
        List<String> batchResponse, Collection<CollapsedRequest<String, Integer>> requests) {
      requests.forEach(request -> request.setResponse(batchResponse.get(0)));
    }
  }

  @Test
  void execute_ofAllRequestsWithoutCaching_needsNoRequest() {
    HystrixCollapserProperties.Setter settings =
        HystrixCollapserProperties.Setter().withRequestCacheEnabled(false);

    assertThat(new Everywhere(settings).execute()).isEqualTo("value 1");
    assertThat(new Everywhere(settings).observe().blockingSingle()).isEqualTo("value 1");
  }

  @Test
  void execute_ofAllRequestsWithCaching_needsARequest() {
    assertThatThrownBy(() -> new Everywhere(HystrixCollapserProperties.Setter()).execute())
        .hasStackTraceContaining("initializeContext");
  }

  @Test
  void collapser_withTheNameOfACommand_isApartFromIt() {
    BatchCommand before = new BatchCommand(List.of()); // has taken the name
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Everywhere collapser = new Everywhere(HystrixCollapserProperties.Setter());
      assertThat(collapser.execute()).isEqualTo("value 1");
      assertThat(before.execute()).isEmpty();
      assertThat(before.getMetrics().getCumulativeCount(HystrixEventType.SUCCESS)).isEqualTo(2);
      assertThat(
              collapser.getMetrics().getCumulativeCount(HystrixEventType.Collapser.BATCH_EXECUTED))
          .isOne();
    }
    HystrixTenrec.reset();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(new Everywhere(HystrixCollapserProperties.Setter()).execute())
          .as("the collapser first")
          .isEqualTo("value 1");
    }
  }

  @Test
  void resetOfHystrix_whereACollapserHasTheNameOfACommand_takesBothOut() {
    Tenrec tenrec = HystrixTenrec.builder().build();
    HystrixTenrec.set(tenrec);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(new Everywhere(HystrixCollapserProperties.Setter()).execute())
          .isEqualTo("value 1");
    }
    HystrixTenrec.reset();

    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.collapsers()).isEmpty();
    tenrec.close();
  }

  @Test
  void execute_withoutARequest_saysWhatToDo() {
    assertThatThrownBy(() -> new GetValueForKey(1).execute())
        .hasStackTraceContaining("initializeContext");
    assertThatThrownBy(() -> new GetValueForKey(1).queue().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }
}
