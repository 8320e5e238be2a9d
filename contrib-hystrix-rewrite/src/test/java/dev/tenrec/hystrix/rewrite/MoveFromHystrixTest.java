// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources of the shapes that Hystrix's examples have are moved, compiled, and do the same. */
class MoveFromHystrixTest {

  private static final String EAGER =
      "// Tenrec: cold, once per subscription, where EAGER was the default; for a hot one return a"
          + " CompletableFuture";

  /** Keys of the shapes are the names of their classes, and some have one name. */
  @AfterEach
  void forgetBoth() {
    com.netflix.hystrix.Hystrix.reset();
    dev.tenrec.hystrix.Hystrix.reset();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Greetings", "Facade", "Cached", "Streams", "Operators", "Plugins", "Starred"})
  void classes_moved_compileAndDoTheSame(String name, @TempDir Path before, @TempDir Path after)
      throws Exception {
    String source = Moved.read(name);
    String moved = moved(name);

    Object original = call(Moved.compiled(name, source, before));
    Object same = call(Moved.compiled(name, moved, after));

    assertThat(same).isEqualTo(original);
    assertThat(moved)
        .doesNotContain("com.netflix", " rx.", "Tenrec:")
        .contains("import dev.tenrec.hystrix.");
  }

  private static String moved(String name) {
    return Objects.requireNonNull(Moved.JAVA.get(name));
  }

  private static Object call(Class<?> type) throws Exception {
    return type.getMethod("calls").invoke(null);
  }

  @Test
  void annotations_ofJavanica_compileAsTenrecs(@TempDir Path directory) throws Exception {
    String moved = moved("Accounts");

    Class<?> type = Moved.compiled("Accounts", moved, directory);
    Command get = type.getMethod("get", String.class).getAnnotation(Command.class);
    assertThat(moved).doesNotContain("com.netflix", " rx.", "Tenrec:");
    assertThat(type.getAnnotation(CommandDefaults.class).groupKey()).isEqualTo("Accounts");
    assertThat(get.commandKey()).isEqualTo("getAccount");
    assertThat(get.commandProperties()[0].name())
        .isEqualTo("execution.isolation.thread.timeoutInMilliseconds");
    assertThat(get.commandProperties()[1].name()).isEqualTo("fallback.enabled");
    assertThat(get.threadPoolProperties()[0].name()).isEqualTo("coreSize");
    assertThat(get.ignoreExceptions()).containsExactly(IllegalArgumentException.class);
    assertThat(
            type.getMethod("get", String.class).getAnnotation(CacheResult.class).cacheKeyMethod())
        .isEqualTo("keyOf");
    assertThat(
            type.getMethod("get", String.class)
                .getParameters()[0]
                .isAnnotationPresent(CacheKey.class))
        .isTrue();
    Collapsed one = type.getMethod("one", String.class).getAnnotation(Collapsed.class);
    assertThat(one.scope()).isEqualTo(Collapsed.Scope.GLOBAL);
    assertThat(one.properties()[0].name()).isEqualTo("timerDelayInMilliseconds");
    Object service = type.getConstructor().newInstance();
    Future<?> later = (Future<?>) type.getMethod("later", String.class).invoke(service, "7");
    assertThat(later.get()).isEqualTo("account 7");
  }

  @Test
  void whatHasNoCounterpart_moved_isMarkedWhereItStands() {
    String moved = moved("Left");

    assertThat(moved.lines().map(String::strip))
        .containsSubsequence(
            "// Tenrec: HystrixPropertiesStrategy: HystrixTenrec.builder().source(..)",
            "// Tenrec: TestSubscriber: not moved: RxJava 3 has its own, or keep RxJava 1 beside"
                + " it",
            "// Tenrec: pools and queues are Tenrec's own: leave it out",
            "// Tenrec: streams have no request cache: a HystrixCommand whose answer is a list",
            "// Tenrec: nothing asks this of a command: leave it out",
            "protected boolean isRequestCachingEnabled() {");
    assertThat(moved)
        .contains("/* Tenrec: no counterpart: HystrixTenrec.builder().source(..) */")
        .contains("no field: getMetrics(), getProperties()")
        .contains("/* Tenrec: it had no use: leave it out */")
        .contains(
            "/* Tenrec: nothing is wrapped: callers get the method's exception, or Tenrec's */")
        .contains("/* Tenrec: cold, once per subscription")
        .contains("/* Tenrec: CompletableFuture.completedFuture(value)");
  }

  @Test
  void streamsThatJavanicaBeganWithTheCall_moved_areMarked() {
    assertThat(lines("Left"))
        .containsSubsequence(
            "/** Begins with the call. */",
            EAGER,
            "@Command",
            "Observable<String> hotByDefault() {",
            EAGER,
            "@Command(commandKey = \"one\")",
            "Single<String> oneHotByDefault() {");
    assertThat(moved("Left").split(EAGER, -1)).hasSize(3);
  }

  @Test
  void collapserWhoseKeyWasItsMethodsName_moved_isMarkedUnlessTheBatchHasIt() {
    assertThat(lines("Left"))
        .containsSubsequence(
            "@Collapsed(batchMethod = \"batch\")",
            "Future<String> each(String id) {",
            "// Tenrec: its key was \"other\", and is now the commandKey of the batch method:"
                + " settings go by that",
            "@Collapsed(batchMethod = \"batch\")",
            "Future<String> other(String id) {");
    assertThat(moved("Left")).containsOnlyOnce("its key was");
  }

  @Test
  void keyOfACollapserThatIsAConstant_besideABatchWithoutOne_staysAndIsMarked() {
    assertThat(lines("Left"))
        .contains(
            "@Collapsed(batchMethod = \"unnamed\", /* Tenrec: the key is the commandKey of the"
                + " batch method */ collapserKey = KEY)");
  }

  @Test
  void operatorsWithoutASimpleCounterpart_moved_areMarked() {
    assertThat(lines("Left"))
        .contains(
            "Observable<Integer> count = /* Tenrec: count() is a Single<Long> */ numbers.count();",
            "Disposable subscription = /* Tenrec: subscribe(Observer) returns nothing:"
                + " subscribeWith(..) of a DisposableObserver */ numbers.subscribe(observer);",
            "BlockingObservable<Integer> blocking = /* Tenrec: RxJava 3 has no toBlocking(), but"
                + " blocking..() methods */ numbers.toBlocking();",
            "/* Tenrec: RxJava 3 has no BlockingObservable, but blocking..() methods */"
                + " blocking.first(number -> number > 1);",
            "/* Tenrec: elementAt(..) is a Maybe, empty where it failed */ numbers.elementAt(3);",
            "/* Tenrec: toObservable() before it: it takes an observer of its own */"
                + " numbers.singleOrError().subscribe(observer);",
            "/* Tenrec: null is no default in RxJava 3 */ numbers.first(null).toObservable();",
            "Supplier<Observable<List<Integer>>> lists = /* Tenrec: a Single: a lambda, with"
                + " toObservable() behind it */ numbers::toList;",
            "/* Tenrec: doOnSubscribe(..) takes a Consumer<Disposable> */"
                + " numbers.doOnSubscribe(() -> {});",
            "/* Tenrec: fromFuture(..) and subscribeOn(..) */ Observable.from(later,"
                + " Schedulers.io());",
            "Supplier<BlockingObservable<Integer>> supplier = /* Tenrec: RxJava 3 has no"
                + " toBlocking(), but blocking..() methods */ numbers::toBlocking;",
            "/* Tenrec: null is no default in RxJava 3 */ numbers.blockingSingle(null);");
  }

  private static List<String> lines(String name) {
    return moved(name).lines().map(String::strip).toList();
  }

  @Test
  void typesOfTheSources_belowHystrixsPackages_areMovedWithoutAMark() {
    assertThat(moved("Within"))
        .contains("package dev.tenrec.hystrix.shop;")
        .containsOnlyOnce("Tenrec:")
        .contains("// Tenrec: HystrixThreadPool: the gauges of HystrixThreadPoolMetrics");
    assertThat(moved("Beside"))
        .contains("import dev.tenrec.hystrix.shop.Within;")
        .doesNotContain("Tenrec:");
  }

  @Test
  void whatIsMoved_movedAgain_staysAsItIs() {
    assertThat(Moved.moved(Moved.JAVA)).isEqualTo(Moved.JAVA);
  }

  @Test
  void workedMigration_moved_isThatOfTheGuide() throws Exception {
    String after = Files.readString(Moved.APPLICATION.resolve("after").resolve("OrderDesk.java"));

    String moved = moved("OrderDesk").replace(".moved.before;", ".moved.after;");

    assertThat(imports(moved)).containsExactlyInAnyOrderElementsOf(imports(after));
    assertThat(rest(moved)).isEqualTo(rest(after));
  }

  private static List<String> imports(String source) {
    return source.lines().filter(line -> line.startsWith("import ")).toList();
  }

  /** Without spaces: where lines are broken is a formatter's to say. */
  private static String rest(String source) {
    StringBuilder rest = new StringBuilder();
    source.lines().filter(line -> !line.startsWith("import ")).forEach(rest::append);
    return rest.toString().replaceAll("\\s", "").replace("\"+\"", "");
  }
}
