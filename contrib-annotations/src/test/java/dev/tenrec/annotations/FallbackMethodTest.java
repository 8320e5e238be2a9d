// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CommandView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Which method answers when the work does not. */
class FallbackMethodTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private <T> T bean(Class<T> type) {
    context = Contexts.of(type);
    return context.getBean(type);
  }

  abstract static class Base {

    /** Of a superclass, and private: any visibility will do. */
    @SuppressWarnings("unused")
    private String recovered(Throwable thrown, String site, IOException cause) {
      return "io at " + site;
    }

    static String shared(int count) {
      return "shared " + count;
    }
  }

  static class Chosen extends Base {

    @Command(fallbackMethod = "recovered")
    public String failing(Throwable thrown, String site) throws Throwable {
      throw thrown;
    }

    String recovered(Throwable thrown, String site, FileNotFoundException cause) {
      return "not found at " + site;
    }

    String recovered(Throwable thrown, String site, RuntimeException cause) {
      return "runtime at " + site + ", same: " + (thrown == cause);
    }

    @Command(fallbackMethod = "shared")
    public String counting(int count) {
      throw new IllegalStateException();
    }

    @Command(fallbackMethod = "nothing")
    public void silent() {
      throw new IllegalStateException();
    }

    void nothing() {}

    @Command(fallbackMethod = "five")
    public int number() {
      throw new IllegalStateException();
    }

    Integer five() {
      return 5;
    }
  }

  @Test
  void severalFallbacks_theMostSpecificExceptionAnswers() {
    Chosen chosen = bean(Chosen.class);

    assertThat(chosen)
        .satisfies(
            bean -> {
              assertThat(call(bean, new FileNotFoundException())).isEqualTo("not found at s");
              assertThat(call(bean, new IOException())).isEqualTo("io at s");
              assertThat(call(bean, new IllegalStateException()))
                  .isEqualTo("runtime at s, same: true");
            });
  }

  private static String call(Chosen bean, Throwable thrown) throws Exception {
    try {
      return bean.failing(thrown, "s");
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noFallbackForTheException_theCallerGetsIt() {
    Chosen chosen = bean(Chosen.class);
    Exception other = new InterruptedIOfWork();

    assertThatThrownBy(() -> call(chosen, other)).isSameAs(other);
    assertThat(counted("Chosen.failing"))
        .as("it has fallbacks, but none for this")
        .isEqualTo(
            Map.of(
                EventType.FAILURE,
                1L,
                EventType.FALLBACK_FAILURE,
                1L,
                EventType.EXCEPTION_THROWN,
                1L));
  }

  static class Without {

    @Command
    public String failing() throws IOException {
      throw new IOException("down");
    }
  }

  @Test
  void noFallbackAtAll_theCallerGetsTheException_andItIsCountedAsMissing() {
    Without without = bean(Without.class);

    assertThatThrownBy(without::failing).isExactlyInstanceOf(IOException.class).hasMessage("down");
    assertThat(counted("Without.failing"))
        .isEqualTo(
            Map.of(
                EventType.FAILURE,
                1L,
                EventType.FALLBACK_MISSING,
                1L,
                EventType.EXCEPTION_THROWN,
                1L));
  }

  private CommandView view(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** How often each event was counted that was. */
  private Map<EventType, Long> counted(String key) {
    Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      long count = view(key).cumulativeCount(event);
      if (count != 0) {
        counts.put(event, count);
      }
    }
    return counts;
  }

  private static final class InterruptedIOfWork extends Exception {}

  @Test
  void fallbacks_mayBeStatic_returnNothing_orTheBoxedValue() {
    Chosen chosen = bean(Chosen.class);
    chosen.silent();

    assertThat(chosen.counting(3)).isEqualTo("shared 3");
    assertThat(chosen.number()).isEqualTo(5);
  }

  static class Chained {

    @Command(fallbackMethod = "second")
    public String first(String site) {
      throw new IllegalStateException("first");
    }

    @Command(fallbackMethod = "third")
    protected String second(String site, Throwable cause) throws IOException {
      throw new IOException("second after " + cause.getMessage());
    }

    private String third(String site, Throwable first, Throwable cause) {
      return site + ": " + first.getMessage() + ", " + cause.getMessage();
    }
  }

  @Test
  void fallbackThatIsACommand_runsAsOne_withItsOwnFallback() {
    Chained chained = bean(Chained.class);

    assertThat(chained.first("s")).isEqualTo("s: first, second after first");
    assertThat(context.getBean(Tenrec.class).commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder("Chained.first", "Chained.second");
  }

  static class FailingFallback {

    @Command(fallbackMethod = "worse")
    public String first() throws IOException {
      throw new IOException("first");
    }

    String worse() {
      throw new IllegalStateException("worse");
    }
  }

  @Test
  void fallbackThatFails_theCallerGetsTheFirstCause() {
    FailingFallback bean = bean(FailingFallback.class);

    assertThatThrownBy(bean::first).isExactlyInstanceOf(IOException.class).hasMessage("first");
  }

  @CommandDefaults(
      defaultFallback = "ofTheClass",
      ignoreExceptions = IllegalArgumentException.class)
  static class Defaults {

    @Command
    public String plain() {
      throw new IllegalStateException("plain");
    }

    @Command(defaultFallback = "ofTheCommand")
    public String own() {
      throw new IllegalStateException();
    }

    @Command(fallbackMethod = "ofTheMethod", defaultFallback = "ofTheCommand")
    public String method(int a) {
      throw new IllegalStateException();
    }

    @Command
    public String wrong() {
      throw new NumberFormatException("wrong");
    }

    @Command(ignoreExceptions = IOException.class)
    public String io(Exception thrown) throws Exception {
      throw thrown;
    }

    @Command
    public String bad() {
      throw new BadRequestException("bad");
    }

    private String ofTheClass(Throwable cause) {
      return "class, " + cause.getMessage();
    }

    private String ofTheCommand() {
      return "command";
    }

    private String ofTheMethod(int a) {
      return "method " + a;
    }
  }

  @Test
  void defaults_answerInTheirOrder() {
    Defaults defaults = bean(Defaults.class);

    assertThat(defaults.plain()).isEqualTo("class, plain");
    assertThat(defaults.own()).isEqualTo("command");
    assertThat(defaults.method(7)).isEqualTo("method 7");
  }

  @Test
  void ignoredException_reachesTheCallerAsItIs_andIsNoFailure() {
    Defaults defaults = bean(Defaults.class);

    assertThatThrownBy(defaults::wrong)
        .isExactlyInstanceOf(NumberFormatException.class)
        .hasMessage("wrong");
    assertThatThrownBy(defaults::bad).isExactlyInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> defaults.io(new FileNotFoundException("io")))
        .isExactlyInstanceOf(FileNotFoundException.class);
    for (String key : List.of("Defaults.wrong", "Defaults.bad", "Defaults.io")) {
      assertThat(counted(key))
          .as(key)
          .isEqualTo(Map.of(EventType.BAD_REQUEST, 1L, EventType.EXCEPTION_THROWN, 1L));
      assertThat(view(key).health()).as(key).isEqualTo(HealthSnapshot.EMPTY);
    }
  }

  static class Lists {

    @Command(fallbackMethod = "second", ignoreExceptions = IllegalArgumentException.class)
    public String first(Exception mine, Exception ofTheFallback) throws Exception {
      throw mine;
    }

    @Command(fallbackMethod = "third", ignoreExceptions = IllegalStateException.class)
    protected String second(Exception first, Exception mine, Throwable cause) throws Exception {
      throw mine;
    }

    private String third(Exception first, Exception second, Throwable cause, Throwable own) {
      return "third, " + own.getMessage();
    }
  }

  @Test
  void fallbackThatIsACommand_ignoresByItsOwnList() throws Exception {
    Lists lists = bean(Lists.class);
    Exception first = new IllegalStateException("on the other's list");

    assertThat(lists.first(first, new IllegalArgumentException("on the first's list")))
        .isEqualTo("third, on the first's list");
    assertThat(counted("Lists.first"))
        .isEqualTo(Map.of(EventType.FAILURE, 1L, EventType.FALLBACK_SUCCESS, 1L));
    assertThat(counted("Lists.second"))
        .isEqualTo(Map.of(EventType.FAILURE, 1L, EventType.FALLBACK_SUCCESS, 1L));

    assertThatThrownBy(() -> lists.first(first, new IllegalStateException("on its own list")))
        .as("the first cause")
        .isSameAs(first);
    assertThat(counted("Lists.second"))
        .isEqualTo(
            Map.of(
                EventType.FAILURE,
                1L,
                EventType.FALLBACK_SUCCESS,
                1L,
                EventType.BAD_REQUEST,
                1L,
                EventType.EXCEPTION_THROWN,
                1L));
  }

  @Test
  void methodsOwnList_takesThePlaceOfTheClasss() throws Exception {
    assertThat(bean(Defaults.class).io(new IllegalArgumentException("listed on the class")))
        .isEqualTo("class, listed on the class");
  }

  static class Later {

    @Command(fallbackMethod = "other")
    public CompletableFuture<String> stage(String a) {
      return CompletableFuture.failedFuture(new IOException(a));
    }

    CompletableFuture<String> other(String a, Throwable cause) {
      return CompletableFuture.supplyAsync(
          () -> "other " + cause.getMessage(), task -> new Thread(task).start());
    }

    @Command(fallbackMethod = "plain")
    public CompletableFuture<String> withValue() {
      throw new IllegalStateException();
    }

    String plain() {
      return "plain";
    }

    @Command(fallbackMethod = "failing")
    public CompletableFuture<String> twice() {
      return CompletableFuture.failedFuture(new IOException("first"));
    }

    CompletableFuture<String> failing() {
      return CompletableFuture.failedFuture(new IOException("second"));
    }
  }

  @Test
  void stages_areAnsweredByAStage_orByTheValue() throws Exception {
    Later later = bean(Later.class);

    assertThat(later.stage("a").get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("other a");
    assertThat(later.withValue().get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("plain");
    assertThatThrownBy(() -> later.twice().join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("first");
  }

  static class Opened {

    @Command(
        commandProperties = @CommandProperty(name = "circuitBreaker.forceOpen", value = "true"),
        fallbackMethod = "why")
    public String call() {
      return "never";
    }

    String why(CircuitOpenException cause) {
      return cause.reason();
    }

    @Command(timeout = "20ms", fallbackMethod = "cause")
    public String late() throws InterruptedException {
      new CountDownLatch(1).await();
      return "never";
    }

    @Command(
        isolation = IsolationStrategy.SEMAPHORE,
        commandProperties =
            @CommandProperty(
                name = "execution.isolation.semaphore.maxConcurrentRequests",
                value = "0"),
        fallbackMethod = "cause")
    public String full() {
      return "never";
    }

    String cause(Throwable cause) {
      return cause.getClass().getSimpleName();
    }
  }

  @Test
  void timeoutAndRejection_reachTheFallback() throws Exception {
    Opened opened = bean(Opened.class);

    assertThat(opened.late()).isEqualTo("CommandTimeoutException");
    assertThat(opened.full()).isEqualTo("CommandRejectedException");
  }

  @Test
  void openCircuit_reachesTheFallback() {
    assertThat(bean(Opened.class).call()).contains("forceOpen");
  }
}
