// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.core.Ordered;

/**
 * Puts commands before the methods of beans, by Spring's own proxies.
 *
 * <p>Its order is by default {@link #DEFAULT_ORDER}, outside {@code @Transactional} and
 * {@code @Cacheable}, which are innermost by default. The transaction begins on the thread the work
 * runs on, and ends before the command is counted. Each try of a retry around the command has a
 * transaction of its own. What a fallback answers never gets into the cache.
 */
public final class CommandAdvisor extends AbstractPointcutAdvisor {

  /** Leaves room for others between it and what is innermost. */
  public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  private static final long serialVersionUID = 1L;

  private final transient Commands commands;
  private final transient CommandInterceptor interceptor;

  CommandAdvisor(Commands commands, int order) {
    this.commands = commands;
    this.interceptor = new CommandInterceptor(commands);
    setOrder(order);
  }

  /** Whether a bean is a proxy already that has such an advisor. */
  static boolean standsBefore(Object bean) {
    return bean instanceof Advised advised
        && Arrays.stream(advised.getAdvisors()).anyMatch(CommandAdvisor.class::isInstance);
  }

  /** Whether a pointcut is that of commands. */
  static boolean isOfCommands(Pointcut pointcut) {
    return pointcut instanceof Guarded;
  }

  @Override
  public Advice getAdvice() {
    return interceptor;
  }

  @Override
  public Pointcut getPointcut() {
    return new Guarded(commands, false);
  }

  /** Where commands are called, and not where results are only removed. */
  Pointcut ofCommandsAlone() {
    return new Guarded(commands, true);
  }

  /**
   * The methods that have a command, or remove a result of one. Equal for equal advice, so that
   * proxies of one class share theirs.
   *
   * @param alone whether not those that only remove
   */
  private record Guarded(Commands commands, boolean alone) implements Pointcut {

    @Override
    public ClassFilter getClassFilter() {
      return commands::needsProxy;
    }

    @Override
    public MethodMatcher getMethodMatcher() {
      Commands all = commands;
      boolean onlyCommands = alone;
      return new StaticMethodMatcher() {
        @Override
        public boolean matches(Method method, Class<?> targetClass) {
          return onlyCommands
              ? all.isCommand(method, targetClass)
              : all.guards(method, targetClass);
        }
      };
    }
  }
}
