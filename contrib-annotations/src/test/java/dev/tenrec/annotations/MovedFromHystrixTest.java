// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Observable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Flux;

/** What code has that comes from Hystrix's annotations, and how it goes on. */
class MovedFromHystrixTest {

  private static final Map<String, Object> BY_METHOD =
      Map.of("tenrec.annotations.default-key", "method");

  static class Quotes {
    @Command
    public String price(String share) {
      return "quoted " + share;
    }

    @Command
    public String price(long share) {
      return "quoted number " + share;
    }
  }

  static class Catalogue {
    @Command(groupKey = "Shop", fallbackMethod = "unknown")
    public String price(String article) {
      throw new IllegalStateException("no " + article);
    }

    String unknown(String article) {
      return "no price of " + article;
    }

    @Command(commandKey = "Own")
    public String own() {
      return "own";
    }
  }

  @Test
  void keys_byDefault_haveTheClass() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Catalogue.class)) {
      assertThat(context.getBean(Tenrec.class).commands())
          .extracting(command -> command.key())
          .containsExactlyInAnyOrder("Catalogue.price", "Own");
    }
  }

  @Test
  void keys_byMethod_areItsName() {
    try (AnnotationConfigApplicationContext context = Contexts.of(BY_METHOD, Catalogue.class)) {
      assertThat(context.getBean(Tenrec.class).commands())
          .extracting(command -> command.key())
          .containsExactlyInAnyOrder("price", "Own");
      assertThat(context.getBean(Catalogue.class).price("pens")).isEqualTo("no price of pens");
    }
  }

  @Test
  void keys_byMethodInTwoClasses_areOneCommandWithAWarning() {
    try (LoggedLines log = new LoggedLines();
        AnnotationConfigApplicationContext context =
            Contexts.of(BY_METHOD, Catalogue.class, Quotes.class)) {
      Tenrec tenrec = context.getBean(Tenrec.class);

      assertThat(tenrec.commands())
          .extracting(command -> command.key())
          .containsExactlyInAnyOrder("price", "Own");
      assertThat(context.getBean(Quotes.class).price("ACME")).isEqualTo("quoted ACME");
      assertThat(context.getBean(Quotes.class).price(7)).isEqualTo("quoted number 7");
      assertThat(context.getBean(Catalogue.class).price("pens")).isEqualTo("no price of pens");
      assertThat(log.with("has the key price, as"))
          .isNotEmpty()
          .allMatch(line -> line.startsWith("WARN"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"class", "METHODS", "name"})
  void keyStyle_thatIsUnknown_stopsTheStart(String style) {
    assertThatThrownBy(
            () ->
                Contexts.of(Map.of("tenrec.annotations.default-key", style), Quotes.class).close())
        .isInstanceOf(BeanCreationException.class)
        .rootCause()
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("tenrec.annotations.default-key")
        .hasMessageContaining("class-and-method or method");
  }

  @CommandDefaults(defaultFallback = "ofTheClass")
  static class Defaulted {
    @Command
    public String hidden() {
      throw new IllegalStateException("hidden");
    }

    @Command(defaultFallback = "none")
    public String shown() {
      throw new IllegalStateException("shown");
    }

    String ofTheClass() {
      return "of the class";
    }
  }

  @Test
  void defaultFallback_none_leavesThatOfTheClassOut() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Defaulted.class)) {
      Defaulted bean = context.getBean(Defaulted.class);

      assertThat(bean.hidden()).isEqualTo("of the class");
      assertThatThrownBy(bean::shown).isInstanceOf(IllegalStateException.class).hasMessage("shown");
    }
  }

  static class Chain {
    @Command(fallbackMethod = "second")
    public String first(String site, int times) {
      throw new IllegalStateException("first");
    }

    @Command(fallbackMethod = "third")
    public String second(String site, int times, Throwable first) {
      throw new IllegalStateException("second");
    }

    @Command(fallbackMethod = "fourth")
    public String third(String site, int times) {
      throw new IllegalArgumentException("third");
    }

    String fourth(String site, int times, Throwable cause) {
      return site + " " + times + " after " + cause.getMessage();
    }
  }

  @Test
  void fallbackOfAFallback_withTheFirstOnesParameters_answers() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Chain.class)) {
      assertThat(context.getBean(Chain.class).first("home", 3)).isEqualTo("home 3 after third");
    }
  }

  static class Hidden {
    @Command(fallbackMethod = "cached")
    public String user(long id) {
      throw new IllegalStateException("down");
    }

    @Command(
        commandKey = "Cached",
        isolation = IsolationStrategy.SEMAPHORE,
        fallbackMethod = "nobody")
    private String cached(long id, Throwable cause) {
      if (id == 0) {
        throw new IllegalArgumentException(cause);
      }
      return "cached " + id + " after " + cause.getMessage();
    }

    @Command(commandKey = "Nobody", isolation = IsolationStrategy.SEMAPHORE)
    private String nobody(long id) {
      return "nobody";
    }
  }

  @Test
  void privateFallback_thatIsACommand_isOne() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Hidden.class)) {
      Tenrec tenrec = context.getBean(Tenrec.class);
      Hidden bean = context.getBean(Hidden.class);

      assertThat(bean.user(7)).isEqualTo("cached 7 after down");
      assertThat(bean.user(0)).isEqualTo("nobody");

      assertThat(view(tenrec, "Cached").cumulativeCount(EventType.SUCCESS)).isOne();
      assertThat(view(tenrec, "Cached").cumulativeCount(EventType.FAILURE)).isOne();
      assertThat(view(tenrec, "Nobody").cumulativeCount(EventType.SUCCESS)).isOne();
    }
  }

  static class HiddenStreams {

    private final AtomicInteger asked = new AtomicInteger();

    public int asked() { // by a method, for the proxy has no fields
      return asked.get();
    }

    @Command(fallbackMethod = "cachedFlow")
    public Flowable<String> flow(long id) {
      asked.incrementAndGet();
      return Flowable.error(new IllegalStateException("down"));
    }

    @Command(commandKey = "CachedFlow", isolation = IsolationStrategy.SEMAPHORE)
    private Flowable<String> cachedFlow(long id) {
      return Flowable.just("cached " + id);
    }

    @Command(fallbackMethod = "cachedObserved")
    public Observable<String> observed(long id) {
      asked.incrementAndGet();
      return Observable.error(new IllegalStateException("down"));
    }

    @Command(commandKey = "CachedObserved", isolation = IsolationStrategy.SEMAPHORE)
    private Observable<String> cachedObserved(long id) {
      return Observable.just("cached " + id);
    }
  }

  @Test
  void privateFallback_thatIsAStream_isOneAndTheMethodIsNotCalledAgain() {
    try (AnnotationConfigApplicationContext context = Contexts.of(HiddenStreams.class)) {
      HiddenStreams bean = context.getBean(HiddenStreams.class);

      assertThat(bean.flow(7).toList().blockingGet()).containsExactly("cached 7");
      assertThat(bean.asked()).isOne();
      assertThat(bean.observed(8).toList().blockingGet()).containsExactly("cached 8");
      assertThat(bean.asked()).isEqualTo(2);
    }
  }

  private static CommandView view(Tenrec tenrec, String key) {
    return tenrec.commands().stream()
        .filter(command -> command.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  static class Members {
    @Collapsed(batchMethod = "names")
    public Observable<String> observed(long id) {
      throw new AssertionError("never runs");
    }

    @Collapsed(batchMethod = "names")
    public Flowable<String> flowing(long id) {
      throw new AssertionError("never runs");
    }

    @Collapsed(batchMethod = "names")
    public Flux<String> fluxed(long id) {
      throw new AssertionError("never runs");
    }

    @Command
    List<String> names(List<Long> ids) {
      return ids.stream().map(id -> "user " + id).toList();
    }
  }

  @Test
  void collapsed_asAReactiveTypeOfMany_bringsItsOneAnswer() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Members.class);
        RequestContext request = context.getBean(Tenrec.class).openRequest()) {
      Members members = context.getBean(Members.class);

      assertThat(members.observed(1).toList().blockingGet()).containsExactly("user 1");
      assertThat(members.flowing(2).toList().blockingGet()).containsExactly("user 2");
      assertThat(members.fluxed(3).collectList().block()).containsExactly("user 3");
    }
  }

  @Test
  void propertyNames_always_areAllThereAre() {
    assertNames(PropertyNames.OfCommand.class, CommandProperties.all());
    assertNames(PropertyNames.OfPool.class, PoolProperties.all());
    assertNames(PropertyNames.OfCollapser.class, CollapserProperties.all());
  }

  private static void assertNames(Class<?> constants, List<? extends Property<?>> properties) {
    Map<String, String> expected =
        properties.stream()
            .collect(
                java.util.stream.Collectors.toMap(
                    property ->
                        property
                            .name()
                            .replaceAll("([a-z])([A-Z])", "$1_$2")
                            .replace('.', '_')
                            .toUpperCase(Locale.ROOT),
                    Property::name));
    Map<String, String> found =
        Arrays.stream(constants.getFields())
            .collect(
                java.util.stream.Collectors.toMap(
                    field -> field.getName(),
                    field -> {
                      try {
                        return (String) field.get(null);
                      } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                      }
                    }));

    assertThat(found).containsExactlyInAnyOrderEntriesOf(expected);
  }
}
