// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The source of a class with one command that is made up: its signature, its attributes, and the
 * methods that may be its fallbacks. Some make sense.
 */
final class MadeUpClass {

  static final String PACKAGE = "made";
  static final String COMMAND = "ask";

  /** The system property that has commands fail: a static method has no field to look at. */
  static final String FAILS = PACKAGE + ".fails";

  /** What the command's body throws when it is to fail. */
  static final String FAILURE = "made up to fail";

  private static final List<String> PARAMETERS =
      List.of(
          "int",
          "long",
          "String",
          "Integer",
          "Object",
          "byte[]",
          "List<String>",
          "Map<String, Long>");

  /** Types with what they are made of a word. */
  private static final List<List<String>> ANSWERS =
      List.of(
          List.of("String", "%s"),
          List.of("Object", "%s"),
          List.of("int", "%s.length()"),
          List.of("Integer", "%s.length()"),
          List.of("List<String>", "List.of(%s)"),
          List.of("void", ""),
          List.of("CompletableFuture<String>", "CompletableFuture.completedFuture(%s)"),
          List.of("CompletionStage<String>", "CompletableFuture.completedFuture(%s)"),
          List.of("Future<String>", "CompletableFuture.completedFuture(%s)"),
          List.of("Single<String>", "Single.just(%s)"),
          List.of("Maybe<String>", "Maybe.just(%s)"),
          List.of("Completable", "Completable.complete()"),
          List.of("Flowable<String>", "Flowable.just(%s)"),
          List.of("Mono<String>", "Mono.just(%s)"),
          List.of("Flux<String>", "Flux.just(%s)"),
          List.of("Publisher<String>", "Flowable.just(%s)"),
          List.of("FutureTask<String>", "new FutureTask<>(() -> %s)"));

  private static final String CHECKED = "java.io.IOException";

  private static final List<String> CAUSES = List.of("Throwable", "RuntimeException", CHECKED);

  private static final List<String> MODIFIERS =
      List.of(
          "public",
          "public",
          "public",
          "public",
          "public",
          "",
          "protected",
          "private",
          "static",
          "final");

  /** Texts where a name or a key belongs. */
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "Key",
          "a.b",
          "{0}",
          "{",
          "{9}",
          "{x}",
          "Key {0}",
          "${missing}",
          "${",
          "#{1 + 1}",
          "#p0",
          "\n",
          "\u0000",
          "\uD83E\uDD94",
          "\uD83E",
          "k".repeat(300),
          "null",
          "-");

  /** None of them short enough to end a call. */
  private static final List<String> TIMES =
      List.of(
          "600s",
          "10m",
          "PT10M",
          "600000ms",
          "600000",
          "0",
          "-1s",
          "soon",
          "1e9s",
          "99999999999999999999s",
          " ",
          "${missing}");

  /** Of them one so short that attempts overtake each other. */
  private static final List<String> HEDGES =
      List.of(
          "1",
          "50ms",
          "PT0.05S",
          "24h",
          "p95",
          "p1",
          "p99",
          "p0",
          "p100",
          "P95",
          "95",
          "25h",
          "0",
          "-1ms",
          "none",
          " ",
          "${missing}");

  private static final List<String> PROPERTIES =
      List.of(
          "circuitBreaker.requestVolumeThreshold",
          "metrics.rollingStats.timeInMilliseconds",
          "execution.isolation.semaphore.maxConcurrentRequests",
          "retry.budgetPercent",
          "hedge.atMost",
          "coreSize",
          "maxQueueSize",
          "circuitBreaker.nothing",
          "",
          "{0}");

  private static final List<String> VALUES =
      List.of("100", "20000", "0", "-7", "many", "", "1e3", "${missing}");

  private final Random random;
  private final String name;
  private final List<String> parameters = new ArrayList<>();
  private final List<String> answer;

  private boolean hasFallback;

  /** Whether a fallback is for other exceptions only. */
  private boolean declines;

  private boolean sharesBudget;

  MadeUpClass(long seed, int number) {
    random = new Random(seed);
    name = "Made" + number;
    for (int i = random.nextInt(4); i > 0; i--) {
      parameters.add(any(PARAMETERS));
    }
    answer = any(ANSWERS);
  }

  String name() {
    return PACKAGE + "." + name;
  }

  /** Whether its failure has to be answered by a fallback, once it is accepted. */
  boolean hasFallback() {
    return hasFallback && !declines;
  }

  /** Whether it shares a budget of further attempts, once it is accepted. */
  boolean sharesBudget() {
    return sharesBudget;
  }

  /** What it answers when it does not fail, as a value or in what holds one; null for nothing. */
  @Nullable Object answer() {
    String type = answer.get(0);
    if (type.equals("void") || type.equals("Completable")) {
      return null;
    }
    boolean counts = type.equals("int") || type.equals("Integer");
    boolean holds = type.startsWith("List") || type.startsWith("Fl");
    return counts ? (Object) "answer".length() : holds ? List.of("answer") : "answer";
  }

  String source() {
    String attributes = attributes();
    StringBuilder source =
        new StringBuilder()
            .append("package " + PACKAGE + ";\n")
            .append("import java.util.*;\nimport java.util.concurrent.*;\n")
            .append("import io.reactivex.rxjava3.core.*;\nimport org.reactivestreams.Publisher;\n")
            .append("import reactor.core.publisher.*;\n")
            .append("import dev.tenrec.annotations.CommandProperty;\n")
            .append("import dev.tenrec.core.config.IsolationStrategy;\n")
            .append("public " + (one(30) ? "final " : "") + "class " + name + " {\n")
            .append("  @dev.tenrec.annotations.Command(" + attributes + ")\n")
            .append("  " + any(MODIFIERS) + " " + answer.get(0) + " " + COMMAND)
            .append(declared(parameters) + (one(4) ? " throws Exception" : "") + " {\n");
    source.append("    boolean fail = Boolean.getBoolean(\"" + FAILS + "\");\n");
    source.append("    if (fail) throw new IllegalStateException(\"" + FAILURE + "\");\n");
    source.append("    " + returned(answer, "answer") + "\n  }\n");
    for (int i = random.nextInt(3); i > 0 || one(3) && i == 0; i--) {
      source.append(fallback(i));
    }
    return source.append("}\n").toString();
  }

  /** One of the name that is mostly asked for; by their numbers no two take the same. */
  private String fallback(int number) {
    List<String> theirs = new ArrayList<>(parameters);
    if (one(6) && !theirs.isEmpty()) {
      theirs.remove(theirs.size() - 1);
    }
    if (one(8) && !theirs.isEmpty()) {
      theirs.set(random.nextInt(theirs.size()), any(PARAMETERS));
    }
    if (number > 0 || one(2)) {
      String cause = CAUSES.get(number);
      theirs.add(cause);
      declines |= cause.equals(CHECKED);
    }
    List<String> given = one(5) ? any(ANSWERS) : answer;
    return "  "
        + any(MODIFIERS)
        + " "
        + given.get(0)
        + " instead"
        + declared(theirs)
        + " {\n    "
        + returned(given, "instead")
        + "\n  }\n";
  }

  private static String declared(List<String> types) {
    return IntStream.range(0, types.size())
        .mapToObj(i -> types.get(i) + " p" + i)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String returned(List<String> type, String word) {
    return type.get(0).equals("void")
        ? "return;"
        : "return " + type.get(1).formatted("\"" + word + "\"") + ";";
  }

  private String attributes() {
    List<String> attributes = new ArrayList<>();
    if (one(6)) {
      attributes.add("commandKey = " + literal(any(TEXTS)));
    }
    if (one(8)) {
      attributes.add("groupKey = " + literal(any(TEXTS)));
    }
    if (one(8)) {
      attributes.add("threadPoolKey = " + literal(any(TEXTS)));
    }
    if (!one(3)) {
      boolean known = !one(6);
      attributes.add(
          "fallbackMethod = " + literal(known ? "instead" : one(2) ? COMMAND : any(TEXTS)));
      hasFallback = known;
    } else if (one(4)) {
      attributes.add("defaultFallback = " + literal(one(2) ? "instead" : any(TEXTS)));
    }
    if (one(4)) {
      attributes.add("timeout = " + literal(any(TIMES)));
    }
    boolean repeats = false;
    if (one(6)) {
      attributes.add("attempts = " + (random.nextInt(4) - 1));
      repeats = true;
    }
    if (one(5)) {
      attributes.add("hedgeAfter = " + literal(any(HEDGES)));
      repeats = true;
    }
    if (one(repeats ? 3 : 20)) {
      attributes.add("hedges = " + (random.nextInt(4) - 1));
    }
    if (one(repeats ? 3 : 20)) {
      String name = one(2) ? "Warehouse" : any(TEXTS);
      attributes.add("sharedBudget = " + literal(name));
      sharesBudget = !name.isEmpty();
    }
    if (one(12)) {
      attributes.add("maxKeys = " + (random.nextInt(4) - 1));
    }
    if (one(4)) {
      attributes.add(
          "isolation = "
              + any(
                  List.of(
                      "{}",
                      "IsolationStrategy.SEMAPHORE",
                      "IsolationStrategy.THREAD",
                      "{IsolationStrategy.THREAD, IsolationStrategy.SEMAPHORE}")));
    }
    if (one(5)) {
      attributes.add(
          any(List.of("commandProperties", "threadPoolProperties"))
              + " = @CommandProperty(name = "
              + literal(any(PROPERTIES))
              + ", value = "
              + literal(any(VALUES))
              + ")");
    }
    return String.join(", ", attributes);
  }

  /** As Java's source has it: by octal escapes where one by code would end the line. */
  private static String literal(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < ' ') {
        literal.append(String.format("\\%03o", (int) c));
      } else if (c == '"' || c == '\\') {
        literal.append('\\').append(c);
      } else if (c > '~') {
        literal.append(String.format("\\u%04x", (int) c));
      } else {
        literal.append(c);
      }
    }
    return literal.append('"').toString();
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
