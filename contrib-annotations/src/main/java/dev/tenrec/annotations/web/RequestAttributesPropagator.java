// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.context.ContextPropagator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestAttributesThreadLocalAccessor;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Carries what {@link RequestContextHolder} has from the caller into work and fallback, by Spring's
 * own accessor: on another thread it is a copy of the attributes of the request, which may have
 * ended by then. On the caller's thread it is the request itself. Of one that is over at the call
 * there is no copy, and another thread has none. Auto-configuration registers it in a servlet
 * application.
 */
public final class RequestAttributesPropagator implements ContextPropagator {

  private final RequestAttributesThreadLocalAccessor accessor =
      new RequestAttributesThreadLocalAccessor();

  @Override
  public Captured capture() {
    RequestAttributes callers = RequestContextHolder.getRequestAttributes();
    RequestAttributes copy = callers == null ? null : copy();
    return () -> attach(callers, copy);
  }

  private @Nullable RequestAttributes copy() {
    try {
      return accessor.getValue();
    } catch (IllegalStateException over) { // a thread may still have it, and call commands
      return null;
    }
  }

  private Scope attach(@Nullable RequestAttributes callers, @Nullable RequestAttributes copy) {
    RequestAttributes before = RequestContextHolder.getRequestAttributes();
    if (before == callers) {
      return () -> {};
    }
    set(copy);
    return () -> set(before);
  }

  private void set(@Nullable RequestAttributes attributes) {
    if (attributes == null) {
      accessor.setValue();
    } else {
      accessor.setValue(attributes);
    }
  }
}
