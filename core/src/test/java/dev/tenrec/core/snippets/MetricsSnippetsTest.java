// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.MetricStreams;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The snippets of docs/reference/metrics.md, each in the test of its section's name. */
class MetricsSnippetsTest {

  record User(int id, String name) {}

  /** What the snippets print. */
  private final List<String> printed = new CopyOnWriteArrayList<>();

  private final CompositeDisposable subscriptions = new CompositeDisposable();
  private final Tenrec tenrec = Tenrec.create();
  private final Command<Integer, User> getUser =
      tenrec
          .command("GetUser", (Integer id) -> new User(id, "user " + id))
          .timeout(Duration.ofMinutes(10))
          .build();

  @AfterEach
  void close() {
    subscriptions.dispose();
    tenrec.close();
  }

  @Test
  void reading() {
    User user = getUser.execute(7);

    CommandView view = getUser.view();
    long timeouts = view.rollingCount(EventType.TIMEOUT); // of the last 10 s
    CommandSnapshot now = view.snapshot(); // all of one moment
    int errors = now.health().errorPercentage();
    long p99Nanos = now.latencies().execution().valueAtPercentile(99);

    assertThat(user.id()).isEqualTo(7);
    assertThat(timeouts).isZero();
    assertThat(errors).isZero();
    assertThat(p99Nanos).isPositive();
  }

  @Test
  void streams() {
    User user = getUser.execute(7);

    MetricStreams streams = getUser.metricStreams();
    Flowable<Integer> errors = streams.health().map(health -> health.errorPercentage());
    Flowable<Double> p99Millis =
        streams
            .latencies(Duration.ofSeconds(5))
            .map(latencies -> latencies.caller().valueAtPercentile(99) / 1e6);
    Flowable<Long> newTimeouts =
        streams
            .counts()
            .map(CountsSnapshot::cumulative)
            .buffer(2, 1)
            .filter(two -> two.size() == 2)
            .map(two -> two.get(1).get(EventType.TIMEOUT) - two.get(0).get(EventType.TIMEOUT));

    assertThat(user.id()).isEqualTo(7);
    assertThat(errors.blockingFirst()).isZero();
    assertThat(p99Millis.blockingFirst()).isPositive();
    assertThat(newTimeouts.blockingFirst()).isZero();
  }

  @Test
  void everything() {
    subscriptions.add(
        tenrec
            .snapshots(Duration.ofSeconds(1))
            .subscribe(
                all ->
                    all.commands()
                        .forEach(
                            command ->
                                printed.add(command.key() + " " + command.counts().rolling()))));

    await().until(() -> !printed.isEmpty());
    assertThat(printed).containsOnly("GetUser {}"); // one a second
  }
}
