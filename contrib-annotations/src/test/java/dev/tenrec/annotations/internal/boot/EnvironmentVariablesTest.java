// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.outcome.CircuitOpenException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.StandardEnvironment;

/** What environment variables stand for, alone and in an application of Boot. */
class EnvironmentVariablesTest {

  private static final DeclaredKeys KEYS =
      new DeclaredKeys(
          Set.of("GetQuote", "Quotes.bySku", "quotes.bysku", "Quotes.byId(long, String)", "a_b-c"),
          Set.of("Pricing"),
          Set.of("Quotes.all"),
          Set.of(),
          false);

  private final List<String> complaints = new ArrayList<>();
  private final AtomicInteger readings = new AtomicInteger();
  private final EnvironmentVariables variables =
      new EnvironmentVariables(
          "tenrec",
          () -> {
            readings.incrementAndGet();
            return KEYS;
          },
          complaints::add);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TENREC_COMMAND_GETQUOTE_EXECUTION_ISOLATION_THREAD_TIMEOUTINMILLISECONDS \
          | tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds
          TENREC_COMMAND_DEFAULT_CIRCUITBREAKER_FORCEOPEN \
          | tenrec.command.default.circuitBreaker.forceOpen
          TENREC_COMMAND_QUOTES_BYIDLONGSTRING_REQUESTCACHE_ENABLED \
          | tenrec.command.Quotes.byId(long, String).requestCache.enabled
          TENREC_COMMAND_A_BC_FALLBACK_ENABLED | tenrec.command.a_b-c.fallback.enabled
          tenrec_command_getquote_fallback_enabled | tenrec.command.GetQuote.fallback.enabled
          TENREC_THREADPOOL_PRICING_CORESIZE | tenrec.threadpool.Pricing.coreSize
          TENREC_COLLAPSER_QUOTES_ALL_TIMERDELAYINMILLISECONDS \
          | tenrec.collapser.Quotes.all.timerDelayInMilliseconds
          TENREC_SEMAPHORE_DEFAULT_MAXCONCURRENTREQUESTS \
          | tenrec.semaphore.default.maxConcurrentRequests
          TENREC_RATELIMITER_DEFAULT_PERMITS | tenrec.ratelimiter.default.permits
          TENREC_RETRYBUDGET_DEFAULT_PERSECOND | tenrec.retrybudget.default.perSecond
          TENREC_COMMAND_GETQUOTE_RATELIMITER_PERIODINMILLISECONDS \
          | tenrec.command.GetQuote.rateLimiter.periodInMilliseconds
          """)
  void variable_standsForAPropertyOfAKnownKey(String variable, String property) {
    assertThat(variables.property(variable)).isEqualTo(property);
    assertThat(complaints).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TENREC_COMMAND_QUOTES_BYSKU_FALLBACK_ENABLED \
          | each of these keys of a command: Quotes.bySku, quotes.bysku
          TENREC_COMMAND_QUOTE_FALLBACK_ENABLED \
          | stands for no command that annotations name by a key without expressions
          TENREC_COMMAND_GET_QUOTE_FALLBACK_ENABLED \
          | stands for no command that annotations name by a key without expressions
          TENREC_SEMAPHORE_STOCK_MAXCONCURRENTREQUESTS \
          | names a semaphore, and of these a variable can stand for default only
          TENREC_RATELIMITER_STOCK_PERMITS \
          | names a ratelimiter, and of these a variable can stand for default only
          TENREC_RETRYBUDGET_STOCK_PERCENT \
          | names a retrybudget, and of these a variable can stand for default only
          TENREC_COMMAND_GETQUOTE_FALLBACK_ENABELD | ends in no property of a command
          TENREC_THREADPOOL_CORESIZE | ends in no property of a threadpool
          TENREC_COMAND_GETQUOTE_FALLBACK_ENABLED | names no scope; TENREC_COMMAND_ is one
          TENREC_ANNOTATIONS_ODER | nearly, but not, TENREC_ANNOTATIONS_ORDER
          TENREC_PROPERTIS_FILE | nearly, but not, TENREC_PROPERTIESFILE
          """)
  void variable_thatIsNotPlain_isReportedAndNotUsed(String variable, String why) {
    assertThat(variables.property(variable)).isNull();
    assertThat(complaints)
        .singleElement()
        .satisfies(
            message ->
                assertThat(message).contains("The environment variable " + variable).contains(why));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "TENREC_PROPERTIES_FILE",
        "TENREC_PREFIX",
        "TENRECCOMMAND_A",
        "TENREC_HOME",
        "TENREC_NEWER_JDK"
      })
  void variable_ofOthers_isLeftAlone(String variable) {
    assertThat(variables.property(variable)).isNull();
    assertThat(complaints).isEmpty();
    assertThat(readings).as("classes are not read for it").hasValue(0);
  }

  @Test
  void keys_areReadOnce() {
    assertThat(variables.property("TENREC_COMMAND_GETQUOTE_FALLBACK_ENABLED")).isNotNull();
    assertThat(variables.property("TENREC_THREADPOOL_PRICING_CORESIZE")).isNotNull();

    assertThat(readings).hasValue(1);
  }

  @Test
  void writtenProperties_endInNoOther_soThatANameCanBeTakenApart() throws Exception {
    for (Class<?> scope :
        List.of(
            CommandProperties.class,
            PoolProperties.class,
            SemaphoreProperties.class,
            RateLimiterProperties.class,
            RetryBudgetProperties.class,
            CollapserProperties.class)) {
      List<String> written = new ArrayList<>();
      for (Field field : scope.getFields()) {
        written.add(EnvironmentVariables.written(((Property<?>) field.get(null)).name()));
      }
      assertThat(written)
          .isNotEmpty()
          .doesNotHaveDuplicates()
          .allSatisfy(name -> assertThat(written).noneMatch(other -> other.endsWith("_" + name)));
    }
  }

  static class Quotes {

    @Command(groupKey = "Pricing", timeout = "none")
    public int bySku() {
      return 7;
    }

    @Collapsed(batchMethod = "all")
    public int byId(int id) {
      throw new AssertionError("never runs");
    }

    @Command(commandKey = "all-quotes")
    List<Integer> all(List<Integer> ids) {
      return ids;
    }
  }

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    @Lazy
    Quotes quotes() {
      return new Quotes();
    }
  }

  /** An application with these variables, and these properties in its application.properties. */
  private ConfigurableApplicationContext run(
      Map<String, Object> variables, List<String> properties, String... more) throws IOException {
    Files.write(directory.resolve("application.properties"), properties);
    StandardEnvironment environment =
        new StandardEnvironment() {
          @Override
          public Map<String, Object> getSystemEnvironment() {
            return variables;
          }
        };
    return new SpringApplicationBuilder(Application.class)
        .environment(environment)
        .web(WebApplicationType.NONE)
        .properties("spring.config.location=file:" + directory + "/", "spring.main.banner-mode=off")
        .properties(more)
        .run();
  }

  private static final String FORCE_OPEN = "TENREC_COMMAND_QUOTES_BYSKU_CIRCUITBREAKER_FORCEOPEN";
  private static final String FORCE_OPEN_PROPERTY =
      "tenrec.command.Quotes.bySku.circuitBreaker.forceOpen";

  private static void assertOpen(ThrowingCallable call) {
    assertThat(org.assertj.core.api.Assertions.catchThrowable(call))
        .isInstanceOf(CircuitOpenException.class);
  }

  @Test
  void variables_areStrongerThanApplicationProperties() throws IOException {
    try (var context =
        run(
            Map.of(
                FORCE_OPEN,
                "${open:true}",
                "TENREC_THREADPOOL_PRICING_CORESIZE",
                "3",
                "TENREC_COMMAND_ALLQUOTES_FALLBACK_ENABLED",
                "false"),
            List.of(FORCE_OPEN_PROPERTY + "=false", "tenrec.threadpool.Pricing.coreSize=4"))) {
      Quotes quotes = context.getBean(Quotes.class);
      assertOpen(quotes::bySku);
      assertThat(context.getBean(Tenrec.class).pools())
          .filteredOn(pool -> pool.key().equals("Pricing"))
          .singleElement()
          .satisfies(pool -> assertThat(pool.coreSize()).isEqualTo(3));
    }
  }

  @Test
  void variables_areWeakerThanTheWatchedFile_andThanMemory() throws IOException {
    Path file = directory.resolve("tenrec.properties");
    Files.writeString(file, FORCE_OPEN_PROPERTY + "=false");
    try (var context =
        run(Map.of(FORCE_OPEN, "true", "TENREC_PROPERTIES_FILE", file.toString()), List.of())) {
      Quotes quotes = context.getBean(Quotes.class);
      assertThat(quotes.bySku()).isEqualTo(7);
      context.getBean(Tenrec.class).set(FORCE_OPEN_PROPERTY, "true");
      assertOpen(quotes::bySku);
    }
  }

  @Test
  void variables_takeTheChosenPrefix() throws IOException {
    Map<String, Object> variables =
        Map.of("TENREC_PREFIX", "hystrix", FORCE_OPEN.replace("TENREC", "HYSTRIX"), "true");
    try (var context = run(variables, List.of())) {
      assertOpen(context.getBean(Quotes.class)::bySku);
    }
  }

  @Test
  void variable_thatMeansNothing_doesNotStopTheStart() throws IOException {
    try (var context = run(Map.of(FORCE_OPEN.replace("BYSKU", "BYSKO"), "true"), List.of())) {
      assertThat(context.getBean(Quotes.class).bySku()).isEqualTo(7);
    }
  }
}
