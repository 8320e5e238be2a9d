// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.work.BatchResult;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Methods whose calls become batches. */
class CollapsedTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Users.class);
  private final Tenrec tenrec = context.getBean(Tenrec.class);
  private final Users users = context.getBean(Users.class);

  @AfterEach
  void close() {
    context.close();
  }

  record Place(long id, String hint) {}

  static class Users {

    private final List<List<Long>> batches = new CopyOnWriteArrayList<>();

    List<List<Long>> batches() {
      return batches;
    }

    @Collapsed(
        batchMethod = "names",
        properties = @CommandProperty(name = "timerDelayInMilliseconds", value = "20"))
    public CompletableFuture<String> name(long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Names", fallbackMethod = "noNames")
    List<String> names(List<Long> ids) {
      batches.add(List.copyOf(ids));
      if (ids.contains(0L)) {
        throw new IllegalArgumentException("0");
      }
      return ids.stream().map(id -> "user " + id).toList();
    }

    private List<String> noNames(List<Long> ids, IllegalArgumentException cause) {
      return ids.stream().map(id -> "nobody " + id).toList();
    }

    @Collapsed(
        batchMethod = "ages",
        scope = Collapsed.Scope.GLOBAL,
        properties = @CommandProperty(name = "timerDelayInMilliseconds", value = "5"))
    public Integer age(Long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Collapsed(batchMethod = "towns")
    @CacheResult
    public CompletableFuture<String> town(@CacheKey("id") Place place) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Towns")
    List<String> towns(List<Place> places) {
      batches.add(places.stream().map(Place::id).toList());
      return places.stream().map(place -> "town " + place.id() + place.hint()).toList();
    }

    @CacheRemove(commandKey = "town")
    public void move(@CacheKey("id") Place place) {}

    @CacheRemove(commandKey = "Towns")
    public void moveByKeyOfTheBatches(@CacheKey("id") Place place) {}

    private Map<Long, Integer> ages(List<Long> ids) {
      return ids.stream().filter(id -> id > 0).collect(Collectors.toMap(id -> id, Long::intValue));
    }
  }

  private static String got(CompletableFuture<String> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void callsOfOneRequest_areOneBatch() throws Exception {
    tenrec.set("tenrec.collapser.Names.timerDelayInMilliseconds", "3600000");
    tenrec.set("tenrec.collapser.Names.maxRequestsInBatch", "2");
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> one = users.name(1);
      CompletableFuture<String> again = users.name(1);
      CompletableFuture<String> two = users.name(2);

      assertThat(got(one)).isEqualTo("user 1");
      assertThat(got(two)).isEqualTo("user 2");
      assertThat(got(again)).isEqualTo("user 1");
    }
    assertThat(users.batches()).containsExactly(List.of(1L, 2L));
    assertThat(tenrec.collapsers())
        .extracting(CollapserView::key)
        .containsExactlyInAnyOrder("Names", "Users.age", "Towns");
  }

  @Test
  void batchThatFails_isAnsweredByItsFallback() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(got(users.name(0))).isEqualTo("nobody 0");
    }
  }

  @Test
  void batchMethod_calledItself_isTheSameCommand() {
    assertThat(users.names(List.of(3L))).containsExactly("user 3");
    assertThat(users.names(List.of(0L))).containsExactly("nobody 0");
  }

  @Test
  void globalScope_needsNoRequest_andAMissingAnswerIsAnError() {
    assertThat(users.age(7L)).isEqualTo(7);
    assertThatThrownBy(() -> users.age(-1L))
        .isInstanceOf(dev.tenrec.core.outcome.MissingAnswerException.class)
        .hasMessageContaining("no answer for an argument (java.lang.Long)")
        .extracting(thrown -> ((dev.tenrec.core.outcome.MissingAnswerException) thrown).argument())
        .isEqualTo(-1L);
  }

  @Test
  void cachedAnswer_isKeptForTheRequest_byItsKey() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> one = users.town(new Place(1, "a"));
      CompletableFuture<String> same = users.town(new Place(1, "b"));
      assertThat(got(one)).isEqualTo("town 1a");
      assertThat(got(same)).isEqualTo("town 1a");
      assertThat(got(users.town(new Place(1, "c")))).as("after the batch").isEqualTo("town 1a");
      assertThat(got(users.town(new Place(2, "")))).isEqualTo("town 2");
    }
    assertThat(users.batches()).containsExactly(List.of(1L), List.of(2L));

    try (RequestContext request = tenrec.openRequest()) {
      assertThat(got(users.town(new Place(1, "d")))).as("another request").isEqualTo("town 1d");
    }
  }

  @Test
  void cachedAnswer_removed_isAskedForAnew() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(got(users.town(new Place(1, "a")))).isEqualTo("town 1a");
      users.move(new Place(2, ""));
      assertThat(got(users.town(new Place(1, "b")))).as("another's removal").isEqualTo("town 1a");
      users.move(new Place(1, ""));
      assertThat(got(users.town(new Place(1, "c")))).isEqualTo("town 1c");
      users.moveByKeyOfTheBatches(new Place(1, ""));
      assertThat(got(users.town(new Place(1, "d")))).isEqualTo("town 1d");
    }
  }

  @Test
  void cachedAnswer_withoutARequest_failsTheCall() {
    assertThatThrownBy(() -> got(users.town(new Place(1, "a"))))
        .hasMessageContaining("needs an open request");
  }

  @CommandDefaults(
      groupKey = "Places",
      isolation = IsolationStrategy.SEMAPHORE,
      defaultFallback = "none",
      ignoreExceptions = IllegalArgumentException.class)
  static class Described {

    @Collapsed(batchMethod = "names", scope = Collapsed.Scope.GLOBAL)
    public String name(long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    List<String> names(List<Long> ids) {
      throw ids.contains(0L) ? new IllegalArgumentException("0") : new IllegalStateException();
    }

    private List<String> none() {
      return List.of("none");
    }
  }

  @Test
  void batchMethodWithoutAnnotation_takesTheDefaultsOfItsClass() {
    try (AnnotationConfigApplicationContext other = Contexts.of(Described.class)) {
      Described described = other.getBean(Described.class);

      assertThat(described.name(1)).isEqualTo("none");
      assertThatThrownBy(() -> described.name(0)).isInstanceOf(IllegalArgumentException.class);
      assertThat(other.getBean(Tenrec.class).commands())
          .extracting(CommandView::group)
          .containsExactly("Places");
    }
  }

  static class Streets {

    @Collapsed(batchMethod = "streets")
    public CompletableFuture<String> street(long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Streets", fallbackMethod = "oldStreets")
    List<String> streets(List<Long> ids) {
      throw new IllegalStateException("down");
    }

    @Command(commandKey = "OldStreets")
    List<String> oldStreets(List<Long> ids) {
      return ids.stream().map(id -> "old street " + id).toList();
    }
  }

  @Test
  void fallbackOfABatch_thatIsACommand_isOneOfItsOwn() throws Exception {
    try (AnnotationConfigApplicationContext town = Contexts.of(Streets.class)) {
      Tenrec own = town.getBean(Tenrec.class);
      try (RequestContext request = own.openRequest()) {
        assertThat(got(town.getBean(Streets.class).street(7))).isEqualTo("old street 7");
      }
      await() // a caller may have gone on without a thread that is held up before it counts
          .untilAsserted(
              () ->
                  assertThat(own.commands())
                      .filteredOn(view -> view.key().equals("OldStreets"))
                      .singleElement()
                      .extracting(view -> view.cumulativeCount(EventType.SUCCESS))
                      .isEqualTo(1L));
    }
  }

  /** As of a client that can call nothing back. */
  static final class Deaf extends CompletableFuture<Map<Long, String>> {

    private final CountDownLatch asked = new CountDownLatch(1);

    CountDownLatch asked() {
      return asked;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      asked.countDown();
      return false;
    }
  }

  static class Waiting implements AutoCloseable {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<Map<Long, String>> held = new CompletableFuture<>();
    private final Deaf deaf = new Deaf();

    CountDownLatch begun() {
      return begun;
    }

    CompletableFuture<Map<Long, String>> held() {
      return held;
    }

    Deaf deaf() {
      return deaf;
    }

    /** Ends what there is still: for a Tenrec that closes no time passes. */
    @Override
    public void close() {
      held.complete(Map.of());
      deaf.complete(Map.of());
    }

    @Collapsed(batchMethod = "allHeld", scope = Collapsed.Scope.GLOBAL)
    public CompletableFuture<String> oneHeld(long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Held", timeout = "50ms")
    CompletableFuture<Map<Long, String>> allHeld(List<Long> ids) {
      begun.countDown();
      return held;
    }

    @Collapsed(batchMethod = "allDeaf", scope = Collapsed.Scope.GLOBAL)
    public CompletableFuture<String> oneDeaf(long id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Deaf", timeout = "50ms")
    CompletableFuture<Map<Long, String>> allDeaf(List<Long> ids) {
      begun.countDown();
      return deaf;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Timed {

    @Bean
    ManualTime time() {
      return new ManualTime();
    }

    @Bean
    Tenrec tenrec(ManualTime time) {
      return Tenrec.builder().time(time, time).build();
    }

    @Bean
    Waiting waiting() {
      return new Waiting();
    }
  }

  private static AnnotationConfigApplicationContext timed() {
    return new AnnotationConfigApplicationContext(Timed.class);
  }

  /** Waits for the end of a call that was made, of which the batch begins and is late. */
  private static void timesOut(
      AnnotationConfigApplicationContext timed, CompletableFuture<String> one) throws Exception {
    ManualTime time = timed.getBean(ManualTime.class);
    time.advanceMillis(10); // the window
    assertThat(timed.getBean(Waiting.class).begun().await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isTrue();
    time.advanceMillis(50);
    assertThatThrownBy(() -> got(one)).hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void asynchronousBatch_beyondItsTime_cancelsWhatTheMethodReturned() throws Exception {
    try (AnnotationConfigApplicationContext timed = timed()) {
      Waiting waiting = timed.getBean(Waiting.class);
      timesOut(timed, waiting.oneHeld(1));
      await().atMost(PatientWaits.patience()).until(waiting.held()::isCancelled);
    }
  }

  @Test
  void asynchronousBatch_thatDoesNotHeedItsCancellation_keepsItsPermitUntilItEnds()
      throws Exception {
    try (AnnotationConfigApplicationContext timed = timed()) {
      Waiting waiting = timed.getBean(Waiting.class);
      timesOut(timed, waiting.oneDeaf(1));
      assertThat(waiting.deaf().asked().await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      CommandView batches =
          timed.getBean(Tenrec.class).commands().stream()
              .filter(view -> view.key().equals("Deaf"))
              .findAny()
              .orElseThrow();
      assertThat(batches.concurrency()).isOne();
      waiting.deaf().complete(Map.of(1L, "late"));
      await().atMost(PatientWaits.patience()).until(() -> batches.concurrency() == 0);
    }
  }

  static class Cities {

    private final Map<String, String> found;

    Cities(Map<String, String> found) {
      this.found = found;
    }

    @Collapsed(
        batchMethod = "byIds",
        scope = Collapsed.Scope.GLOBAL,
        properties = {
          @CommandProperty(name = "timerDelayInMilliseconds", value = "3600000"),
          @CommandProperty(name = "maxRequestsInBatch", value = "2")
        })
    public CompletableFuture<String> byId(String id) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    @Command(commandKey = "Cities")
    Map<String, String> byIds(List<String> ids) {
      return found;
    }
  }

  private static AnnotationConfigApplicationContext cities(Map<String, String> found) {
    AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext();
    own.registerBean(Cities.class, () -> new Cities(found));
    own.register(Contexts.plain());
    own.refresh();
    return own;
  }

  static List<Map<String, String>> mapsWithoutNull() {
    return List.of(
        Map.of("a", "city a"),
        Stream.of("a").collect(Collectors.toUnmodifiableMap(id -> id, id -> "city " + id)),
        new ConcurrentHashMap<>(Map.of("a", "city a")),
        new TreeMap<>(Map.of("a", "city a")),
        BatchResult.of(Map.of("a", "city a")));
  }

  @ParameterizedTest
  @MethodSource("mapsWithoutNull")
  void nullArgument_thatIsNotInTheMap_failsAlone(Map<String, String> found) throws Exception {
    try (AnnotationConfigApplicationContext own = cities(found)) {
      Cities cities = own.getBean(Cities.class);
      CompletableFuture<String> none = cities.byId(null);
      assertThat(got(cities.byId("a"))).isEqualTo("city a");
      assertThatThrownBy(() -> got(none)).hasCauseInstanceOf(MissingAnswerException.class);
    }
  }

  private static Map<String, String> byAnyCase(Map<String, String> found) {
    Map<String, String> byAnyCase =
        new TreeMap<>(Comparator.nullsFirst(String.CASE_INSENSITIVE_ORDER));
    byAnyCase.putAll(found);
    return byAnyCase;
  }

  @Test
  void nullArgument_isAnswered_whereTheMapHasIt() throws Exception {
    Map<String, String> found = byAnyCase(Map.of("a", "city a"));
    found.put(null, "no city");
    try (AnnotationConfigApplicationContext own = cities(found)) {
      Cities cities = own.getBean(Cities.class);
      CompletableFuture<String> none = cities.byId(null);
      assertThat(got(cities.byId("A"))).as("by the map's own comparison").isEqualTo("city a");
      assertThat(got(none)).isEqualTo("no city");
    }
  }

  static List<Map<String, String>> mapsWithMore() {
    return List.of(
        Map.of("a", "city a", "b", "city b", "c", "city c"),
        BatchResult.of(Map.of("a", "city a", "b", "city b")).failed("c", new IOException("gone")));
  }

  @ParameterizedTest
  @MethodSource("mapsWithMore")
  void answerThatNobodyAskedFor_isLogged(Map<String, String> found) throws Exception {
    try (LoggedLines log = new LoggedLines("dev.tenrec.core");
        AnnotationConfigApplicationContext own = cities(found)) {
      Cities cities = own.getBean(Cities.class);
      CompletableFuture<String> one = cities.byId("a");
      assertThat(got(cities.byId("b"))).isEqualTo("city b");
      assertThat(got(one)).isEqualTo("city a");
      await()
          .atMost(PatientWaits.patience())
          .untilAsserted(
              () ->
                  assertThat(log.with("Cities: a batch brought an answer for an argument"))
                      .hasSize(1));
    }
  }

  @Test
  void answerThatWasAskedForInAnotherCase_isNoneThatNobodyAskedFor() throws Exception {
    try (LoggedLines log = new LoggedLines("dev.tenrec.core")) {
      try (AnnotationConfigApplicationContext own =
          cities(byAnyCase(Map.of("a", "city a", "b", "city b")))) {
        Cities cities = own.getBean(Cities.class);
        CompletableFuture<String> one = cities.byId("A");
        assertThat(got(cities.byId("B"))).isEqualTo("city b");
        assertThat(got(one)).isEqualTo("city a");
      } // closed: what was to be logged is
      assertThat(log.with("a batch brought an answer for an argument")).isEmpty();
    }
  }
}
