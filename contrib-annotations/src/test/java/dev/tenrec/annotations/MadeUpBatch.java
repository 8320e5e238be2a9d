// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.util.List;

/**
 * The source of a class with one method whose calls become batches: what it takes and returns, what
 * its batch method does, and the fallback of that batch.
 */
final class MadeUpBatch extends MadeUp {

  /** The method whose calls become batches. */
  static final String SINGLE = "ask";

  private static final List<String> ANSWERS =
      List.of(
          "String",
          "String",
          "Object",
          "CompletableFuture<String>",
          "CompletionStage<String>",
          "Future<String>",
          "Single<String>",
          "Maybe<String>",
          "Mono<String>",
          "Flux<String>",
          "Flowable<String>",
          "int",
          "void");

  /**
   * What a batch method may return, with what makes it of a list of the arguments; %1 is a word.
   */
  private static final List<List<String>> BATCHES =
      List.of(
          List.of("List<String>", "each(all, \"%s\")"),
          List.of("List<String>", "each(all, \"%s\")"),
          List.of("Map<P, String>", "byArgument(all, \"%s\")"),
          List.of("HashMap<P, String>", "byArgument(all, \"%s\")"),
          List.of(
              "CompletableFuture<Map<P, String>>",
              "CompletableFuture.completedFuture(byArgument(all, \"%s\"))"),
          List.of(
              "CompletionStage<Map<P, String>>",
              "CompletableFuture.completedFuture(byArgument(all, \"%s\"))"),
          List.of("Collection<String>", "each(all, \"%s\")"),
          List.of("Set<String>", "Set.of(\"%s\")"),
          List.of("String", "\"%s\""));

  private static final List<String> PROPERTIES =
      List.of(
          "timerDelayInMilliseconds",
          "timerDelayInMilliseconds",
          "maxRequestsInBatch",
          "requestCache.enabled",
          "coreSize",
          "",
          "{0}");

  private static final List<String> VALUES = List.of("1", "1", "5", "0", "-7", "many", "true", "");

  private boolean hasFallback;

  MadeUpBatch(long seed, int number) {
    super(seed, "Batch" + number);
  }

  /** Whether a failure of the batch is answered, once it is accepted. */
  boolean hasFallback() {
    return hasFallback;
  }

  @Override
  String source() {
    String parameter = any(PARAMETERS);
    String argument = boxed(one(10) ? any(PARAMETERS) : parameter);
    List<String> batch = any(one(4) ? BATCHES : BATCHES.subList(0, 6));
    boolean known = !one(8);
    StringBuilder source =
        new StringBuilder()
            .append(IMPORTS)
            .append("public class " + simpleName + " {\n")
            .append("  @Collapsed(batchMethod = " + literal(known ? "askAll" : any(TEXTS)))
            .append(one(2) ? ", scope = Collapsed.Scope.GLOBAL" : "")
            .append(one(3) ? ", properties = " + property() : "")
            .append(")\n" + (one(5) ? "  @CacheResult\n" : "") + (one(12) ? "  @Command\n" : ""))
            .append("  " + any(MODIFIERS) + " " + any(ANSWERS) + " " + SINGLE + "(")
            .append(parameter + " p0" + (one(12) ? ", int p1" : "") + ") {\n")
            .append("    throw new AssertionError(\"its body never runs\");\n  }\n");
    if (!one(3)) {
      hasFallback = one(2);
      source.append("  @Command(" + (hasFallback ? "fallbackMethod = \"instead\"" : "") + ")\n");
    }
    source.append(batchMethod("askAll", batch, argument, "answer", FAILING));
    if (hasFallback) {
      source.append(batchMethod("instead", batch, argument, "instead", ""));
    }
    return source.append(helpers(argument)).append("}\n").toString();
  }

  private static final String FAILING =
      "    if (Boolean.getBoolean(\""
          + FAILS
          + "\")) throw new IllegalStateException(\""
          + FAILURE
          + "\");\n";

  private String batchMethod(
      String name, List<String> batch, String argument, String word, String first) {
    String taken = one(10) ? "Collection<" : "List<";
    return "  "
        + (one(4) ? "private" : "public")
        + " "
        + batch.get(0).replace("P", argument)
        + " "
        + name
        + "("
        + taken
        + argument
        + "> all) {\n"
        + first
        + "    return "
        + batch.get(1).formatted(word)
        + ";\n  }\n";
  }

  private static String helpers(String argument) {
    return """
      private static List<String> each(Collection<P> all, String word) {
        return new ArrayList<>(Collections.nCopies(all.size(), word));
      }
      private static HashMap<P, String> byArgument(Collection<P> all, String word) {
        HashMap<P, String> answers = new HashMap<>();
        for (P one : all) answers.put(one, word);
        return answers;
      }
    """
        .replace("P", argument);
  }

  private String property() {
    return "@CommandProperty(name = "
        + literal(any(PROPERTIES))
        + ", value = "
        + literal(any(VALUES))
        + ")";
  }

  private static String boxed(String type) {
    return type.equals("int") ? "Integer" : type.equals("long") ? "Long" : type;
  }
}
