// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import com.netflix.config.ConfigurationManager;
import com.netflix.turbine.init.TurbineInit;
import dev.tenrec.console.Browser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Netflix' own dashboard shows the stream, of one JVM and of two that Turbine adds up. */
@Tag("external")
class RealDashboardTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  /** The events that the dashboard shows, by the class of their figure there. */
  private static final Map<String, String> SHOWN =
      Map.of(
          "success", "SUCCESS",
          "failure", "FAILURE",
          "timeout", "TIMEOUT",
          "shortCircuited", "SHORT_CIRCUITED",
          "badRequest", "BAD_REQUEST");

  /** Warns of each thread that the dashboard's proxy leaves; kept, or its level would go. */
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  @TempDir Path directory;

  private final List<Instance> instances = new ArrayList<>();
  private Browser browser;
  private Site site;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.open();
    TOMCAT.setLevel(Level.SEVERE);
    site = new Site(Path.of(System.getProperty("tenrec.test.dashboard")), directory);
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (site != null) {
      site.close();
    }
    instances.forEach(Instance::close);
  }

  private void awaitFigures(String command) {
    Map<String, String> expected = new HashMap<>();
    SHOWN.forEach(
        (figure, event) ->
            expected.put(
                figure,
                String.valueOf(
                    instances.stream()
                        .mapToInt(each -> each.figure(command + "." + event))
                        .sum())));
    await(command + " as its views have counted")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Map<String, String> shown = new HashMap<>();
              SHOWN.forEach(
                  (figure, event) ->
                      shown.put(
                          figure,
                          browser
                              .text("#CIRCUIT_" + command + "_0 .counters ." + figure)
                              .replace(",", "")));
              assertThat(shown).isEqualTo(expected);
            });
  }

  private void showsAll(String stream) throws Exception {
    browser.driver.get(site.dashboardOf(stream));
    awaitFigures("GetQuote");
    awaitFigures("GetReviews");
    browser.awaitText("#CIRCUIT_GetReviews_0 .circuitStatus", "Circuit Open");
    browser.awaitText("#THREAD_POOL_PricingThreads_0 .name", "PricingThreads");
    browser.awaitText("#dependencies_0 .name", "Odd");
    assertThat(browser.all(".name b")).isEmpty();
    browser.screenshot("hystrix-dashboard-" + instances.size());
  }

  @Test
  void dashboard_ofOneJvm_showsWhatItsViewsHaveCounted() throws Exception {
    instances.add(Instance.start(30));
    showsAll("http://" + instances.get(0).address() + "/hystrix.stream");
  }

  @Test
  void dashboard_ofTurbineOverTwoJvms_showsTheSumOfWhatTheirViewsHaveCounted() throws Exception {
    instances.add(Instance.start(30));
    instances.add(Instance.start(13));
    ConfigurationManager.getConfigInstance()
        .setProperty("turbine.aggregator.clusterConfig", "default");
    ConfigurationManager.getConfigInstance()
        .setProperty("turbine.instanceUrlSuffix", "/hystrix.stream");
    ConfigurationManager.getConfigInstance()
        .setProperty(
            "turbine.ConfigPropertyBasedDiscovery.default.instances",
            instances.get(0).address() + "," + instances.get(1).address());
    TurbineInit.init();
    try {
      showsAll(site.turbine());
      assertThat(browser.text("#CIRCUIT_GetQuote_0 .tableRow .data")).contains("2");
    } finally {
      TurbineInit.stop();
    }
  }
}
