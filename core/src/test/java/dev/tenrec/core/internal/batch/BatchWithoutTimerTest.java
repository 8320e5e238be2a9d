// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.internal.collapser.Batches;
import dev.tenrec.core.internal.collapser.Sharding;
import dev.tenrec.core.internal.timeout.ClosedTimeouts;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldCallbacks;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.metrics.time.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch whose members no timer would look after does not run: they have their ending at once. */
class BatchWithoutTimerTest {

  private final ManualTime time = new ManualTime();
  private final HeldCallbacks callbacks = new HeldCallbacks();
  private final Tenrec tenrec =
      Tenrec.builder().time(time, time).callbackExecutor(callbacks).build();
  private final Timer timer = new Timer(time, time, BatchWithoutTimerTest::noThread);
  private final RecordingMember member = new RecordingMember();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();

  @BeforeEach
  void requireLogging() {
    SwitchedLogging.requireInstalled();
  }

  @AfterEach
  void close() {
    ClosedTimeouts unused = timer.close();
    callbacks.letGo();
    Elsewhere.close(tenrec, time);
  }

  private static Thread noThread(Runnable body) {
    throw new OutOfMemoryError("unable to create native thread");
  }

  private Map<Integer, Integer> answers(List<Integer> ids) {
    batches.add(ids);
    return Map.of(1, 2);
  }

  /** A batch of one member; its window has a timer that is well. */
  private void call(boolean sharded) {
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Model", this::answers).maxRequestsInBatch(1).globalScope().build();
    CollapserRuntime model = InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime();
    CommandRuntime command = Inside.withTimer(model.command, timer);
    Pipeline<List<Integer>, Map<Integer, Integer>> pipeline =
        new Pipeline<>(
            command, new WorkBody.Plain<>(this::answers), null, Classification.DEFAULT, null);
    Function<Integer, Object> shardOf = id -> id;
    BatchLauncher<Integer, Integer> launcher =
        new BatchLauncher<>(
            new CollapserRuntime("Batch", command, model.settings()),
            pipeline,
            new Sharding<>(sharded ? shardOf : null),
            false);
    new Batches<>(launcher, model.command.engine.timer(), time).join(1, member);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void batch_forWhichTheTimerFindsNoThread_failsWithThat_andItIsLogged(boolean sharded)
      throws Exception {
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      call(sharded); // the timer is asked first while the batch waits for its thread
      callbacks.letGo();
      await().untilAsserted(() -> assertThat(member.endings).hasSize(1));
      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(member.endings.get(0)).isInstanceOf(OutOfMemoryError.class);
    assertThat(batches).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void batch_whoseTimerIsClosed_isCancelled(boolean sharded) {
    ClosedTimeouts unused = timer.close();
    callbacks.letGo();
    call(sharded);
    await().untilAsserted(() -> assertThat(member.endings).hasSize(1));
    assertThat(member.endings.get(0)).isInstanceOf(CancellationException.class);
    assertThat(batches).isEmpty();
  }
}
