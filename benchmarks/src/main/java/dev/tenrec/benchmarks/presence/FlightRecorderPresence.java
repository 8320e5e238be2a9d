// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.presence;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * What a call takes longer because events for the JVM's flight recorder are built in, while the
 * recorder is there and off. Three copies of Tenrec are in one JVM, each with class loader and
 * compiled code of its own: two as they are, and one whose {@code Flight} has no recorder and no
 * check. They take turns of some milliseconds, in an order that is drawn anew each time, so that
 * what the machine does meanwhile meets all three alike. The difference between the two equal
 * copies is what this cannot see: how the compiler happened to lay out the code, which another JVM
 * does differently. So many JVMs are to be run:
 *
 * <pre>java -cp benchmarks.jar dev.tenrec.benchmarks.presence.FlightRecorderPresence 20</pre>
 *
 * <p>Prints for each JVM, and for all of them, the medians in nanoseconds a call.
 */
public final class FlightRecorderPresence {

  private static final int TURNS = 250;
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final int CALLS = 1_000;

  /** {@code Flight} as it would be if there were no recorder to think of. */
  private static final String WITHOUT =
      """
      package dev.tenrec.core.internal.flight;
      public final class Flight {
        public static boolean wantsCalls() { return false; }
        public static FlightCall begin() { return null; }
        public static void refused(String c, String r, String b, int u, int l) {}
        public static void timedOut(String c, long t, long e) {}
        public static void beyondDeadline(String c, long e) {}
        public static void stillBusy(String c, long n) {}
        public static void journalled(dev.tenrec.core.view.JournalEntry e) {}
        public static void sample(java.util.function.Supplier<?> p) {}
        public static void forget(java.util.function.Supplier<?> p) {}
      }
      """;

  private FlightRecorderPresence() {}

  /** How many JVMs; or {@code one}, to be one of them. */
  public static void main(String[] words) throws Exception {
    if (words[0].equals("one")) {
      measure();
      System.exit(0);
    }
    List<Double> builtIn = new ArrayList<>();
    List<Double> equal = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(words[0]); i++) {
      String line = fork();
      System.out.println(line);
      String[] figures = line.split(" ", -1);
      builtIn.add(Double.valueOf(figures[1]));
      equal.add(Double.valueOf(figures[2]));
    }
    System.out.println("built in, beside without: " + summary(builtIn));
    System.out.println("twice the same: " + summary(equal));
  }

  private static String fork() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FlightRecorderPresence.class.getName(),
                "one")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  private static void measure() throws Exception {
    Path without = Files.createTempDirectory("without-flight");
    compile(without);
    List<LongUnaryOperator> copies = new ArrayList<>();
    copies.add(copy(List.of()));
    copies.add(copy(List.of()));
    copies.add(copy(List.of(without.toUri().toURL())));
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
    Random random = new Random();
    Collections.shuffle(order, random);
    for (int each : order) {
      nanosPerCall(copies.get(each), WARM_UP_NANOS);
    }
    double[][] nanos = new double[3][TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      Collections.shuffle(order, random);
      for (int each : order) {
        nanos[each][turn] = nanosPerCall(copies.get(each), TURN_NANOS);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%.2f %.2f %.2f%n",
        median(nanos[2]),
        // by both equal copies, so that the layout of neither counts alone
        (difference(nanos[0], nanos[2]) + difference(nanos[1], nanos[2])) / 2,
        difference(nanos[0], nanos[1]));
  }

  private static void compile(Path into) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Flight.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return WITHOUT;
          }
        };
    boolean done =
        compiler
            .getTask(
                null,
                null,
                null,
                List.of("-d", into.toString(), "-cp", System.getProperty("java.class.path")),
                null,
                List.of(source))
            .call();
    if (!done) {
      throw new IllegalStateException("Flight cannot be replaced: it has other methods by now");
    }
  }

  /** Of Tenrec, with these classes in the place of its own. */
  private static LongUnaryOperator copy(List<URL> first) throws Exception {
    List<URL> urls = new ArrayList<>(first);
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    ClassLoader own =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    return (LongUnaryOperator) own.loadClass(Calls.class.getName()).getConstructor().newInstance();
  }

  private static double nanosPerCall(LongUnaryOperator calls, long forNanos) {
    long begin = System.nanoTime();
    long made = 0;
    long now = begin;
    while (now - begin < forNanos) {
      if (calls.applyAsLong(CALLS) == 0) {
        throw new IllegalStateException("no answers");
      }
      made += CALLS;
      now = System.nanoTime();
    }
    return (double) (now - begin) / made;
  }

  private static double difference(double[] one, double[] other) {
    double[] differences = new double[one.length];
    for (int i = 0; i < one.length; i++) {
      differences[i] = one[i] - other[i];
    }
    return median(differences);
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The median, and where it lies in 95 of 100 samples drawn of these with replacement. */
  private static String summary(List<Double> figures) {
    Random random = new Random(1);
    double[] medians = new double[10_000];
    for (int i = 0; i < medians.length; i++) {
      double[] drawn = new double[figures.size()];
      for (int j = 0; j < drawn.length; j++) {
        drawn[j] = figures.get(random.nextInt(figures.size()));
      }
      medians[i] = median(drawn);
    }
    Arrays.sort(medians);
    return String.format(
        Locale.ROOT,
        "%+.2f ns a call (95 %%: %+.2f to %+.2f; %d JVMs)",
        median(figures.stream().mapToDouble(each -> each).toArray()),
        medians[medians.length / 40],
        medians[medians.length - 1 - medians.length / 40],
        figures.size());
  }
}
