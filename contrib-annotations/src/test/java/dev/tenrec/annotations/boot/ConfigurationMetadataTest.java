// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.internal.declaration.FaultRules;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What editors of Boot's properties complete is what there is. */
class ConfigurationMetadataTest {

  private static final Pattern NAME = Pattern.compile("\"name\": \"([^\"]+\\.default\\.[^\"]+)\"");

  private static String json() throws IOException {
    try (InputStream in =
        TenrecAutoConfiguration.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void globalProperties_areAllThere() throws IOException {
    String json = json();
    List<String> expected =
        Stream.of(
                CommandProperties.class,
                PoolProperties.class,
                SemaphoreProperties.class,
                RateLimiterProperties.class,
                RetryBudgetProperties.class,
                CollapserProperties.class)
            .flatMap(type -> Arrays.stream(type.getFields()))
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(ConfigurationMetadataTest::property)
            .filter(property -> !property.onlyPerInstance())
            .map(property -> "tenrec." + property.scope() + ".default." + property.name())
            .collect(Collectors.toCollection(ArrayList::new));
    FaultRules.NAMES.forEach(name -> expected.add("tenrec.command.default." + name));

    assertThat(NAME.matcher(json).results().map(found -> found.group(1)).distinct().toList())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(json)
        .contains(TenrecAutoConfiguration.FILE_PROPERTY, TenrecAutoConfiguration.PREFIX_PROPERTY)
        .contains("tenrec.annotations.order", "tenrec.annotations.request-context")
        .contains(
            "tenrec.annotations.refusals-are-callers-fault", "tenrec.annotations.in-transaction");
  }

  @ParameterizedTest
  @CsvSource({"command", "threadpool", "semaphore", "ratelimiter", "retrybudget", "collapser"})
  void anyKey_hasTheTreeOfItsPropertiesToComplete(String scope) throws Exception {
    Matcher type =
        Pattern.compile(
                "\"name\": \"tenrec\\."
                    + scope
                    + "\",\\s+\"type\": \"java.util.Map<java.lang.String,([\\w.]+)>\"")
            .matcher(json());
    assertThat(type.find()).isTrue();
    List<String> expected = new ArrayList<>();
    for (List<Property<?>> all :
        List.of(
            CommandProperties.all(),
            PoolProperties.all(),
            SemaphoreProperties.all(),
            RateLimiterProperties.all(),
            RetryBudgetProperties.all(),
            CollapserProperties.all())) {
      if (all.get(0).scope().equals(scope)) {
        all.forEach(property -> expected.add(property.name()));
      }
    }
    if (scope.equals("command")) {
      expected.addAll(FaultRules.NAMES);
    }
    List<String> found = new ArrayList<>();
    collect("", Class.forName(type.group(1)), found);
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void collect(String path, Class<?> tree, List<String> found) throws Exception {
    for (PropertyDescriptor property : Introspector.getBeanInfo(tree).getPropertyDescriptors()) {
      assertThat(property.getWriteMethod()).as(path + property.getName()).isNotNull();
      Class<?> type = property.getPropertyType();
      if (type.getEnclosingClass() != null && type.isInterface()) {
        collect(path + property.getName() + ".", type, found);
      } else {
        found.add(path + property.getName());
      }
    }
  }

  private static Property<?> property(java.lang.reflect.Field field) {
    try {
      return (Property<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
