// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A JVM of its own whose commands have been called, with its stream. */
final class Instance implements AutoCloseable {

  private final Process process;

  /** What the JVM said of itself, before it says no more. */
  private final Map<String, Integer> figures = new HashMap<>();

  private Instance(Process process) {
    this.process = process;
  }

  /** Starts one, and waits until its calls have ended. */
  static Instance start(int calls) throws IOException {
    Instance instance =
        new Instance(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:TieredStopAtLevel=1",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Called.class.getName(),
                    String.valueOf(calls))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    try {
      instance.read();
      return instance;
    } catch (IOException | RuntimeException | Error e) {
      instance.close();
      throw e;
    }
  }

  private void read() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(Called.READY)) {
        return;
      }
      String[] figure = line.split("=", 2);
      figures.put(figure[0], Integer.parseInt(figure[1]));
    }
    throw new IOException("the instance ended before its calls did");
  }

  /** What the views there have counted, by command and event; and the port. */
  int figure(String name) {
    return figures.get(name);
  }

  /** Host and port of the stream. */
  String address() {
    return "localhost:" + figure(Called.PORT);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
