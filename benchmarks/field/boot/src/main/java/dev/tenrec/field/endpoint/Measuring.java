// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All runs, one after the other, until they are done or somebody asks for the end. Used once. */
final class Measuring implements AutoCloseable {

  /** Of what the unguarded endpoint can do: where it is still in good health. */
  private static final double HEALTHY_SHARE = 0.7;

  private static final List<Configuration> BY_ANNOTATION =
      List.of(Configuration.A, Configuration.B, Configuration.C, Configuration.D);

  private final Form form;
  private final int port;
  private final Stop stop;
  private final Progress progress;
  private final Consumer<Run> ended;
  private final Path file;
  private final Measured measured;
  private @Nullable Bench bench;

  /**
   * One that has not begun.
   *
   * @param port of the application, or 0 for free ones
   * @param measured where runs are kept as they end
   * @param ended gets each run as it ends
   */
  Measuring(
      Form form, int port, Stop stop, Progress progress, Measured measured, Consumer<Run> ended)
      throws IOException {
    this.form = form;
    this.port = port;
    this.stop = stop;
    this.progress = progress;
    this.measured = measured;
    this.ended = ended;
    this.file = Files.createTempDirectory("endpoint").resolve("tenrec.properties");
  }

  /** Runs them all. */
  void run() throws Exception {
    unguarded();
    for (Configuration configuration : BY_ANNOTATION) {
      restart(List.of(), configuration);
      guarded(configuration);
    }
    Sizing sizing = measured.sizing().orElse(null);
    if (sizing != null) {
      restart(Settings.atStart(sizing), Configuration.SIZED);
      if (!form.restarts() && !stop.asked()) {
        running().set(Settings.whileRunning(sizing, Configuration.SIZED));
      }
      guarded(Configuration.SIZED);
      open(Configuration.SIZED);
      restart(List.of(), Configuration.A);
      live(sizing);
    }
  }

  private void unguarded() throws Exception {
    start(List.of(), Configuration.UNGUARDED);
    for (int users : form.users()) {
      closed(Configuration.UNGUARDED, users);
    }
    open(Configuration.UNGUARDED);
    if (!stop.asked()) {
      measured
          .open(Configuration.UNGUARDED)
          .ifPresent(run -> measured.sizing(Settings.sizing(run.result())));
    }
  }

  private void guarded(Configuration configuration) throws Exception {
    if (!stop.asked()) {
      running().warmUp(configuration, users(), form.warmUpRequests() / 4, form.forgotten());
    }
    closed(configuration, users());
  }

  private void closed(Configuration configuration, int users) throws Exception {
    run(configuration, new Arrivals.Closed(users), form.run());
  }

  private void open(Configuration configuration) throws Exception {
    Run most = measured.closed(Configuration.UNGUARDED, users()).orElse(null);
    if (most != null) {
      int perSecond = (int) Math.max(1, most.result().perSecond() * HEALTHY_SHARE);
      run(configuration, new Arrivals.Open(perSecond), form.openRun());
    }
  }

  private void run(Configuration configuration, Arrivals arrivals, Duration longest)
      throws Exception {
    if (stop.asked()) {
      return;
    }
    progress.show(configuration.title() + ", " + arrivals.label());
    Run run = running().run(configuration, arrivals, longest, progress);
    progress.end();
    measured.add(run);
    ended.accept(run);
  }

  private void live(Sizing sizing) throws Exception {
    if (stop.asked()) {
      return;
    }
    running().warmUp(Configuration.A, users(), form.warmUpRequests() / 4, form.forgotten());
    progress.show("live change");
    measured.live(new LiveChange(running(), file, sizing, form.phase(), stop).run(users()));
    progress.end();
  }

  private void restart(List<String> properties, Configuration next) throws Exception {
    if (form.restarts() && !stop.asked()) {
      start(properties, next);
    }
  }

  /** In the place of the application there was. */
  private void start(List<String> properties, Configuration next) throws Exception {
    end();
    progress.show("starting, for " + next.title());
    List<String> all = new ArrayList<>(properties);
    all.add("--tenrec.properties-file=optional:" + file);
    Bench started = Bench.start(port, all, stop);
    bench = started;
    if (!stop.asked()) {
      started.warmUp(Configuration.UNGUARDED, users(), form.warmUpRequests(), Duration.ZERO);
    }
  }

  private Bench running() {
    Bench running = bench;
    if (running == null) {
      throw new IllegalStateException("nothing was started");
    }
    return running;
  }

  private int users() {
    return form.users().get(0);
  }

  private void end() {
    Bench running = bench;
    bench = null;
    if (running != null) {
      running.close();
    }
  }

  /** Nobody is left who watches the file. */
  @Override
  public void close() throws IOException {
    end();
    Files.deleteIfExists(file);
    Files.deleteIfExists(file.resolveSibling("next.properties"));
    Files.deleteIfExists(file.getParent());
  }
}
