// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.invocation.AdviceRefusals;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Looks at each proxy with commands when all advice is in it. It takes the commands out where the
 * bean behind it is a test's mock or spy, and puts the interceptors of {@link AdviceRefusals}
 * around the advice that stands behind a command. A bean without such advice is left as it is, so
 * its calls cost nothing more.
 *
 * <p>It has no order, so it comes after the post-processors that have one and add advice, as that
 * of method validation.
 */
final class ProxyFinishing extends InfrastructurePostProcessor {

  private final boolean watchesRefusals;

  /**
   * Makes one.
   *
   * @param watchesRefusals whether what advice refuses is to be the caller's fault
   */
  ProxyFinishing(boolean watchesRefusals) {
    this.watchesRefusals = watchesRefusals;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      finish(advised);
    }
    return bean;
  }

  private void finish(Advised advised) {
    Advisor[] all = advised.getAdvisors();
    for (int i = 0; i < all.length; i++) {
      if (all[i] instanceof CommandAdvisor commands) {
        Object target = AopProxyUtils.getSingletonTarget(advised);
        if (target != null && TestDoubles.isMock(target)) {
          advised.removeAdvisor(i);
        } else if (watchesRefusals && i < all.length - 1) { // nothing stands behind the last
          watch(advised, commands, i);
        }
        return;
      }
    }
  }

  private static void watch(Advised advised, CommandAdvisor commands, int index) {
    advised.addAdvisor(
        index + 1, new DefaultPointcutAdvisor(commands.getPointcut(), AdviceRefusals.before()));
    advised.addAdvisor(new DefaultPointcutAdvisor(commands.getPointcut(), AdviceRefusals.atBody()));
  }
}
