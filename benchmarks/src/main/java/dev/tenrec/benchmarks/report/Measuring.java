// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs jobs, each as JVMs of its own, and keeps what they wrote. A job runs in rounds of one fork
 * of each of its benchmarks, so that forks of one alternate with those of another. A round that was
 * interrupted leaves nothing behind; those before it stay.
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
  List<Path> run(List<Job> jobs) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    if (!arguments.keep() && !arguments.reportOnly()) {
      for (Path old : files(jobs)) {
        Files.delete(old);
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
      Path file = file(job, round);
      if (Files.exists(file)) {
        continue;
      }
      progress.printf(
          "%s, %d thread%s, round %d of %d%n",
          job.type(), job.threads(), job.threads() == 1 ? "" : "s", round, rounds);
      Path unfinished = directory.resolve(job.name() + ".unfinished");
      execute(job.isFootprint() ? footprint(unfinished) : jmh(job, unfinished), job);
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path file(Job job, int round) {
    return directory.resolve(job.name() + ".round" + round + ".json");
  }

  private List<Path> files(List<Job> jobs) {
    return jobs.stream().flatMap(this::files).toList();
  }

  private Stream<Path> files(Job job) {
    // earlier runs may have had more rounds
    return IntStream.rangeClosed(1, 100).mapToObj(round -> file(job, round)).filter(Files::exists);
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
