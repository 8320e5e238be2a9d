// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.internal.spring;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.test.Faults;
import dev.tenrec.test.Leaks;
import dev.tenrec.test.spring.TenrecTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Gets the kit ready before each test, and leaves the context as it was after it. */
public final class AfterEachTest extends AbstractTestExecutionListener {

  @Override
  public void beforeTestMethod(TestContext test) {
    if (concerns(test)) {
      ApplicationContext context = test.getApplicationContext();
      context.getBean(Faults.class).attach(context.getBean(Tenrec.class));
    }
  }

  @Override
  public void afterTestMethod(TestContext test) {
    if (!concerns(test)) {
      return;
    }
    ApplicationContext context = test.getApplicationContext();
    Tenrec tenrec = context.getBean(Tenrec.class);
    Faults faults = context.getBean(Faults.class);
    faults.clear();
    try {
      if (test.getTestException() == null) {
        Leaks.assertNone(tenrec, faults);
      } else { // the next test on this thread is not to be blamed for it
        tenrec.currentRequest().ifPresent(RequestContext::close);
      }
    } finally {
      tenrec.commands().forEach(command -> tenrec.closeCircuit(command.key(), "a test has ended"));
      tenrec.resetMetrics();
    }
  }

  private static boolean concerns(TestContext test) {
    return TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), TenrecTest.class);
  }
}
