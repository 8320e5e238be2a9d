// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import com.netflix.config.ConfigurationManager;
import dev.tenrec.hystrix.HystrixTenrec;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import org.apache.commons.configuration.AbstractConfiguration;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Each test has a Tenrec of its own, and leaves this thread at no request. Commands that say no
 * time-out have time, and counts last, whatever else the machine does; Hystrix's own as well.
 */
public final class FreshHystrix implements BeforeEachCallback, AfterEachCallback {

  private static final String DEFAULTS = "hystrix.command.default.";

  @Override
  public void beforeEach(ExtensionContext context) {
    AbstractConfiguration archaius = ConfigurationManager.getConfigInstance();
    archaius.setProperty(DEFAULTS + "execution.isolation.thread.timeoutInMilliseconds", "30000");
    archaius.setProperty(DEFAULTS + "metrics.rollingStats.timeInMilliseconds", "100000");
    HystrixTenrec.reset();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    HystrixRequestContext.setContextOnCurrentThread(null);
    HystrixPlugins.reset();
    HystrixTenrec.reset();
  }
}
