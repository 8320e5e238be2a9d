// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

/**
 * A Spring endpoint, unguarded until it has more users than its dependency can serve, then guarded
 * by four configurations, by what {@code Sizing} says of it, and changed while it runs.
 */
public final class TunedEndpoint {

  /** Of the driver: its users, and what a run by schedule may have in flight on a bad day. */
  private static final int CONNECTIONS = 600;

  private static final String USAGE =
      """
      A tuned Spring endpoint: unguarded, guarded in five ways, changed while it runs.
        --short        short runs, under 20 seconds in all
        --port N       where the application listens (default: free ports)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  private TunedEndpoint() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main("endpoint", USAGE, arguments, TunedEndpoint::run);
  }

  static int run(List<String> arguments, Stop stop, PrintStream out) throws Exception {
    Form form = Form.FULL;
    int port = 0;
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> form = Form.SHORT;
        case "--port" -> port = words.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    FileHandles.requireFor(CONNECTIONS);
    requireFree(port);
    EndpointReport.header(arguments, out);
    Table table = new Table(out);
    table.head();
    Measured measured = new Measured();
    int applicationPort = port;
    Form chosen = form;
    Progress progress = Progress.on(out);
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Measuring measuring =
                  new Measuring(chosen, applicationPort, stop, progress, measured, table::row)) {
                measuring.run();
              }
            });
    EndpointReport report = new EndpointReport(measured, ending);
    report.print(out);
    return report.write(directory, out);
  }

  /** So that nothing is started in vain. */
  private static void requireFree(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket probe = new ServerSocket(port, 1, loopback)) {
      probe.getLocalPort();
    } catch (BindException refused) {
      throw LoopbackServer.notBound(new InetSocketAddress(loopback, port), refused);
    }
  }
}
