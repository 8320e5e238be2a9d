// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A fleet's store that answers no request until the test lets it, and then with nothing. */
final class SlowStore implements FleetStore {

  /** The thread that asked first. */
  final CompletableFuture<Thread> asking = new CompletableFuture<>();

  /** Completed when it may answer. */
  final CompletableFuture<Void> answering = new CompletableFuture<>();

  private void await() {
    asking.complete(Thread.currentThread());
    answering.join();
  }

  @Override
  public @Nullable Stored read(String name) {
    await();
    return null;
  }

  @Override
  public List<String> names(String folder) {
    await();
    return List.of();
  }

  @Override
  public void commit(Transaction transaction) {
    throw new UnsupportedOperationException("it is read only");
  }

  @Override
  public void announce(String name, String text) {}

  @Override
  public void withdraw(String name) {}

  @Override
  public Subscription watch(String name, StoreListener listener) {
    return () -> {};
  }

  @Override
  public String principal() {
    return "";
  }

  @Override
  public long nowMillis() {
    await();
    return 0;
  }

  @Override
  public void close() {}
}
