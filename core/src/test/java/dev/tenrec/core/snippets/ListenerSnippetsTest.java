// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Guard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The snippets of docs/reference/listeners.md, each in the test of its section's name. */
class ListenerSnippetsTest {

  private static final Duration LIMIT = Duration.ofMillis(100);

  private final List<String> slow = new CopyOnWriteArrayList<>();
  private final List<String> news = new CopyOnWriteArrayList<>();
  private final List<Span> finished = new CopyOnWriteArrayList<>();

  final class SlowCalls implements CommandListener {
    @Override
    public void onSuccess(ListenedCall call, Object value) {
      note(call);
    }

    @Override
    public void onError(ListenedCall call, Throwable error) {
      note(call);
    }

    private void note(ListenedCall call) {
      if (call.elapsed().compareTo(LIMIT) > 0) {
        slow.add(call.commandKey() + call.events() + " after " + call.elapsed().toMillis() + " ms");
      }
    }
  }

  static final class Span {
    private final List<String> notes = new ArrayList<>();

    Span(String name) {
      notes.add(name);
    }

    void note(String note) {
      notes.add(note);
    }

    Span end(String how) {
      notes.add(how);
      return this;
    }

    @Override
    public String toString() {
      return notes.toString();
    }
  }

  final class Spans implements CommandListener {
    private final Map<ListenedCall, Span> open = new ConcurrentHashMap<>();

    @Override
    public void onStart(ListenedCall call) {
      open.put(call, new Span(call.commandKey()));
    }

    @Override
    public void onFallbackStart(ListenedCall call, Throwable cause) {
      open.get(call).note("fallback: " + cause.getMessage());
    }

    @Override
    public void onSuccess(ListenedCall call, Object value) {
      end(call, "ok");
    }

    @Override
    public void onError(ListenedCall call, Throwable error) {
      end(call, "error");
    }

    @Override
    public void onCancel(ListenedCall call, Throwable why) {
      end(call, "cancelled");
    }

    private void end(ListenedCall call, String how) {
      finished.add(open.remove(call).end(how));
    }
  }

  @Test
  void aSlowCallLog() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).listen(new SlowCalls()).build();
    Guard guard = tenrec.guard("Stock").semaphore(10).build();
    guard.call(() -> 1);
    guard.call(
        () -> {
          time.advanceMillis(120);
          return 1;
        });
    await().untilAsserted(() -> assertThat(slow).containsExactly("Stock[SUCCESS] after 120 ms"));
    Elsewhere.close(tenrec, time);
  }

  @Test
  void aSpanForEachCall() {
    Spans spans = new Spans();
    try (Tenrec tenrec = Unhurried.builder().listen(spans).build()) {
      Guard guard = tenrec.guard("Stock").semaphore(10).build();
      guard.call(() -> 1);
      guard.call(ListenerSnippetsTest::fail, cause -> 0);
      assertThatThrownBy(() -> guard.call(ListenerSnippetsTest::fail)).hasMessage("down");
      await() // endings come after the answers, and those of different calls in any order
          .untilAsserted(
              () ->
                  assertThat(finished)
                      .extracting(Span::toString)
                      .containsExactlyInAnyOrder(
                          "[Stock, ok]", "[Stock, fallback: down, ok]", "[Stock, error]"));
      assertThat(spans.open).isEmpty();
    }
  }

  private static Integer fail() {
    throw new IllegalStateException("down");
  }

  @Test
  void circuitsAndSettings() {
    TenrecBuilder builder =
        Unhurried.builder()
            .listen(
                new CommandListener() {
                  @Override
                  public void onTransition(String commandKey, Transition transition) {
                    news.add(commandKey + " " + transition.to());
                  }

                  @Override
                  public void onSettingChange(SettingChange change) {
                    news.add(change.key() + " " + change.property() + "=" + change.newValue());
                  }
                });
    ManualTime time = new ManualTime();
    Tenrec tenrec = builder.time(time, time).build();
    Guard guard = tenrec.guard("Stock").semaphore(10).errorThreshold(50, 1).build();
    tenrec.set("tenrec.command.Stock.fallback.enabled", "false");
    assertThatThrownBy(() -> guard.call(ListenerSnippetsTest::fail)).hasMessage("down");
    time.advanceMillis(600); // the timer looks, without another call
    await()
        .untilAsserted(
            () -> assertThat(news).containsExactly("Stock fallback.enabled=false", "Stock OPEN"));
    Elsewhere.close(tenrec, time);
  }
}
