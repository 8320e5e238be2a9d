// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.service;

import dev.tenrec.field.kit.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * A server, such as a {@link DelayService}, in a JVM of its own, seen from the one that started it.
 */
public final class ServiceProcess implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 512;

  private final ChildProcess child;
  private final URI uri;

  private ServiceProcess(ChildProcess child, URI uri) {
    this.child = child;
    this.uri = uri;
  }

  /**
   * Starts a {@link DelayService}.
   *
   * @param port where, or 0 for a free one
   * @param connections how many at once it has to hold
   * @throws IOException if it does not start; says why
   */
  public static ServiceProcess start(int port, int connections)
      throws IOException, InterruptedException {
    return start(
        "service",
        HEAP_MEGABYTES,
        List.of(),
        ServiceMain.class,
        List.of(Integer.toString(port), Integer.toString(connections)));
  }

  /**
   * Starts another server, which has to say where it listens when it is ready.
   *
   * @param name for messages
   * @param heapMegabytes the size of its heap
   * @param options more of them for its JVM
   * @param main the class whose {@code main} it runs
   * @throws IOException if it does not start; says why
   */
  public static ServiceProcess start(
      String name, int heapMegabytes, List<String> options, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    ChildProcess child = ChildProcess.start(name, heapMegabytes, options, main, arguments);
    return new ServiceProcess(child, URI.create(child.awaitReady(ChildProcess.START)));
  }

  /** Where it listens. */
  public URI uri() {
    return uri;
  }

  /**
   * Has the caller break off where it has ended.
   *
   * @throws IOException if it has; says how
   */
  public void requireAlive() throws IOException, InterruptedException {
    child.requireAlive();
  }

  @Override
  public void close() {
    child.close();
  }
}
