// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.invocation.AdviceRefusals;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Puts the interceptors of {@link AdviceRefusals} around the advice that stands behind a command. A
 * bean without such advice is left as it is, so its calls cost nothing more.
 *
 * <p>It has no order, so it comes after the post-processors that have one and add advice, as that
 * of method validation.
 */
final class AdviceBehindCommands extends InfrastructurePostProcessor {

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      watch(advised);
    }
    return bean;
  }

  private static void watch(Advised advised) {
    Advisor[] all = advised.getAdvisors();
    for (int i = 0; i < all.length - 1; i++) { // not the last: nothing stands behind that
      if (all[i] instanceof CommandAdvisor commands) {
        advised.addAdvisor(
            i + 1, new DefaultPointcutAdvisor(commands.getPointcut(), AdviceRefusals.before()));
        advised.addAdvisor(
            new DefaultPointcutAdvisor(commands.getPointcut(), AdviceRefusals.atBody()));
        return;
      }
    }
  }
}
