// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import dev.tenrec.fleet.DryRun;
import dev.tenrec.fleet.FleetDraft;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.FleetState;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line {@code tenrec}: looks at a fleet's settings, and changes them. */
@Command(
    name = "tenrec",
    mixinStandardHelpOptions = true,
    version = "tenrec 0.1",
    description = "Looks at the settings of a fleet, and changes them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed",
      "2:wrong arguments",
      "3:refused: a setting breaks a rule, or the change makes no sense",
      "4:refused: another change came first",
      "5:refused: the settings are frozen",
      "6:refused: not authenticated, or not allowed",
      "7:the store, or the page, is not reached; whether a change was written is found out by its"
          + " --id",
      "8:not all instances go by the version yet",
      "9:refused: a zone beats what is promoted",
      "10:refused: a document would be too large"
    })
public final class TenrecTool {

  @Mixin Connection connection = new Connection();

  @Spec CommandSpec spec = CommandSpec.create();

  private final @Nullable String password;
  private final @Nullable String consoleToken;

  TenrecTool(@Nullable String password, @Nullable String consoleToken) {
    this.password = password;
    this.consoleToken = consoleToken;
  }

  /** Runs it, and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(
        commandLine(System.getenv("TENREC_PASSWORD"), System.getenv("TENREC_CONSOLE_TOKEN"))
            .execute(args));
  }

  static CommandLine commandLine(@Nullable String password, @Nullable String consoleToken) {
    CommandLine line = new CommandLine(new TenrecTool(password, consoleToken));
    line.registerConverter(Duration.class, new Durations());
    line.registerConverter(FleetLayer.class, FleetLayer::parse);
    line.setExecutionExceptionHandler(
        (thrown, failed, parsed) -> {
          String words = Objects.requireNonNullElse(thrown.getMessage(), thrown.toString());
          failed.getErr().println(words);
          return ExitCode.of(thrown);
        });
    return line;
  }

  private int use(Connection.Use use) {
    PrintWriter out = spec.commandLine().getOut();
    int code = connection.use(out, password, use);
    out.flush();
    return code;
  }

  /** Spans as {@code 90s}, {@code 10m}, {@code 2h}, {@code 250ms}. */
  static final class Durations implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      try {
        return lower.endsWith("ms")
            ? Duration.ofMillis(Long.parseLong(lower.substring(0, lower.length() - 2)))
            : Duration.parse("PT" + lower);
      } catch (RuntimeException bad) {
        throw new CommandLine.TypeConversionException(
            "'" + text + "' is no span: expected 250ms, 90s, 10m or 2h");
      }
    }
  }

  /** Why, and what else every change has. */
  static final class Writing {

    @Option(names = "--reason", required = true, description = "why; it is kept in the history")
    String reason = "";

    @Option(
        names = "--wait",
        description = "waits so long for all instances to go by it, and prints how far it has come")
    @Nullable Duration patience;

    @Option(names = "--id", description = "names the change: given twice, it is written once")
    @Nullable String id;

    @Option(names = "--expect", description = "refused unless the settings have this version")
    @Nullable Long expected;

    FleetOperator of(FleetOperator operator) {
      return named(operator, id, expected);
    }
  }

  private static FleetOperator named(
      FleetOperator operator, @Nullable String id, @Nullable Long expected) {
    FleetOperator named = id == null ? operator : operator.withId(id);
    return expected == null ? named : named.expecting(expected);
  }

  /** What a change sets. */
  static final class Editing {

    @Parameters(paramLabel = "key=value", description = "what to set")
    Map<String, String> settings = Map.of();

    @Option(names = "--clear", paramLabel = "key", description = "what to take out")
    List<String> cleared = new ArrayList<>();

    @Option(names = "--for", description = "ends by itself after so long, as 10m")
    @Nullable Duration limit;

    @Option(names = "--force", description = "writes it also if rules of this version object")
    boolean force;

    @Option(
        names = "--anew",
        description =
            "writes it also if the layer's document is missing, older or damaged: with what is"
                + " given here, and nothing else; what it had is lost")
    boolean anew;

    void into(FleetDraft draft, FleetLayer layer) {
      if (settings.isEmpty() && cleared.isEmpty()) {
        throw new IllegalArgumentException("nothing to do: give key=value, or --clear key");
      }
      Duration time = limit;
      settings.forEach(
          (key, value) -> {
            if (time == null) {
              draft.set(layer, key, value);
            } else {
              draft.setFor(layer, key, value, time);
            }
          });
      cleared.forEach(key -> draft.clear(layer, key));
      if (force) {
        draft.unchecked();
      }
      if (anew) {
        draft.anew();
      }
    }
  }

  private int written(Printer printer, FleetOperator operator, Change change, Writing writing) {
    if (!printer.json(change)) {
      printer.change(change);
    }
    return writing.patience == null
        ? ExitCode.DONE
        : waited(printer, operator.rollout(change.version(), writing.patience));
  }

  private static int waited(Printer printer, Rollout rollout) {
    if (!printer.json(rollout)) {
      printer.rollout(rollout);
    }
    return rollout.isComplete() ? ExitCode.DONE : ExitCode.INCOMPLETE;
  }

  @Command(description = "Prints the settings: of all layers, or of one.")
  int get(@Parameters(arity = "0..1", paramLabel = "layer") @Nullable FleetLayer layer) {
    return use(
        (operator, printer) -> {
          FleetState state = operator.state();
          List<String> misfits = misfits(state);
          if (layer != null && misfits.contains(layer.toString())) {
            throw new IllegalStateException(misfit(layer.toString(), state));
          }
          if (printer.json(layer == null ? state : state.of(layer))) {
            warn(state, misfits);
            return ExitCode.DONE;
          }
          String frozen = state.manifest().frozen();
          printer.line(
              "version "
                  + state.manifest().version()
                  + (frozen == null ? "" : ", FROZEN: " + frozen));
          state
              .documents()
              .forEach(
                  (each, document) -> {
                    if (layer == null || layer.equals(each)) {
                      printer.document(each, document);
                    }
                  });
          if (layer == null) {
            misfits.forEach(each -> printer.line("MISFIT: " + misfit(each, state)));
          }
          return ExitCode.DONE;
        });
  }

  /** The layers that the manifest names and whose documents were left out. */
  private static List<String> misfits(FleetState state) {
    return state.manifest().layers().keySet().stream()
        .filter(named -> !state.documents().containsKey(FleetLayer.parse(named)))
        .sorted()
        .toList();
  }

  private void warn(FleetState state, List<String> misfits) {
    PrintWriter err = spec.commandLine().getErr();
    misfits.forEach(each -> err.println(misfit(each, state)));
    err.flush();
  }

  private static String misfit(String layer, FleetState state) {
    return "the document "
        + layer
        + " is missing, older or damaged: the manifest names its version "
        + state.manifest().layers().get(layer)
        + "; instances that read it take no change until it is mended";
  }

  @Command(
      description =
          "Changes one layer: fleet, zone/<name>, instance/<id>, or the running canary's.")
  int set(
      @Parameters(index = "0", paramLabel = "layer") FleetLayer layer,
      @Mixin Editing editing,
      @Mixin Writing writing) {
    return use(
        (operator, printer) -> {
          FleetDraft draft = writing.of(operator).change(writing.reason);
          editing.into(draft, layer);
          return written(printer, operator, draft.write(), writing);
        });
  }

  @Command(name = "dry-run", description = "What a change would do; writes nothing.")
  int dryRun(
      @Parameters(index = "0", paramLabel = "layer") FleetLayer layer, @Mixin Editing editing) {
    return use(
        (operator, printer) -> {
          FleetDraft draft = operator.change("dry run");
          editing.into(draft, layer);
          return would(draft, printer);
        });
  }

  /** Which instances, until when, and what makes them leave. */
  static final class Trying {

    @Option(names = "--members", split = ",", description = "instances by their ids")
    List<String> members = List.of();

    @Option(names = "--share", description = "besides these, so many per cent of all instances")
    int share;

    @Option(
        names = "--lasts",
        required = true,
        description = "until its members leave it by themselves, as 30m")
    Duration lasts = Duration.ZERO;

    @ArgGroup(exclusive = false)
    @Nullable Limits limits;
  }

  /** A canary's guard. */
  static final class Limits {

    @Option(names = "--guard-errors", description = "a member leaves at more errors, in per cent")
    @Nullable Integer errors;

    @Option(names = "--guard-refused", description = "at more refused calls, in per cent")
    @Nullable Integer refused;

    @Option(names = "--guard-p99", description = "at a longer 99th percentile, as 300ms")
    @Nullable Duration p99;

    @Option(names = "--guard-command", description = "of this command only")
    @Nullable String command;

    @Option(
        names = "--guard-calls",
        defaultValue = "100",
        description = "with so many calls at least. Default: ${DEFAULT-VALUE}")
    long calls;

    /** As many as there can be of a time that is longer. */
    private static @Nullable Long millis(@Nullable Duration time) {
      return time == null ? null : TimeUnit.MILLISECONDS.convert(time);
    }

    CanaryGuard guard() {
      return new CanaryGuard(command, calls, errors, refused, millis(p99));
    }
  }

  @Command(
      description = "Tries settings out on some instances, until promote, rollback or the end.")
  int canary(@Mixin Editing editing, @Mixin Trying trying, @Mixin Writing writing) {
    return use(
        (operator, printer) -> {
          FleetDraft draft = writing.of(operator).change(writing.reason);
          editing.into(draft, FleetLayer.CANARY);
          draft.canary(trying.members, trying.share, trying.lasts);
          if (trying.limits != null) {
            draft.guard(trying.limits.guard());
          }
          return written(printer, operator, draft.write(), writing);
        });
  }

  /** What is done with advice besides printing it. */
  static final class Taking {

    @Option(names = "--reason", required = true, description = "why it is tried as a canary")
    String reason = "";

    @Option(
        names = "--lasts",
        required = true,
        description = "until its members leave it by themselves, as 30m")
    Duration lasts = Duration.ZERO;

    @Option(names = "--members", split = ",", description = "instances by their ids")
    List<String> members = List.of();

    @Option(names = "--share", description = "besides these, so many per cent of all instances")
    int share;

    @ArgGroup(exclusive = false)
    @Nullable Limits limits;

    @Option(names = "--id", description = "names the change: given twice, it is written once")
    @Nullable String id;

    @Option(names = "--expect", description = "refused unless the settings have this version")
    @Nullable Long expected;

    FleetOperator of(FleetOperator operator) {
      return named(operator, id, expected);
    }
  }

  @Command(
      description = {
        "What the adviser says of a command, asked of one instance's page; it watches from the"
            + " first time that it is asked.",
        "With --lasts and --reason the advice is tried as a canary; with --dry-run it is only said"
            + " what that would do."
      })
  int advise(
      @Parameters(paramLabel = "command") String key,
      @Option(
              names = "--console",
              required = true,
              description =
                  "the page of an instance, as http://shop-7:7980/tenrec/; its token is"
                      + " TENREC_CONSOLE_TOKEN")
          URI page,
      @Option(names = "--watch", description = "how long to watch before it is said, as 60s")
          @Nullable Duration watch,
      @Option(names = "--dry-run", description = "prints what the advice would do as well")
          boolean dryRun,
      @ArgGroup(exclusive = false) @Nullable Taking taking) {
    ConsoleClient client = new ConsoleClient(page, consoleToken, connection.patience);
    ConsoleClient.Advised advised = client.advice(key);
    if (watch != null) {
      pause(watch);
      advised = client.advice(key);
    }
    ConsoleClient.Advised said = advised;
    PrintWriter out = spec.commandLine().getOut();
    Printer printer = new Printer(out, connection.json);
    if (!printer.json(said)) {
      printer.advice(said, connection.prefix);
    }
    out.flush();
    Map<String, String> properties = said.properties(connection.prefix);
    if (properties.isEmpty() || (taking == null && !dryRun)) {
      return ExitCode.DONE;
    }
    return use((operator, to) -> take(operator, to, properties, taking, dryRun));
  }

  private static int take(
      FleetOperator operator,
      Printer printer,
      Map<String, String> properties,
      @Nullable Taking taking,
      boolean dryRun) {
    if (taking == null) {
      FleetDraft draft = operator.change("dry run");
      properties.forEach((name, value) -> draft.set(FleetLayer.FLEET, name, value));
      return would(draft, printer);
    }
    FleetDraft draft = taking.of(operator).change(taking.reason);
    properties.forEach((name, value) -> draft.set(FleetLayer.CANARY, name, value));
    draft.canary(taking.members, taking.share, taking.lasts);
    if (taking.limits != null) {
      draft.guard(taking.limits.guard());
    }
    if (dryRun) {
      return would(draft, printer);
    }
    Change change = draft.write();
    if (!printer.json(change)) {
      printer.change(change);
    }
    return ExitCode.DONE;
  }

  private static int would(FleetDraft draft, Printer printer) {
    DryRun dryRun = draft.dryRun();
    if (!printer.json(dryRun)) {
      printer.dryRun(dryRun);
    }
    return dryRun.refused().isEmpty() ? ExitCode.DONE : ExitCode.INVALID;
  }

  private static void pause(Duration time) {
    Ticker ticker = Ticker.system();
    Waiter waiter = Waiter.system();
    long endNanos = ticker.nanoTime() + TimeUnit.NANOSECONDS.convert(time);
    while (ticker.nanoTime() - endNanos < 0 && !Thread.currentThread().isInterrupted()) {
      waiter.awaitUntil(endNanos);
    }
  }

  @Command(description = "Makes the canary's settings the fleet's, and ends it.")
  int promote(@Mixin Writing writing) {
    return use(
        (operator, printer) ->
            written(printer, operator, writing.of(operator).promote(writing.reason), writing));
  }

  @Command(description = "Ends the canary, and takes its settings back.")
  int rollback(@Mixin Writing writing) {
    return use(
        (operator, printer) ->
            written(printer, operator, writing.of(operator).rollBack(writing.reason), writing));
  }

  @Command(description = "Takes one version's changes back, as a new version.")
  int undo(@Parameters(paramLabel = "version") long version, @Mixin Writing writing) {
    return use(
        (operator, printer) ->
            written(
                printer, operator, writing.of(operator).undo(version, writing.reason), writing));
  }

  @Command(description = "Has every change refused until thaw.")
  int freeze(@Mixin Writing writing) {
    return use(
        (operator, printer) ->
            written(printer, operator, writing.of(operator).freeze(writing.reason), writing));
  }

  @Command(description = "Ends freeze.")
  int thaw(@Mixin Writing writing) {
    return use(
        (operator, printer) ->
            written(printer, operator, writing.of(operator).thaw(writing.reason), writing));
  }

  @Command(description = "The last changes: when, who, why and what.")
  int history(
      @Option(names = "-n", defaultValue = "20", description = "how many; ${DEFAULT-VALUE}")
          int most) {
    return use(
        (operator, printer) -> {
          List<Change> changes = operator.history(most);
          if (!printer.json(changes)) {
            changes.forEach(printer::change);
          }
          return ExitCode.DONE;
        });
  }

  @Command(description = "What the versions after one have changed, until another or the last.")
  int diff(
      @Parameters(index = "0", paramLabel = "after") long after,
      @Parameters(index = "1", arity = "0..1", paramLabel = "until") @Nullable Long until) {
    return use(
        (operator, printer) -> {
          List<Change> changes =
              operator.history(1_000).stream()
                  .filter(
                      change ->
                          change.version() > after && (until == null || change.version() <= until))
                  .toList();
          if (!printer.json(changes)) {
            changes.forEach(printer::change);
          }
          return ExitCode.DONE;
        });
  }

  @Command(description = "What each instance goes by, refuses and masks.")
  int members() {
    return use(
        (operator, printer) -> {
          List<MemberReport> members = operator.members();
          if (!printer.json(members)) {
            members.forEach(printer::member);
          }
          return ExitCode.DONE;
        });
  }

  @Command(description = "Waits until all instances go by the last version, or by a given one.")
  int watch(
      @Parameters(arity = "0..1", paramLabel = "version") @Nullable Long version,
      @Option(names = "--wait", defaultValue = "30s", description = "Default: ${DEFAULT-VALUE}")
          Duration patience) {
    return use(
        (operator, printer) ->
            waited(
                printer,
                operator.rollout(
                    version == null ? operator.state().manifest().version() : version, patience)));
  }

  @Command(description = "Which layer gives a command, pool, semaphore or collapser what.")
  int explain(@Parameters(paramLabel = "key") String key) {
    return use(
        (operator, printer) -> {
          FleetState state = operator.state();
          List<Explanation> lines = Explanation.of(state, operator.members(), key);
          if (!printer.json(lines)) {
            lines.forEach(line -> printer.line(line.words()));
          }
          warn(state, misfits(state));
          return ExitCode.DONE;
        });
  }
}
