// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.invocation.AdviceRefusals;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;

/**
 * Looks at each proxy with commands when all advice is in it. It takes the commands out where the
 * bean behind it is a test's mock or spy, and puts the interceptors of {@link AdviceRefusals}
 * around the advice that stands behind a command. A bean without such advice is left as it is, so
 * its calls cost nothing more.
 *
 * <p>It has no order, so it comes after the post-processors that have one and add advice, as that
 * of method validation.
 */
final class ProxyFinishing extends InfrastructurePostProcessor
    implements SmartInstantiationAwareBeanPostProcessor {

  private final boolean watchesRefusals;

  /**
   * Beans in a circle whose early reference is a test's double: of the bean it replaces, a proxy is
   * made anew. Written and read by threads that make beans, ordered by the set.
   */
  private final Set<String> earlyDoubles = ConcurrentHashMap.newKeySet();

  /**
   * Makes one.
   *
   * @param watchesRefusals whether what advice refuses is to be the caller's fault
   */
  ProxyFinishing(boolean watchesRefusals) {
    this.watchesRefusals = watchesRefusals;
  }

  /** Of a bean in a circle, as one that is injected into itself: afterwards only the bean comes. */
  @Override
  public Object getEarlyBeanReference(Object bean, String name) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      finish(advised);
      if (isOfAMock(advised)) {
        boolean unused = earlyDoubles.add(name);
      }
    }
    return bean;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (!(bean instanceof Advised advised) || advised.isFrozen()) {
      return bean;
    }
    if (earlyDoubles.remove(name)) {
      Object replaced = AopProxyUtils.getSingletonTarget(advised);
      return replaced == null ? bean : replaced; // then the context takes the early reference
    }
    finish(advised);
    return bean;
  }

  private static boolean isOfAMock(Advised advised) {
    Object target = AopProxyUtils.getSingletonTarget(advised);
    return target != null && TestDoubles.isMock(target);
  }

  private void finish(Advised advised) {
    Advisor[] all = advised.getAdvisors();
    for (int i = 0; i < all.length; i++) {
      if (all[i] instanceof CommandAdvisor commands) {
        if (isOfAMock(advised)) {
          advised.removeAdvisor(i);
        } else if (watchesRefusals && i < all.length - 1) { // nothing stands behind the last
          watch(advised, commands, i);
        }
        return;
      }
    }
  }

  /** Where no command asks what was refused, it would be left for the command around the call. */
  private static void watch(Advised advised, CommandAdvisor commands, int index) {
    Pointcut asking = commands.ofCommandsAlone();
    advised.addAdvisor(index + 1, new DefaultPointcutAdvisor(asking, AdviceRefusals.before()));
    advised.addAdvisor(new DefaultPointcutAdvisor(asking, AdviceRefusals.atBody()));
  }
}
