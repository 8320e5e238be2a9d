// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.common.bulkhead.configuration.CommonBulkheadConfigurationProperties;
import io.github.resilience4j.common.bulkhead.configuration.CommonThreadPoolBulkheadConfigurationProperties;
import io.github.resilience4j.common.circuitbreaker.configuration.CommonCircuitBreakerConfigurationProperties;
import io.github.resilience4j.common.ratelimiter.configuration.CommonRateLimiterConfigurationProperties;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties;
import io.github.resilience4j.common.timelimiter.configuration.CommonTimeLimiterConfigurationProperties;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import java.beans.Introspector;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page for those who come from Resilience4j leaves none of its names out. Here, where that
 * library is.
 */
class Resilience4jNamesTest {

  private static final Pattern NAME = Pattern.compile("`@?([A-Za-z]+)[^`]*`");

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "migration-resilience4j.md"));
  }

  private static String between(String from, String to) throws IOException {
    String page = page();
    int begin = page.indexOf(from);
    int end = page.indexOf(to, begin);
    assertThat(begin).as(from).isNotNegative();
    assertThat(end).as(to).isNotNegative();
    return page.substring(begin, end);
  }

  /** What stands in the first column of tables, or in a sentence. */
  private static Set<String> names(String part) {
    return part.lines()
        .filter(line -> line.startsWith("|") || line.startsWith("Of the same name"))
        .map(line -> line.startsWith("|") ? line.split("\\|", -1)[1] : line)
        .flatMap(cell -> NAME.matcher(cell).results().map(found -> found.group(1)))
        .collect(Collectors.toSet());
  }

  private static final String CIRCUIT = "Of `resilience4j.circuitbreaker.instances";
  private static final String LIMITS = "Of `resilience4j.timelimiter.instances";
  private static final String OTHERS = "Of `resilience4j.retry.instances";
  private static final String SAME = "Of the same name";

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(
            CommonCircuitBreakerConfigurationProperties.InstanceProperties.class, CIRCUIT, LIMITS),
        Arguments.of(
            CommonTimeLimiterConfigurationProperties.InstanceProperties.class, LIMITS, OTHERS),
        Arguments.of(
            CommonBulkheadConfigurationProperties.InstanceProperties.class, LIMITS, OTHERS),
        Arguments.of(
            CommonThreadPoolBulkheadConfigurationProperties.InstanceProperties.class,
            LIMITS,
            OTHERS),
        Arguments.of(CommonRetryConfigurationProperties.InstanceProperties.class, OTHERS, SAME),
        Arguments.of(
            CommonRateLimiterConfigurationProperties.InstanceProperties.class, OTHERS, SAME));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void properties_ofEachKind_areAllThere(Class<?> kind, String from, String to) throws Exception {
    List<String> properties =
        Arrays.stream(kind.getMethods())
            .map(Method::getName)
            .filter(name -> name.startsWith("set"))
            .map(name -> Introspector.decapitalize(name.substring(3)))
            .distinct()
            .toList();
    Set<String> own = names(between(from, to));
    own.addAll(names(between(SAME, "\n\n")));

    assertThat(properties).isNotEmpty();
    assertThat(own).containsAll(properties);
  }

  @Test
  void annotations_andTheirAttributes_areAllThere() throws Exception {
    String part = between("## Annotations", "## By Spring Cloud");
    for (Class<?> annotation :
        List.of(
            CircuitBreaker.class,
            Bulkhead.class,
            TimeLimiter.class,
            Retry.class,
            RateLimiter.class)) {
      assertThat(part).contains("`@" + annotation.getSimpleName());
      for (Method attribute : annotation.getDeclaredMethods()) {
        assertThat(part).as("%s", attribute).containsPattern("\\b" + attribute.getName() + "\\b");
      }
    }
  }
}
