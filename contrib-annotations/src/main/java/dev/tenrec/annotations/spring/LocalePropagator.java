// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.core.context.ContextPropagator;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;

/**
 * Carries Spring's locale, and the time zone with it, from the caller into work and fallback. None
 * is carried too, so that work never has what earlier work left on its thread. Auto-configuration
 * registers it; elsewhere, {@code Tenrec.builder().propagate(new LocalePropagator())}.
 */
public final class LocalePropagator implements ContextPropagator {

  @Override
  public Captured capture() {
    LocaleContext callers = LocaleContextHolder.getLocaleContext();
    return () -> {
      LocaleContext before = LocaleContextHolder.getLocaleContext();
      if (before == callers) {
        return () -> {}; // the caller's own thread, where it may be an inheritable one
      }
      LocaleContextHolder.setLocaleContext(callers);
      return () -> LocaleContextHolder.setLocaleContext(before);
    };
  }
}
