// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.TestNG;

/** One run of a suite of the TCK of Reactive Streams, by its own TestNG. */
final class TckRun {

  /** One method of the suite. */
  record Result(String method, @Nullable Throwable thrown, boolean skipped) {

    /** What the TCK has a name for and no way to find out. */
    boolean isUntested() {
      return method.startsWith("untested_");
    }
  }

  private final List<Result> results = new ArrayList<>();

  /** Runs it here, to its end. */
  static List<Result> of(Class<?> suite) {
    TckRun run = new TckRun();
    TestNG testNg = new TestNG(false); // which leaves its reports out
    testNg.setTestClasses(new Class<?>[] {suite});
    testNg.setVerbose(0);
    testNg.addListener(run.listener());
    testNg.run();
    return run.results;
  }

  private void add(ITestResult result, boolean skipped) {
    results.add(new Result(result.getName(), result.getThrowable(), skipped));
  }

  private ITestListener listener() {
    return new ITestListener() {
      @Override
      public void onTestSuccess(ITestResult result) {
        add(result, false);
      }

      @Override
      public void onTestFailure(ITestResult result) {
        Throwable thrown = result.getThrowable();
        results.add(
            new Result(
                result.getName(),
                thrown == null ? new AssertionError("failed without a word") : thrown,
                false));
      }

      @Override
      public void onTestSkipped(ITestResult result) {
        add(result, true);
      }
    };
  }
}
