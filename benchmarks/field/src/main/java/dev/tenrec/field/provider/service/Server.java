// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import dev.tenrec.field.kit.ChildProcess;
import dev.tenrec.field.kit.Pairs;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The provider or the store, seen from the one that started it. Not thread-safe. */
public final class Server implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 512;

  private final ChildProcess child;
  private final URI uri;

  private Server(ChildProcess child, URI uri) {
    this.child = child;
    this.uri = uri;
  }

  /** Starts a store. */
  public static Server store() throws IOException, InterruptedException {
    return start("store", StoreMain.class, List.of());
  }

  /**
   * Starts a provider.
   *
   * @param port where, or 0 for a free one
   * @param callers how many call at once
   */
  public static Server provider(int port, URI store, int callers)
      throws IOException, InterruptedException {
    return start(
        "provider",
        ProviderMain.class,
        List.of(Integer.toString(port), store.toString(), Integer.toString(callers)));
  }

  private static Server start(String name, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    ChildProcess child = ChildProcess.start(name, HEAP_MEGABYTES, List.of(), main, arguments);
    return new Server(child, URI.create(child.awaitReady(ChildProcess.START)));
  }

  /** Where it listens. */
  public URI uri() {
    return uri;
  }

  /** Of the process. */
  public long pid() {
    return child.pid();
  }

  /** What it has counted. */
  public Map<String, Double> figures() throws IOException, InterruptedException {
    return child.ask(ProviderMain.FIGURES, ChildProcess.ANSWER, Double::valueOf);
  }

  /** Has exactly these settings in force. */
  public void settings(Map<String, String> values) throws IOException, InterruptedException {
    Map<String, Double> unused =
        child.ask(
            ProviderMain.SETTINGS + " " + Pairs.text(values), ChildProcess.ANSWER, Double::valueOf);
  }

  /** Has so many threads read requests; 0 for the one that accepts connections. */
  public void readers(int threads) throws IOException, InterruptedException {
    Map<String, Double> unused =
        child.ask(ProviderMain.READERS + " " + threads, ChildProcess.ANSWER, Double::valueOf);
  }

  @Override
  public void close() {
    child.close();
  }
}
