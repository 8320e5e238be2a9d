// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.http.LoopbackAddress;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The load driver as a program. */
@Command(
    name = "load",
    description = "Calls an address of this machine, and reports how long the answers took.")
public final class Load extends Program {

  private static final int DOES_NOT_BALANCE = 1;

  @Option(
      names = "--url",
      paramLabel = "U",
      required = true,
      description = "what is called, http://127.0.0.1:8080/path")
  private String url = "";

  @ArgGroup(multiplicity = "1")
  private Model model = new Model();

  /** One of the two. */
  private static final class Model {

    @Option(
        names = "--rate",
        paramLabel = "N",
        description = "an open load: N calls a second by schedule, 1 to 50000; or")
    private @Nullable Integer rate;

    @Option(
        names = "--users",
        paramLabel = "N",
        description = "a closed load: N users, each calling again when answered, 1 to 20000")
    private @Nullable Integer users;
  }

  @Option(
      names = "--engine",
      paramLabel = "E",
      description =
          "thread (per call), pool, async, virtual (JDK 21 or later) (default ${DEFAULT-VALUE})")
  private Engines engine = Engines.ASYNC;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "of the pool and of asynchronous I/O, 1 to 1000 (default ${DEFAULT-VALUE})")
  private int threads = 20;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "at most so many, 1 to 10000000 (default ${DEFAULT-VALUE})")
  private int requests = 50_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "at most so long, 1 to 3600 (default ${DEFAULT-VALUE})")
  private int seconds = 60;

  @Option(
      names = "--timeout",
      paramLabel = "N",
      description = "seconds a call may take, 1 to 60 (default ${DEFAULT-VALUE})")
  private int timeout = 10;

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new Load(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    LoopbackAddress address = LoopbackAddress.of(url);
    Duration patience = Duration.ofSeconds(require("--timeout", timeout, 1, 60));
    Plan plan = plan(patience);
    FileHandles.requireFor(plan.mostInFlight(patience));
    try (HttpTarget target = new HttpTarget(address, patience, plan.threads())) {
      out.println("Load on " + address + ", Java " + Runtime.version());
      Result result = new Driver(plan, target, stop, Progress.on(out)).run();
      Report report = new Report(result);
      report.print(out);
      report.write(directory()).forEach(file -> out.println("Written to " + file));
      return result.counts().balance() ? 0 : DOES_NOT_BALANCE;
    }
  }

  private Plan plan(Duration patience) {
    return new Plan(
        engine,
        require("--threads", threads, 1, 1_000),
        arrivals(),
        require("--requests", requests, 1, Plan.MOST_REQUESTS),
        Duration.ofSeconds(require("--seconds", seconds, 1, Plan.MOST_SECONDS)),
        patience);
  }

  private Arrivals arrivals() {
    if (model.rate != null) {
      return new Arrivals.Open(require("--rate", model.rate, 1, 50_000));
    }
    if (model.users != null) {
      return new Arrivals.Closed(require("--users", model.users, 1, 20_000));
    }
    throw wrong("expected --rate (open load) or --users (closed load)");
  }
}
