// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.internal.declaration.FaultRules;
import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What docs/migration-resilience4j.md says of Tenrec is there. */
class Resilience4jPageTest {

  private static final String PAGE = "docs/migration-resilience4j.md";

  record Quote(String sku, int cents) {
    static Quote unknown(String sku) {
      return new Quote(sku, 0);
    }
  }

  static class Pricing {
    Quote quote(String sku) {
      if (sku.isBlank()) {
        throw new IllegalArgumentException("no sku");
      }
      return new Quote(sku, 100);
    }
  }

  static class Quotes {
    private final Pricing pricing = new Pricing();

    @Command(
        commandKey = "quotes",
        isolation = IsolationStrategy.SEMAPHORE,
        fallbackMethod = "unknown",
        ignoreExceptions = IllegalArgumentException.class)
    public Quote quote(String sku) throws Exception {
      return pricing.quote(sku);
    }

    Quote unknown(String sku, CircuitOpenException open) {
      return Quote.unknown(sku);
    }

    Quote unknown(String sku, CommandTimeoutException late) {
      return Quote.unknown(sku);
    }
  }

  @EnableCommands
  @Configuration(proxyBeanMethods = false)
  static class Shop {

    @Bean
    static Tenrec tenrec() throws Exception {
      return Tenrec.builder().baseProperties(properties()).build();
    }

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  private static String page() throws Exception {
    return page(PAGE);
  }

  private static String page(String path) throws Exception {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(path))) { // the tests run in two modules
      root = root.getParent();
    }
    return Files.readString(root.resolve(path));
  }

  /** The last block of properties of the page. */
  private static Map<String, String> properties() throws Exception {
    Properties last = new Properties();
    Matcher block = Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL).matcher(page());
    while (block.find()) {
      last.clear();
      last.load(new StringReader(block.group(1)));
    }
    Map<String, String> properties = new TreeMap<>();
    last.stringPropertyNames().forEach(name -> properties.put(name, last.getProperty(name)));
    return properties;
  }

  @Test
  void java_isCompiledAsItStands() throws Exception {
    Snippets.areIn(PAGE, "Resilience4jPageTest");
  }

  @Test
  void propertiesAndAnnotation_haveTheirEffect() throws Exception {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Shop.class)) {
      Quotes quotes = context.getBean(Quotes.class);
      Tenrec tenrec = context.getBean(Tenrec.class);
      assertThat(tenrec.refusedSettings()).isZero();
      assertThat(tenrec.resolvedSettings().effective())
          .filteredOn(setting -> setting.level() == SettingLevel.INSTANCE)
          .extracting(EffectiveSetting::value)
          .containsExactlyInAnyOrder("40", "50", "30000", "10000", "3", "300", "25");
      // longer than the page's 300 ms, whatever else the machine does
      tenrec.set(
          "tenrec.command.quotes.execution.isolation.thread.timeout-in-milliseconds", "30000");
      assertThat(quotes.quote("a").cents()).isEqualTo(100);
      assertThatThrownBy(() -> quotes.quote(" ")).isInstanceOf(IllegalArgumentException.class);
      tenrec.set("tenrec.command.quotes.circuit-breaker.force-open", "true");
      assertThat(quotes.quote("a").cents()).isZero();
    }
  }

  @Test
  void everyPropertyOfTheTables_isThere_withItsDefault() throws Exception {
    List<String> found = new ArrayList<>();
    String tables = page().substring(0, page().indexOf("## Meters"));
    for (String row : tables.lines().filter(line -> line.startsWith("| `")).toList()) {
      Matcher property =
          Pattern.compile(
                  "\\| `(?:tenrec\\.(?:command|threadpool)\\.<key>\\.)?([\\w.-]+)` (-?\\w+)[ ,]")
              .matcher(row.substring(row.indexOf(" | ") + 1));
      if (property.lookingAt()) {
        found.add(property.group(1));
        String stated = property.group(2);
        if (FaultRules.NAMES.stream().noneMatch(name -> kebab(name).equals(property.group(1)))) {
          Property<?> named =
              Stream.concat(CommandProperties.all().stream(), PoolProperties.all().stream())
                  .filter(one -> one.name().equals(property.group(1)))
                  .findFirst()
                  .orElseThrow(() -> new AssertionError(property.group(1) + " is no property"));
          assertThat(stated).as(named.name()).isEqualTo(named.write(named.defaultValue()));
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(12).contains("stack-traces", "coreSize");
  }

  @Test
  void everyEventOfTheTables_isThere() throws Exception {
    List<String> events =
        Pattern.compile("EventType\\.(\\w+)")
            .matcher(page())
            .results()
            .map(event -> event.group(1))
            .toList();
    assertThat(events).hasSizeGreaterThan(8).allSatisfy(EventType::valueOf);
  }

  /** The page of meters is compared with the meters themselves by their own module. */
  @Test
  void everyMeterOfTheTables_isOnThePageOfMeters() throws Exception {
    Set<String> published = meters(page("docs/how-to/micrometer.md"));
    Set<String> named = meters(page().substring(page().indexOf("## Meters")));

    assertThat(named).hasSizeGreaterThan(8);
    assertThat(published).containsAll(named);
  }

  /** The names in tables; one that begins with a dot goes on from the first of its cell. */
  private static Set<String> meters(String page) {
    Set<String> all = new TreeSet<>();
    for (String row : page.lines().filter(line -> line.startsWith("|")).toList()) {
      String first = "";
      for (MatchResult name :
          Pattern.compile("`((?:tenrec)?\\.[a-z.]+)`").matcher(row).results().toList()) {
        String written = name.group(1);
        if (written.startsWith(".") && first.isEmpty()) {
          continue; // of another library's
        }
        if (written.startsWith(".")) {
          all.add(first + written);
          all.add(first.replaceAll("\\.[a-z]+$", "") + written);
        } else {
          first = written;
          all.add(written);
        }
      }
    }
    return all;
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
