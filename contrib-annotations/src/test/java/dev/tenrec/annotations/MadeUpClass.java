// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The source of a class with one command that is made up: its signature, its attributes, those of
 * its class, what of it is kept for a request and taken away again, and the methods that may be its
 * fallbacks. Some make sense.
 */
final class MadeUpClass extends MadeUp {

  static final String COMMAND = "ask";

  /** A method that takes what is kept of the command away. */
  static final String REMOVAL = "forget";

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

  private static final List<String> ISOLATIONS =
      List.of(
          "{}",
          "IsolationStrategy.SEMAPHORE",
          "IsolationStrategy.THREAD",
          "{IsolationStrategy.THREAD, IsolationStrategy.SEMAPHORE}");

  private final List<String> parameters = new ArrayList<>();
  private final List<String> answer;

  private boolean hasFallback;

  /** Whether a fallback is for other exceptions only. */
  private boolean declines;

  private boolean sharesBudget;

  private boolean keeps;

  /** The name of the method that makes its keys; empty if none is named. */
  private String keyMethod = "";

  /** Whether the method that makes its keys says that there is none. */
  private boolean keepsNone;

  private boolean removes;

  MadeUpClass(long seed, int number) {
    super(seed, "Made" + number);
    for (int i = random.nextInt(4); i > 0; i--) {
      parameters.add(any(PARAMETERS));
    }
    answer = any(ANSWERS);
  }

  /** Whether its failure has to be answered by a fallback, once it is accepted. */
  boolean hasFallback() {
    return hasFallback && !declines;
  }

  /** Whether it shares a budget of further attempts, once it is accepted. */
  boolean sharesBudget() {
    return sharesBudget;
  }

  /** Whether calls of one request are answered by one run, once it is accepted. */
  boolean sharesRuns() {
    return keeps && !keepsNone;
  }

  /** Whether the class has a {@link #REMOVAL} of what this command keeps, once it is accepted. */
  boolean removes() {
    return removes;
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

  @Override
  String source() {
    String attributes = attributes();
    StringBuilder source =
        new StringBuilder()
            .append(IMPORTS)
            .append(one(4) ? "@CommandDefaults(" + defaults() + ")\n" : "")
            .append("public " + (one(30) ? "final " : "") + "class " + simpleName + " {\n");
    String kept = kept();
    String signature = signature();
    source
        .append("  @Command(" + attributes + ")\n" + kept)
        .append("  " + any(MODIFIERS) + " " + answer.get(0) + " " + COMMAND)
        .append(signature + (one(4) ? " throws Exception" : "") + " {\n");
    source.append("    boolean fail = Boolean.getBoolean(\"" + FAILS + "\");\n");
    source.append("    if (fail) throw new IllegalStateException(\"" + FAILURE + "\");\n");
    source.append("    " + returned(answer, "answer") + "\n  }\n");
    for (int i = random.nextInt(3); i > 0 || one(3) && i == 0; i--) {
      source.append(fallback(i));
    }
    if (keeps && one(2) || one(12)) {
      boolean known = !one(6);
      source.append("  @CacheRemove(commandKey = " + literal(known ? COMMAND : any(TEXTS)));
      source.append(keyMethod.isEmpty() ? "" : ", cacheKeyMethod = " + literal(keyMethod));
      source.append(")\n  public void " + REMOVAL + signature + " {}\n");
      removes = known && keeps;
    }
    return source.append("}\n").toString();
  }

  /** The annotation that has results kept, after the method that makes their keys; or nothing. */
  private String kept() {
    keeps = one(4);
    if (!keeps || !one(3)) {
      return keeps ? "  @CacheResult\n" : "";
    }
    keyMethod = one(4) ? any(TEXTS) : "keyOf";
    keepsNone = one(3);
    List<String> theirs = new ArrayList<>(parameters);
    if (one(6)) {
      theirs.add(any(PARAMETERS));
    }
    return "  Object keyOf"
        + declared(theirs)
        + " {\n    return "
        + (keepsNone ? "null" : "\"key\"")
        + ";\n  }\n  @CacheResult(cacheKeyMethod = "
        + literal(keyMethod)
        + ")\n";
  }

  /** The parameters, some of which may be marked as belonging to the key. */
  private String signature() {
    String signature = declared(parameters);
    if (!parameters.isEmpty() && one(keeps ? 3 : 20)) {
      String mark = one(6) ? "@CacheKey(" + literal(any(TEXTS)) + ") " : "@CacheKey ";
      return "(" + mark + signature.substring(1);
    }
    return signature;
  }

  /** What is said once for a class. */
  private String defaults() {
    List<String> defaults = new ArrayList<>();
    if (one(3)) {
      defaults.add("groupKey = " + literal(any(TEXTS)));
    }
    if (one(4)) {
      defaults.add("threadPoolKey = " + literal(any(TEXTS)));
    }
    if (one(3)) {
      defaults.add("defaultFallback = " + literal(one(3) ? any(TEXTS) : "instead"));
    }
    if (one(3)) {
      defaults.add("timeout = " + literal(time()));
    }
    if (one(3)) {
      defaults.add("isolation = " + any(ISOLATIONS));
    }
    if (one(4)) {
      defaults.add(property());
    }
    return String.join(", ", defaults);
  }

  private String time() {
    return any(one(3) ? TIMES : TIMES.subList(0, 5)); // one that is taken
  }

  private String property() {
    return any(List.of("commandProperties", "threadPoolProperties"))
        + " = @CommandProperty(name = "
        + literal(any(PROPERTIES))
        + ", value = "
        + literal(any(VALUES))
        + ")";
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
    List<String> given = one(10) ? any(ANSWERS) : answer;
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
      attributes.add("timeout = " + literal(time()));
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
      attributes.add("isolation = " + any(ISOLATIONS));
    }
    if (one(5)) {
      attributes.add(property());
    }
    return String.join(", ", attributes);
  }
}
