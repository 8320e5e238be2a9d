// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.metrics.PatientWaits;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What is left of a closed request, looked for by the garbage collector: while the Tenrec, its
 * commands, its threads and its timer live on, nothing of it may be reachable.
 */
abstract class ClosedRequestFixture {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  final Tenrec tenrec = leaks.watch(builder().build());
  private final Map<String, WeakReference<?>> traces = new ConcurrentHashMap<>();

  /** What the application still has in hand when the request is over. */
  final List<Object> kept = new ArrayList<>();

  /** Something of the request, which knows nothing of it. */
  static final class Thing {}

  final RequestVariable<Thing> variable =
      tenrec.requestVariable(() -> trace("a variable's value", new Thing()), gone -> {});

  final <T> T trace(String what, T object) {
    traces.put(what, new WeakReference<>(object));
    return object;
  }

  /** The request itself, and all that it has. */
  final void traceRequest(RequestContext context) throws ReflectiveOperationException {
    trace("the context", context);
    Object request = trace("the request", field(context, "request"));
    Object parts = trace("its parts", field(request, "parts"));
    for (RecordComponent part : parts.getClass().getRecordComponents()) {
      Object value = field(parts, part.getName());
      if (!part.getType().isPrimitive() && !(value instanceof Thread)) {
        trace("its " + part.getName(), value);
      }
    }
  }

  private static Object field(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  final void assertGone() {
    assertThat(traces).as("what was looked for").hasSizeGreaterThan(8);
    assertThat(tenrec.liveThreads()).as("threads that could keep something").isPositive();
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(present()).isEmpty();
            });
  }

  /** By name: an assertion about the things themselves would keep them. */
  private List<String> present() {
    return traces.entrySet().stream()
        .filter(trace -> trace.getValue().get() != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  TenrecBuilder builder() {
    return Tenrec.builder();
  }
}
