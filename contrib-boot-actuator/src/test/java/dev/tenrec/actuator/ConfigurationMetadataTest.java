// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.actuator.internal.TenrecEndpoint;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.json.JsonParserFactory;

/** What editors of Boot's properties complete is what there is. */
class ConfigurationMetadataTest {

  @Test
  void access_asDescribed_isTheEndpointsOwn() throws Exception {
    String json;
    try (InputStream in =
        TenrecEndpoint.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<?> properties =
        (List<?>) JsonParserFactory.getJsonParser().parseMap(json).get("properties");
    Map<?, ?> access = (Map<?, ?>) properties.get(0);
    WebEndpoint endpoint = TenrecEndpoint.class.getAnnotation(WebEndpoint.class);

    assertThat(access.get("name")).isEqualTo("management.endpoint." + endpoint.id() + ".access");
    assertThat(access.get("type")).isEqualTo(endpoint.defaultAccess().getClass().getName());
    assertThat(access.get("defaultValue"))
        .isEqualTo(endpoint.defaultAccess().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    assertThat(properties)
        .filteredOn(
            each -> each.toString().contains("name=management.endpoint.tenrecconsole.access,"))
        .singleElement()
        .asString()
        .contains("defaultValue=read-only");
    assertThat(properties).hasSize(6);
  }
}
