// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static dev.tenrec.actuator.Shop.encoded;
import static dev.tenrec.actuator.Shop.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.view.CircuitState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** The endpoint as it is unless its access is set, in a WebFlux application. */
class ReadOnlyTest {

  private static Shop shop;

  @BeforeAll
  static void start() {
    shop = Shop.start(WebApplicationType.REACTIVE, "shop.second-registry=true");
    shop.call(Shop.QUOTES);
    shop.call(Shop.ODD_KEY);
  }

  @AfterAll
  static void stop() {
    shop.close();
  }

  @Test
  void reads_ofAnyKey_areAnswered() throws Exception {
    assertThat(json(shop.get("/tenrec"))).containsEntry("commands", 2);
    assertThat(json(shop.get("/tenrec/commands/Quotes"))).containsEntry("key", "Quotes");
    assertThat(json(shop.get("/tenrec/explain?key=" + encoded(Shop.ODD_KEY))))
        .containsEntry("key", Shop.ODD_KEY);
    assertThat(shop.get("/tenrec/commands/None").statusCode()).isEqualTo(404);
  }

  @Test
  void writes_withoutAccess_areTurnedAwayAndChangeNothing() throws Exception {
    String property = "tenrec.command.Quotes.circuitBreaker.forceOpen";
    // without bodies: a server that leaves one unread resets the connection, and maybe its answer
    for (String path : List.of("/tenrec/settings", "/tenrec/metrics", "/tenrec/circuits")) {
      assertThat(shop.post(path, "").statusCode()).as(path).isIn(404, 405);
    }
    assertThat(shop.delete("/tenrec/settings?property=" + property).statusCode()).isIn(404, 405);
    assertThat(shop.tenrec.commands())
        .allMatch(command -> command.circuitState() == CircuitState.CLOSED);
  }

  @Test
  void healthAndMeters_areThereToo() throws Exception {
    assertThat(json(shop.get("/health/tenrec"))).containsEntry("status", "UP");
    assertThat(shop.get("/prometheus").body()).contains("tenrec_command_events_total{");
  }

  @Test
  void registries_ofAComposite_eachHaveTheMeters() {
    assertThat(
            shop.bean(SimpleMeterRegistry.class)
                .get("tenrec.command.events")
                .tags("command", Shop.ODD_KEY, "event", "success")
                .functionCounter()
                .count())
        .isEqualTo(5);
  }
}
