// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs jobs, each as JVMs of its own, and keeps what they wrote. A job runs in rounds of one fork
 * of each of its benchmarks, so that forks of one alternate with those of another. A round that was
 * interrupted leaves nothing behind; those before it stay. Where figures are kept, a round of all
 * methods of a class serves a job that wants some of them.
 */
final class Measuring {

  private final Arguments arguments;
  private final Path directory;
  private final PrintStream progress;

  Measuring(Arguments arguments, Path directory, PrintStream progress) {
    this.arguments = arguments;
    this.directory = directory;
    this.progress = progress;
  }

  /** Measures what is missing, and answers with the files of all. */
  List<Kept> run(List<Job> jobs) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    if (!usesKept()) {
      for (Kept old : files(jobs)) {
        Files.delete(old.file());
      }
    }
    if (!arguments.reportOnly()) {
      for (Job job : jobs) {
        run(job);
      }
    }
    return files(jobs);
  }

  private void run(Job job) throws IOException, InterruptedException {
    int rounds = job.isFootprint() ? 1 : arguments.forks(job);
    for (int round = 1; round <= rounds; round++) {
      if (found(job, round).isPresent()) {
        continue;
      }
      progress.printf("%s, round %d of %d%n", job.title(), round, rounds);
      Path unfinished = directory.resolve(job.name() + ".unfinished");
      execute(job.isFootprint() ? footprint(unfinished) : jmh(job, unfinished), job);
      Files.move(unfinished, file(job, round), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path file(Job job, int round) {
    return directory.resolve(job.name() + ".round" + round + ".json");
  }

  private boolean usesKept() {
    return arguments.keep() || arguments.reportOnly();
  }

  /** The job's own file of this round, or one that serves as well. */
  private Optional<Path> found(Job job, int round) {
    Optional<Job> whole = usesKept() ? job.whole(arguments.form()) : Optional.empty();
    return Stream.concat(Stream.of(job), whole.stream())
        .map(each -> file(each, round))
        .filter(Files::exists)
        .findFirst();
  }

  private List<Kept> files(List<Job> jobs) {
    return jobs.stream().flatMap(this::files).toList();
  }

  private Stream<Kept> files(Job job) {
    // earlier runs may have had more rounds
    return IntStream.rangeClosed(1, 100)
        .mapToObj(round -> found(job, round))
        .flatMap(Optional::stream)
        .map(file -> new Kept(file, job));
  }

  private List<String> jmh(Job job, Path result) {
    List<String> command = new ArrayList<>(List.of(java(), "-jar", arguments.jar().toString()));
    command.addAll(job.jmhArguments(arguments.form(), result.toString()));
    return command;
  }

  private List<String> footprint(Path result) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmx1g"));
    command.addAll(List.of("-cp", arguments.jar().toString(), "dev.tenrec.benchmarks.Footprint"));
    command.add(result.toString());
    command.add(arguments.form().equals(Form.FULL) ? "all" : "tenrec");
    return command;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private void execute(List<String> command, Job job) throws IOException, InterruptedException {
    Path log = directory.resolve(job.name() + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int exit = process.waitFor();
    if (exit != 0) {
      List<String> lines = Files.readAllLines(log);
      lines.subList(Math.max(0, lines.size() - 30), lines.size()).forEach(progress::println);
      throw new IllegalStateException(
          job.name() + " failed with exit code " + exit + "; all it said is in " + log);
    }
  }
}
