// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of this class path in JVMs of their own. */
public final class ChildJvm {

  private ChildJvm() {}

  /**
   * Starts one, which should end with its standard input. Its errors go where this program's go.
   *
   * @param heapMegabytes the size of its heap
   * @param main the class whose {@code main} it runs
   */
  public static Process start(int heapMegabytes, Class<?> main, List<String> arguments)
      throws IOException {
    return command(heapMegabytes, List.of(), main, arguments)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /**
   * One that is not started, whose errors are to be read.
   *
   * @param options more of them for the JVM, as they stand on its command line
   */
  static ProcessBuilder command(
      int heapMegabytes, List<String> options, Class<?> main, List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("-Xmx" + heapMegabytes + "m");
    line.add("-Xms" + heapMegabytes + "m");
    // a JVM whose heap is full would limp on, with some of its threads dead
    line.add("-XX:+ExitOnOutOfMemoryError");
    line.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    line.addAll(options);
    line.add("-cp");
    line.add(System.getProperty("java.class.path"));
    line.add(main.getName());
    line.addAll(arguments);
    return new ProcessBuilder(line);
  }
}
