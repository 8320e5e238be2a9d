// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.internal.boot.InvalidSettingFailureAnalyzer;
import dev.tenrec.annotations.internal.boot.SettingsEndpoint;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings in the files of a Boot application, by Boot's rules. */
class BootSettingsTest {

  private static final String TIMEOUT = CommandProperties.TIMEOUT.name();
  private static final String KEBAB = "execution.isolation.thread.timeout-in-milliseconds";

  @TempDir Path directory;

  static class Quotes {

    @Command
    public int bySku() {
      return 7;
    }

    @Command
    public int never() throws InterruptedException {
      new CountDownLatch(1).await();
      return 0;
    }

    @Command(
        fallbackMethod = "other",
        ignoreExceptions = IllegalArgumentException.class,
        timeout = "30s")
    public String failing(Exception with) throws Exception {
      throw with;
    }

    String other(Exception with) {
      return "other";
    }

    @Command(attempts = 3, retryOn = IllegalArgumentException.class, timeout = "30s")
    public String repeated(Exception with) throws Exception {
      throw with;
    }

    @Command(attempts = 3, timeout = "30s")
    public String repeatedForAll(Exception with) throws Exception {
      throw with;
    }

    @Command(commandKey = "Stock-#{#p0}")
    public int stock(String where) {
      return where.length();
    }
  }

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }

    @Bean
    Predicate<Throwable> notFound() {
      return NoSuchFileException.class::isInstance;
    }
  }

  private void write(String file, String... lines) throws IOException {
    Files.write(directory.resolve(file), Arrays.asList(lines));
  }

  private ConfigurableApplicationContext run(String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.add("--spring.config.location=file:" + directory + "/");
    all.add("--spring.main.banner-mode=off");
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .run(all.toArray(new String[0]));
  }

  private static EffectiveSetting setting(
      ConfigurableApplicationContext context, String key, String property) {
    return context.getBean(Tenrec.class).resolvedSettings().effective().stream()
        .filter(one -> one.key().equals(key) && one.property().equals(property))
        .findFirst()
        .orElseThrow(() -> new AssertionError(key + " has no " + property));
  }

  private static String timeout(ConfigurableApplicationContext context) {
    return setting(context, "Quotes.bySku", TIMEOUT).value();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenrec.command.Quotes.bySku." + KEBAB + "=10ms",
        "tenrec.command[Quotes.bySku]." + KEBAB + "=10",
        "tenrec.command[Quotes.bySku].execution.isolation.thread.timeoutInMilliseconds=PT0.01S",
        "tenrec.command.default." + KEBAB + "=${wait:10ms}"
      })
  void timeout_inAnySpelling_counts(String line) throws IOException {
    write("application.properties", line);
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context = run()) {
      assertThat(timeout(context)).isEqualTo("10");
      if (line.contains("default")) {
        assertThat(catchThrowable(() -> context.getBean(Quotes.class).never()))
            .isInstanceOf(CommandTimeoutException.class);
      }
      assertThat(printed.warnings()).isEmpty();
    }
  }

  @Test
  void yaml_withBracketsAndKebab_counts() throws IOException {
    write(
        "application.yml",
        "tenrec:",
        "  command:",
        "    '[Quotes.bySku]':",
        "      execution.isolation.thread.timeout-in-milliseconds: 2s",
        "      circuit-breaker:",
        "        force-open: true",
        "      fallback.isolation.semaphore.max-concurrent-requests: 3",
        "  thread-pool:",
        "    Quotes:",
        "      core-size: 3");
    try (ConfigurableApplicationContext context = run()) {
      assertThat(timeout(context)).isEqualTo("2000");
      assertThat(setting(context, "Quotes.bySku", "circuitBreaker.forceOpen").value())
          .isEqualTo("true");
      assertThat(
              setting(context, "Quotes.bySku", CommandProperties.FALLBACK_MAX_CONCURRENT.name())
                  .value())
          .isEqualTo("3");
      Tenrec tenrec = context.getBean(Tenrec.class);
      assertThat(tenrec.resolvedSettings().properties())
          .containsEntry("tenrec.threadpool.Quotes.coreSize", "3")
          .containsEntry("tenrec.command.Quotes.bySku." + TIMEOUT, "2s")
          .doesNotContainKey("tenrec.thread-pool.Quotes.core-size");
      assertThat(tenrec.refusedSettings()).isZero();
    }
  }

  @Test
  void profile_importedFileAndArgument_rankAsInBoot() throws IOException {
    write(
        "application.properties",
        "spring.config.import=optional:file:" + directory + "/more.properties",
        "tenrec.command.Quotes.bySku." + TIMEOUT + "=1001",
        "tenrec.threadpool.Quotes.coreSize=1",
        "tenrec.threadpool.Quotes.maxQueueSize=1");
    write(
        "more.properties",
        "tenrec.command.Quotes.bySku." + KEBAB + "=2s",
        "tenrec.thread-pool.Quotes.core-size=2");
    write("application-live.properties", "tenrec.command[Quotes.bySku]." + KEBAB + "=3m");
    try (ConfigurableApplicationContext context =
        run("--spring.profiles.active=live", "--tenrec.thread-pool.Quotes.core-size=${cores:4}")) {
      assertThat(timeout(context)).as("the profile over the import").isEqualTo("180000");
      assertThat(context.getBean(Quotes.class).bySku()).isEqualTo(7);
      assertThat(setting(context, "Quotes", PoolProperties.CORE_SIZE.name()).value())
          .as("the command line over all")
          .isEqualTo("4");
      assertThat(setting(context, "Quotes", PoolProperties.MAX_QUEUE_SIZE.name()).value())
          .isEqualTo("1");
    }
    try (ConfigurableApplicationContext context = run()) {
      assertThat(timeout(context)).as("the import over the file that imports").isEqualTo("2000");
    }
  }

  @Test
  void unknownNamesScopesAndKeys_areWarnedAboutOnce_withTheNearest() throws IOException {
    write(
        "application.properties",
        "tenrec.command.Quotes.bySku.fallback.enabeld=true",
        "tenrec.command[Quotes.never].fallbak.enabled=true",
        "tenrec.comand.Quotes.bySku.fallback.enabled=true",
        "tenrec.command.Quotes.bySkuu." + KEBAB + "=10ms",
        "tenrec.command.Quotes.bySkuu.fallback.enabled=true",
        "tenrec.command.quotes.never.stack-traces=true",
        "tenrec.threadpool.Qoutes.coreSize=3",
        "tenrec.propertys-file=x",
        "tenrec.annotations.ordr=1",
        // nothing is wrong with these
        "tenrec.command.Stock-Bern.fallback.enabled=true",
        "tenrec.threadpool.Quotes.coreSize=3",
        "tenrec.threadpool.Other.coreSize=3",
        "tenrec.command.Quotes.never.threadPoolKeyOverride=Other",
        "tenrec.shop.name=Bern");
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context = run()) {
      assertThat(printed.warnings())
          .hasSize(8)
          .anyMatch(line -> line.contains("fallback.enabeld: names no property of a command; near"))
          .anyMatch(line -> line.contains("Quotes.never.fallbak.enabled: names no property"))
          .anyMatch(line -> line.contains("'comand' is no scope"))
          .anyMatch(
              line ->
                  line.contains("No command has the key 'Quotes.bySkuu'")
                      && line.contains("tenrec.command.Quotes.bySkuu.fallback.enabled")
                      && line.contains(TIMEOUT)
                      && line.endsWith("nearest key: Quotes.bySku"))
          .anyMatch(
              line ->
                  line.contains("No command has the key 'quotes.never'")
                      && line.endsWith("nearest key: Quotes.never"))
          .anyMatch(
              line ->
                  line.contains("No threadpool has the key 'Qoutes'")
                      && line.endsWith("nearest key: Quotes"))
          .anyMatch(line -> line.endsWith("nearest name: tenrec.properties-file"))
          .anyMatch(line -> line.endsWith("nearest name: tenrec.annotations.order"));
      context.publishEvent(
          new ApplicationReadyEvent(
              new SpringApplication(Application.class), new String[0], context, Duration.ZERO));
      assertThat(printed.warnings()).as("once").hasSize(8);
    }
  }

  @Test
  void unknownNamesAndKeys_ofTheWatchedFile_areWarnedAboutOnce_withTheNearest() throws IOException {
    write(
        "watched.properties",
        "tenrec.command[Quotes.bySku]." + KEBAB + "=40ms",
        "tenrec.command.Quotes.bySku.fallback.enabeld=true",
        "tenrec.command.Quotes.nver.fallback.enabled=true");
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context =
            run("--tenrec.properties-file=" + directory.resolve("watched.properties"))) {
      assertThat(timeout(context)).isEqualTo("40");
      assertThat(printed.warnings())
          .hasSize(2)
          .anyMatch(line -> line.contains("fallback.enabeld: names no property of a command; near"))
          .anyMatch(line -> line.endsWith("nearest key: Quotes.never"));
    }
  }

  /** Builds a command when its runners run, after the context's refresh. */
  @Configuration(proxyBeanMethods = false)
  static class Later {

    @Bean
    ApplicationRunner builder(Tenrec tenrec) {
      return arguments -> {
        var unused = tenrec.command("Later", (String sku) -> sku).build();
      };
    }
  }

  @Test
  void keyOfACommandThatARunnerBuilds_isNotWarnedOf() {
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context =
            new SpringApplicationBuilder(Application.class, Later.class)
                .web(WebApplicationType.NONE)
                .run(
                    "--tenrec.command.Later.fallback.enabled=false",
                    "--tenrec.command.Never.fallback.enabled=false")) {
      assertThat(context.isActive()).isTrue();
      assertThat(printed.warnings())
          .anyMatch(line -> line.contains("No command has the key 'Never' yet"))
          .noneMatch(line -> line.contains("'Later'"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Own {

    @Bean
    Tenrec own() {
      return Tenrec.create();
    }
  }

  @Test
  void tenrecOfTheApplications_thatDoesNotGoByTheEnvironment_isWarnedOfOnce() {
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context =
            new SpringApplicationBuilder(Application.class, Own.class)
                .web(WebApplicationType.NONE)
                .run("--tenrec.command.default.fallback.enabled=false")) {
      assertThat(context.isActive()).isTrue();
      assertThat(printed.warnings())
          .filteredOn(line -> line.contains("is the application's own"))
          .hasSize(1);
    }
  }

  @Test
  void propertiesFile_thatIsMissing_stopsTheStart() {
    Path missing = directory.resolve("none.properties");
    Throwable thrown = catchThrowable(() -> run("--tenrec.propertiesFile=" + missing));
    assertThat(thrown)
        .rootCause()
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("tenrec.properties-file")
        .hasMessageContaining("must be a file that is there")
        .hasMessageContaining("optional:" + missing);
  }

  @Test
  void propertiesFile_thatIsOptional_mayComeLater() throws IOException {
    Path later = directory.resolve("later.properties");
    try (ConfigurableApplicationContext context =
        run("--tenrec.properties-file=optional:file:" + later)) {
      assertThat(timeout(context)).isEqualTo("1000");
      Files.writeString(later, "tenrec.command[Quotes.bySku]." + KEBAB + "=50ms");
      org.awaitility.Awaitility.await()
          .atMost(PatientWaits.patience())
          .until(() -> timeout(context).equals("50"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classpath:application.properties", "DIRECTORY"})
  void propertiesFile_thatIsNoFile_stopsTheStart(String file) {
    assertThatThrownBy(
            () ->
                run("--tenrec.properties-file=" + file.replace("DIRECTORY", directory.toString())))
        .rootCause()
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("must be a file");
  }

  @Test
  void order_thatIsNoNumber_namesItsProperty_andWhereItStands() throws IOException {
    write("application.properties", "# first", "tenrec.annotations.order=abc");
    Throwable thrown = catchThrowable(this::run);
    assertThat(thrown)
        .rootCause()
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "tenrec.annotations.order = abc: must be a whole number; smaller is further out");

    org.springframework.boot.env.OriginTrackedMapPropertySource source =
        new org.springframework.boot.env.OriginTrackedMapPropertySource(
            "file",
            java.util.Map.of(
                "tenrec.annotations.order",
                org.springframework.boot.origin.OriginTrackedValue.of(
                    "abc", (org.springframework.boot.origin.Origin) new Line())));
    org.springframework.core.env.StandardEnvironment environment =
        new org.springframework.core.env.StandardEnvironment();
    environment.getPropertySources().addFirst(source);
    FailureAnalysis analysis = new InvalidSettingFailureAnalyzer(environment).analyze(thrown);
    assertThat(analysis.getDescription())
        .contains("tenrec.annotations.order = abc, in line 2, is not right: it must be a whole");
  }

  private static final class Line implements org.springframework.boot.origin.Origin {
    @Override
    public String toString() {
      return "line 2";
    }
  }

  @Test
  void ignoredExceptions_ofSettings_areThoseOfTheKey_thenTheAnnotation_thenAll()
      throws IOException {
    write(
        "application.properties",
        "tenrec.command.default.ignore-exceptions=java.lang.ArithmeticException");
    try (ConfigurableApplicationContext context = run()) {
      Quotes quotes = context.getBean(Quotes.class);
      assertThatThrownBy(() -> quotes.failing(new IllegalArgumentException()))
          .as("the annotation's")
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(catchThrowable(() -> quotes.failing(new ArithmeticException()))).isNull();
    }
    write(
        "application.properties",
        "tenrec.command[Quotes.failing].ignoreExceptions="
            + "java.lang.ArithmeticException, java.io.IOException",
        "tenrec.command.Quotes.failing.stack-traces=true");
    try (ConfigurableApplicationContext context = run()) {
      Quotes quotes = context.getBean(Quotes.class);
      assertThatThrownBy(() -> quotes.failing(new ArithmeticException()))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> quotes.failing(new NoSuchFileException("x")))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(catchThrowable(() -> quotes.failing(new IllegalArgumentException())))
          .as("lists are not merged")
          .isNull();
      assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
    }
  }

  private interface Repeated {
    String call(Quotes quotes, Exception with) throws Exception;
  }

  /** How often this failure is attempted again. */
  private static long retries(
      ConfigurableApplicationContext context, Repeated method, Exception with) {
    Tenrec tenrec = context.getBean(Tenrec.class);
    long before = retries(tenrec);
    assertThatThrownBy(() -> method.call(context.getBean(Quotes.class), with)).isSameAs(with);
    return retries(tenrec) - before;
  }

  private static long retries(Tenrec tenrec) {
    return tenrec.commands().stream()
        .mapToLong(view -> view.cumulativeCount(EventType.RETRY))
        .sum();
  }

  @Test
  void retriedExceptions_ofSettings_areThoseOfTheKey_thenTheAnnotation_thenAll()
      throws IOException {
    // on a pool, a caller may take a failure for the last one whose thread is held up for long
    String here = "tenrec.command.default.execution.isolation.strategy=SEMAPHORE";
    String delay = "tenrec.command.default.retry.first-delay-in-milliseconds=1";
    String budget = "tenrec.command.default.retry.budget-per-second=100";
    Exception ofAll = new ArithmeticException();
    Exception annotated = new IllegalArgumentException();
    write(
        "application.properties",
        here,
        delay,
        budget,
        "tenrec.command.default.retry-on=java.lang.ArithmeticException");
    try (ConfigurableApplicationContext context = run()) {
      assertThat(retries(context, Quotes::repeated, annotated)).isEqualTo(2);
      assertThat(retries(context, Quotes::repeated, ofAll)).isZero();
      assertThat(retries(context, Quotes::repeatedForAll, ofAll)).isEqualTo(2);
      assertThat(retries(context, Quotes::repeatedForAll, annotated)).isZero();
    }
    write(
        "application.properties",
        here,
        delay,
        budget,
        "tenrec.command[Quotes.repeated].retryOn=java.lang.ArithmeticException,java.io.IOException");
    try (ConfigurableApplicationContext context = run()) {
      assertThat(retries(context, Quotes::repeated, ofAll)).isEqualTo(2);
      assertThat(retries(context, Quotes::repeated, new NoSuchFileException("x"))).isEqualTo(2);
      assertThat(retries(context, Quotes::repeated, annotated)).as("not merged").isZero();
      assertThat(retries(context, Quotes::repeatedForAll, annotated)).isEqualTo(2);
      assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
    }
  }

  @Test
  void predicateOfABean_ofSettings_isAsked() throws IOException {
    write("application.properties", "tenrec.command.default.ignore-if=notFound");
    try (ConfigurableApplicationContext context = run()) {
      Quotes quotes = context.getBean(Quotes.class);
      assertThatThrownBy(() -> quotes.failing(new NoSuchFileException("x")))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(catchThrowable(() -> quotes.failing(new IOException()))).isNull();
    }
  }

  @Test
  void stackTraces_ofSettings_areFilled() throws IOException {
    write(
        "application.properties",
        "tenrec.command.default." + KEBAB + "=10ms",
        "tenrec.command.Quotes.never.stackTraces=on");
    try (ConfigurableApplicationContext context = run()) {
      Throwable thrown = catchThrowable(() -> context.getBean(Quotes.class).never());
      assertThat(thrown.getStackTrace()).isNotEmpty();
    }
    write("application.properties", "tenrec.command.default." + KEBAB + "=10ms");
    try (ConfigurableApplicationContext context = run()) {
      Throwable thrown = catchThrowable(() -> context.getBean(Quotes.class).never());
      assertThat(thrown).isInstanceOf(CommandTimeoutException.class);
      assertThat(thrown.getStackTrace()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ignore-exceptions=no.such.Exception",
        "ignore-exceptions=java.lang.String",
        "retry-on=java.lang.ArithmeticException",
        "ignore-if=quotes",
        "ignore-if=nobody",
        "stack-traces=perhaps"
      })
  void settingOfFaults_thatIsWrong_stopsTheStart_andIsNamed(String setting) throws IOException {
    write("application.properties", "tenrec.command.Quotes.failing." + setting);
    assertThatThrownBy(this::run)
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining("tenrec.command.Quotes.failing.")
        .hasMessageContaining(setting.substring(setting.indexOf('=') + 1));
  }

  @Test
  void endpoint_hasTheSettingsInForce() throws IOException {
    write(
        "application.properties",
        "management.endpoints.web.exposure.include=tenrecsettings",
        "management.endpoints.jmx.exposure.include=tenrecsettings",
        "spring.jmx.enabled=true",
        "tenrec.command.Quotes.bySku." + KEBAB + "=10ms",
        "tenrec.command.default.fallback.enabled=no");
    try (ConfigurableApplicationContext context = run()) {
      SettingsEndpoint endpoint = context.getBean(SettingsEndpoint.class);
      SettingsEndpoint.Settings changed = endpoint.changed();
      assertThat(changed.prefix()).isEqualTo("tenrec");
      assertThat(changed.settings().get("command").get("Quotes.bySku"))
          .containsOnlyKeys(TIMEOUT, "fallback.enabled")
          .containsEntry(TIMEOUT, new SettingsEndpoint.Setting("10", "instance"))
          .containsEntry("fallback.enabled", new SettingsEndpoint.Setting("false", "global"));
      assertThat(endpoint.of("Quotes.bySku").settings().get("command").get("Quotes.bySku"))
          .hasSize(CommandProperties.all().size())
          .containsEntry("requestLog.enabled", new SettingsEndpoint.Setting("true", "default"));
      assertThat(endpoint.of("Nobody")).isNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnTenrec extends Application {

    @Bean(destroyMethod = "close")
    Tenrec own() {
      return Tenrec.create();
    }
  }

  @Test
  void refreshOfSpringCloud_leavesATenrecOfTheApplicationAlone() throws IOException {
    write("application.properties", "tenrec.command.Quotes.bySku." + KEBAB + "=10ms");
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(OwnTenrec.class)
            .web(WebApplicationType.NONE)
            .run(
                "--spring.config.location=file:" + directory + "/",
                "--spring.main.banner-mode=off")) {
      assertThat(timeout(context)).isEqualTo("1000");
      write("application.properties", "tenrec.command.Quotes.bySku." + KEBAB + "=20ms");
      context.getBean(ContextRefresher.class).refresh();
      assertThat(timeout(context)).isEqualTo("1000");
    }
  }

  @Test
  void endpoint_thatIsNotExposed_isNotThere() {
    try (ConfigurableApplicationContext context = run()) {
      assertThat(context.getBeansOfType(SettingsEndpoint.class)).isEmpty();
    }
  }

  @Test
  void refreshOfSpringCloud_reachesSettings() throws IOException {
    write("application.properties", "tenrec.command.Quotes.bySku." + KEBAB + "=10ms");
    try (Printed printed = new Printed();
        ConfigurableApplicationContext context = run()) {
      assertThat(timeout(context)).isEqualTo("10");
      write(
          "application.properties",
          "tenrec.command[Quotes.bySku]." + KEBAB + "=20ms",
          "tenrec.command.Quotes.bySkuh.fallback.enabled=false");
      context.getBean(ContextRefresher.class).refresh();
      assertThat(timeout(context)).isEqualTo("20");
      assertThat(printed.warnings())
          .singleElement()
          .satisfies(
              line -> assertThat(line).contains("Quotes.bySkuh", "nearest key: Quotes.bySku"));
      write("application.properties", "other=1");
      context.getBean(ContextRefresher.class).refresh();
      assertThat(timeout(context)).as("what was taken out").isEqualTo("1000");
    }
  }
}
