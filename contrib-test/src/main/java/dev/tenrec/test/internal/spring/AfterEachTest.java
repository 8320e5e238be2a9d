// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.internal.spring;

import dev.tenrec.test.SharedTenrec;
import dev.tenrec.test.spring.TenrecTest;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Gets the kit ready before each test, and leaves the context as it was after it. */
public final class AfterEachTest extends AbstractTestExecutionListener {

  @Override
  public void beforeTestMethod(TestContext test) {
    if (concerns(test)) {
      shared(test).beforeTest();
    }
  }

  @Override
  public void afterTestMethod(TestContext test) {
    if (concerns(test)) {
      shared(test).afterTest(test.getTestException() == null);
    }
  }

  private static SharedTenrec shared(TestContext test) {
    return test.getApplicationContext().getBean(SharedTenrec.class);
  }

  private static boolean concerns(TestContext test) {
    return TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), TenrecTest.class);
  }
}
