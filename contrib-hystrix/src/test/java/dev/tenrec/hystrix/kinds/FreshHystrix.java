// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import dev.tenrec.hystrix.HystrixTenrec;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Each test has a Tenrec of its own, and leaves this thread at no request. */
public final class FreshHystrix implements BeforeEachCallback, AfterEachCallback {

  @Override
  public void beforeEach(ExtensionContext context) {
    HystrixTenrec.reset();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    HystrixRequestContext.setContextOnCurrentThread(null);
    HystrixTenrec.reset();
  }
}
