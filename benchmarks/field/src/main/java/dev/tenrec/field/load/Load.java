// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.http.Request;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The load driver as a program. */
@Command(
    name = "load",
    description =
        "Calls addresses of this machine, or of those that are allowed, and reports how long the"
            + " answers took.")
public final class Load extends Program {

  private static final int DOES_NOT_BALANCE = 1;
  private static final int TOO_MANY_FAILED = 3;
  private static final long MOST_BODY_BYTES = 16 << 20;

  @Option(
      names = "--url",
      paramLabel = "U",
      required = true,
      description = "what is called, http://127.0.0.1:8080/path; several are called in turn")
  private List<String> urls = List.of();

  @Option(
      names = "--allow",
      paramLabel = "HOST:PORT",
      description = "may be called though it is not on this machine; may be given several times")
  private Set<String> allowed = Set.of();

  @Option(
      names = "--method",
      paramLabel = "M",
      description = "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS (default ${DEFAULT-VALUE})")
  private String method = "GET";

  @Option(
      names = "--header",
      paramLabel = "H",
      description = "is sent with each call, 'Accept: text/plain'; may be given several times")
  private List<String> headers = List.of();

  @ArgGroup private Body body = new Body();

  /** At most one of the two. */
  private static final class Body {

    @Option(names = "--body", paramLabel = "T", description = "what each call sends, as UTF-8; or")
    private @Nullable String text;

    @Option(
        names = "--body-file",
        paramLabel = "F",
        description = "a file with it, of at most 16 MB")
    private @Nullable Path file;
  }

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
      names = "--ramp",
      paramLabel = "N",
      description =
          "seconds in which the rate grows, or the users begin one after the other; measured after"
              + " it, 0 to 3600 (default ${DEFAULT-VALUE})")
  private int ramp;

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
      description = "at most so long after the ramp, 1 to 3600 (default ${DEFAULT-VALUE})")
  private int seconds = 60;

  @Option(
      names = "--timeout",
      paramLabel = "N",
      description = "seconds a call may take, 1 to 60 (default ${DEFAULT-VALUE})")
  private int timeout = 10;

  @Option(
      names = "--most-failed",
      paramLabel = "P",
      description =
          "per cent of the calls that may fail or not be sent, 0 to 100; exit code 3 if more do"
              + " (default ${DEFAULT-VALUE})")
  private int mostFailed = 100;

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
    int unused = require("--most-failed", mostFailed, 0, 100);
    List<HttpAddress> addresses = urls.stream().map(url -> HttpAddress.of(url, allowed)).toList();
    Request request = Request.of(method.toUpperCase(Locale.ROOT), headers, body());
    Duration patience = Duration.ofSeconds(require("--timeout", timeout, 1, 60));
    Plan plan = plan(patience);
    long most = plan.mostInFlight(patience);
    FileHandles.requireFor(most);
    LocalPorts.requireFor(mostToOne(addresses, most));
    try (InTurn target = targets(addresses, request, patience, plan.threads());
        Progress progress = Progress.on(out)) {
      for (HttpAddress address : addresses) {
        out.println("Load on " + address + ": " + request.label() + ", Java " + Runtime.version());
      }
      Result result = new Driver(plan, target, stop, progress).run();
      Report report = new Report(result, request.label(), target.shares());
      report.print(out);
      report.write(directory()).forEach(file -> out.println("Written to " + file));
      return exitCode(result.counts(), out);
    }
  }

  /** Of these calls in turn, those to the server that has the most of the addresses. */
  private static long mostToOne(List<HttpAddress> addresses, long calls) {
    long most =
        addresses.stream()
            .collect(Collectors.groupingBy(HttpAddress::socket, Collectors.counting()))
            .values()
            .stream()
            .mapToLong(count -> count)
            .max()
            .orElse(0);
    return (calls * most + addresses.size() - 1) / addresses.size();
  }

  private byte[] body() throws IOException {
    if (body.text != null) {
      return body.text.getBytes(StandardCharsets.UTF_8);
    }
    if (body.file == null) {
      return new byte[0];
    }
    long bytes = Files.size(body.file);
    if (bytes > MOST_BODY_BYTES) {
      throw wrong(
          "--body-file has " + bytes + " bytes, expected at most " + MOST_BODY_BYTES + " (16 MB)");
    }
    return Files.readAllBytes(body.file);
  }

  private static InTurn targets(
      List<HttpAddress> addresses, Request request, Duration timeout, int threads) {
    // the threads of asynchronous I/O are divided among them
    int each = Math.max(1, threads / addresses.size());
    Map<String, HttpTarget> targets = new LinkedHashMap<>();
    for (HttpAddress address : addresses) {
      HttpTarget target = new HttpTarget(address, request, timeout, each, header -> {});
      if (targets.put(address.toString(), target) != null) {
        throw new IllegalArgumentException(
            "--url is given twice: " + address + "; expected each address once");
      }
    }
    return new InTurn(targets);
  }

  private int exitCode(Counts counts, PrintStream out) {
    if (!counts.balance()) {
      return DOES_NOT_BALANCE;
    }
    long lost = counts.failed() + counts.dropped();
    if (100 * lost > mostFailed * counts.due()) {
      out.printf(
          "%d of %d calls failed or were not sent, expected at most %d %%%n",
          lost, counts.due(), mostFailed);
      return TOO_MANY_FAILED;
    }
    return 0;
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
    Duration growing = Duration.ofSeconds(require("--ramp", ramp, 0, Plan.MOST_SECONDS));
    if (model.rate != null) {
      return new Arrivals.Open(require("--rate", model.rate, 1, 50_000), growing);
    }
    if (model.users != null) {
      return new Arrivals.Closed(require("--users", model.users, 1, 20_000), growing);
    }
    throw wrong("expected --rate (open load) or --users (closed load)");
  }
}
