// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

import dev.tenrec.metrics.time.Ticker;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Notes each call when it is sent, and how its caller was answered. Thread-safe. */
public final class CallLog {

  private final Ticker clock;
  private final Map<String, Answers> byKey = new LinkedHashMap<>();

  /**
   * An empty one.
   *
   * @param keys the commands that will be called
   */
  public CallLog(Ticker clock, List<String> keys) {
    this.clock = clock;
    keys.forEach(key -> byKey.put(key, new Answers()));
  }

  /** What the callers of this command got. */
  public Answers of(String key) {
    return Objects.requireNonNull(byKey.get(key), key);
  }

  /** The same of all commands. */
  public Collection<Answers> all() {
    return byKey.values();
  }

  /** Notes a call that waits. Its error is its caller's answer, and goes no further. */
  <T> void waiting(String key, Supplier<T> call, Function<T, Ending> ofValue) {
    long sentNanos = send(key);
    Ending ending;
    try {
      ending = ofValue.apply(call.get());
    } catch (RuntimeException thrown) {
      ending = Ending.of(thrown);
    }
    answered(key, sentNanos, ending);
  }

  /** Notes a call that does not wait. */
  <T> CompletableFuture<T> async(
      String key, Supplier<CompletableFuture<T>> call, Function<T, Ending> ofValue) {
    long sentNanos = send(key);
    CompletableFuture<T> future = call.get();
    CompletableFuture<Void> noted =
        future.handle(
            (value, error) -> {
              answered(
                  key, sentNanos, error == null ? ofValue.apply(value) : Ending.of(bare(error)));
              return null;
            });
    Objects.requireNonNull(noted);
    return future;
  }

  private long send(String key) {
    of(key).sent();
    return clock.nanoTime();
  }

  private void answered(String key, long sentNanos, Ending ending) {
    of(key).add(new Answer(sentNanos, clock.nanoTime() - sentNanos, ending));
  }

  private static Throwable bare(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }
}
