// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A test method runs on a thread of its own, for which JUnit's thread waits. So one that hangs and
 * does not heed an interrupt fails by its name, too, once the limit of a method is over. That is
 * the build's, {@code test.methodTimeout}, and has to be: JUnit's own way of doing this has a limit
 * in the source, which no build can change.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(OwnThread.Runner.class)
public @interface OwnThread {

  /** Runs the methods. */
  final class Runner implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      run(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      run(invocation);
    }

    static void run(Invocation<Void> invocation) throws Throwable {
      FutureTask<Void> task = new FutureTask<>(() -> proceed(invocation));
      Thread thread = new Thread(task, "test");
      thread.setDaemon(true);
      thread.start();
      try {
        task.get(); // until JUnit interrupts this thread, when the limit is over
      } catch (ExecutionException e) {
        throw e.getCause();
      } catch (InterruptedException e) {
        e.setStackTrace(thread.getStackTrace()); // where it hangs
        thread.interrupt();
        throw e;
      }
    }

    private static Void proceed(Invocation<Void> invocation) throws Exception {
      try {
        return invocation.proceed();
      } catch (Exception | Error e) {
        throw e;
      } catch (Throwable e) { // of no kind that a method has to declare
        throw new AssertionError(e);
      }
    }
  }
}
