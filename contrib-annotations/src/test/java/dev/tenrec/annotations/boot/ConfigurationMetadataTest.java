// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.SemaphoreProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What editors of Boot's properties complete is what there is. */
class ConfigurationMetadataTest {

  private static final Pattern NAME = Pattern.compile("\"name\": \"([^\"]+\\.default\\.[^\"]+)\"");

  @Test
  void globalProperties_areAllThere() throws IOException {
    String json;
    try (InputStream in =
        TenrecAutoConfiguration.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> expected =
        Stream.of(
                CommandProperties.class,
                PoolProperties.class,
                SemaphoreProperties.class,
                CollapserProperties.class)
            .flatMap(type -> Arrays.stream(type.getFields()))
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(ConfigurationMetadataTest::property)
            .filter(property -> !property.onlyPerInstance())
            .map(property -> "tenrec." + property.scope() + ".default." + property.name())
            .toList();

    assertThat(NAME.matcher(json).results().map(found -> found.group(1)).toList())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(json)
        .contains(TenrecAutoConfiguration.FILE_PROPERTY, TenrecAutoConfiguration.PREFIX_PROPERTY)
        .contains("tenrec.annotations.order", "tenrec.annotations.request-context")
        .contains(
            "tenrec.annotations.refusals-are-callers-fault", "tenrec.annotations.in-transaction");
  }

  private static Property<?> property(java.lang.reflect.Field field) {
    try {
      return (Property<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
