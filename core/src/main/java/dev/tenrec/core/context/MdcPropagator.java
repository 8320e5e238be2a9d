// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.context;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * Carries SLF4J's mapped diagnostic context. An empty one is carried too, so that a caller never
 * logs with what earlier work left on the thread.
 */
public final class MdcPropagator implements ContextPropagator {

  @Override
  public @Nullable Captured capture() {
    if (MDC.getMDCAdapter() instanceof NOPMDCAdapter) {
      return null;
    }
    Map<String, String> callers = MDC.getCopyOfContextMap();
    return () -> {
      Map<String, String> before = MDC.getCopyOfContextMap();
      replaceBy(callers);
      return () -> replaceBy(before);
    };
  }

  private static void replaceBy(@Nullable Map<String, String> map) {
    if (map == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(map);
    }
  }
}
