// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.springcloud.boot.CircuitBreakerAutoConfiguration;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.json.JsonParserFactory;

/** What editors of Boot's properties complete is what there is. */
class ConfigurationMetadataTest {

  @Test
  void switch_asDescribed_isThatOfTheAutoConfiguration() throws Exception {
    String json;
    try (InputStream in =
        TenrecCircuitBreakerFactory.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<?> properties =
        (List<?>) JsonParserFactory.getJsonParser().parseMap(json).get("properties");
    ConditionalOnProperty condition =
        CircuitBreakerAutoConfiguration.class.getAnnotation(ConditionalOnProperty.class);

    assertThat(properties).hasSize(1);
    Map<?, ?> enabled = (Map<?, ?>) properties.get(0);
    assertThat(enabled.get("name")).isEqualTo(condition.name()[0]);
    assertThat(enabled.get("defaultValue")).hasToString(String.valueOf(condition.matchIfMissing()));
  }
}
