// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.internal.spring;

import dev.tenrec.core.Tenrec;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Lets go what calls wait for, before a context ends: closing a Tenrec waits for its calls. That is
 * when the context begins to close, for other beans may make calls at their end, too; and when the
 * Tenrec is destroyed, for a context that could not begin is not closed.
 */
final class EndOfContext
    implements ApplicationListener<ContextClosedEvent>, DestructionAwareBeanPostProcessor {

  private final ApplicationContext context;
  private final Runnable letGo;

  EndOfContext(ApplicationContext context, Runnable letGo) {
    this.context = context;
    this.letGo = letGo;
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    if (event.getApplicationContext() == context) { // and not one of its children
      letGo.run();
    }
  }

  @Override
  public boolean requiresDestruction(Object bean) {
    return bean instanceof Tenrec;
  }

  @Override
  public void postProcessBeforeDestruction(Object bean, String name) {
    letGo.run();
  }
}
