// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/**
 * A Spring endpoint, unguarded until it has more users than its dependency can serve, then guarded
 * by four configurations, by what {@code Sizing} says of it, and changed while it runs.
 */
@Command(
    name = "endpoint",
    description =
        "A tuned Spring endpoint: unguarded, guarded in five ways, changed while it runs.")
public final class TunedEndpoint extends SystemProgram {

  /** Of the driver: its users, and what a run by schedule may have in flight on a bad day. */
  private static final int CONNECTIONS = 600;

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new TunedEndpoint(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.DEMO, Form.SHORT, Form.FULL);
    int port = port();
    FileHandles.requireFor(CONNECTIONS);
    requireFree(port);
    EndpointReport.header(arguments(), out);
    Consumer<Run> table = Table.RUNS.table(out);
    Measured measured = new Measured();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Progress progress = Progress.on(out);
                  Measuring measuring =
                      new Measuring(form, port, stop, progress, measured, table)) {
                measuring.run();
              }
            });
    return report(new EndpointReport(measured, ending), out);
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
