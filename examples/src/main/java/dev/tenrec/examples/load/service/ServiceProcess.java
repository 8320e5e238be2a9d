// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

import dev.tenrec.examples.load.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server, such as a {@link DelayService}, in a JVM of its own, seen from the one that started it.
 */
public final class ServiceProcess implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 512;

  private final Process process;
  private final URI uri;

  private ServiceProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * Starts a {@link DelayService}.
   *
   * @param port where, or 0 for a free one
   * @param connections how many at once it has to hold
   * @throws IOException if it does not start; it has said why on standard error
   */
  public static ServiceProcess start(int port, int connections) throws IOException {
    return start(
        "service",
        HEAP_MEGABYTES,
        List.of(),
        ServiceMain.class,
        List.of(Integer.toString(port), Integer.toString(connections)));
  }

  /**
   * Starts another server, which has to {@link Lifeline#hold} itself.
   *
   * @param name for messages
   * @param heapMegabytes the size of its heap
   * @param options more of them for its JVM
   * @param main the class whose {@code main} it runs
   * @throws IOException if it does not start; it has said why on standard error
   */
  public static ServiceProcess start(
      String name, int heapMegabytes, List<String> options, Class<?> main, List<String> arguments)
      throws IOException {
    Process process = ChildJvm.start(heapMegabytes, options, main, arguments);
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || !line.startsWith(Lifeline.LISTENS)) {
      process.destroy();
      throw new IOException("the " + name + " did not start; it said why on standard error");
    }
    return new ServiceProcess(process, URI.create(line.substring(Lifeline.LISTENS.length())));
  }

  /** Where it listens. */
  public URI uri() {
    return uri;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException impatient) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
