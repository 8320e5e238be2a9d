// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What a collapser gives to its batch method. By this list, and on whichever thread advice has
 * taken the call to, the proxy sees that the call is a command already.
 */
final class BatchArguments extends ArrayList<@Nullable Object> {

  private static final long serialVersionUID = 1L;

  private final transient Method batch;

  /** Written by the thread that ends the batch, read by those that call the method. */
  private transient volatile boolean over;

  BatchArguments(Method batch, List<BatchArgument> asked) {
    super(asked.size());
    this.batch = batch;
    asked.forEach(one -> add(one.argument()));
  }

  /** The batch has ended: a later call with this list is a command of its own. */
  void end() {
    over = true;
  }

  /** Whether this call is the collapser's. */
  static boolean areOf(MethodInvocation invocation, Method batch) {
    @Nullable Object[] given = invocation.getArguments();
    return given.length == 1
        && given[0] instanceof BatchArguments arguments
        && !arguments.over
        && arguments.batch.equals(batch);
  }
}
