// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What a test put in the place of a bean: Mockito's mocks and spies, and the objects that
 * spring-test registers for overridden beans. Such an object has no commands: a call of it goes
 * straight to it on the caller's thread, where Mockito expects stubbing and verifying.
 */
final class TestDoubles {

  /** False in an application: Mockito is on the class path of tests only. */
  private static final boolean MOCKITO =
      ClassUtils.isPresent("org.mockito.Mockito", TestDoubles.class.getClassLoader());

  /** Where spring-test keeps a context's overridden beans, in 6.2 and 7.0. */
  private static final String OVERRIDES =
      "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

  private TestDoubles() {}

  /** Whether this is a mock or a spy of Mockito's. */
  static boolean isMock(Object bean) {
    return MOCKITO && Loaded.isMock(bean);
  }

  /** Whether this is a mock of Mockito's, but no spy: nothing of its class is behind it. */
  static boolean isBareMock(Object bean) {
    return MOCKITO && Loaded.isMock(bean) && !Loaded.isSpy(bean);
  }

  /** Whether Mockito made this class; for most of its mocks it makes none. */
  static boolean isOfMocks(Class<?> type) {
    return type.getName().contains("$MockitoMock$");
  }

  /**
   * Whether a singleton stands in for a bean: a mock, maybe behind a proxy, or, in the context of a
   * test that overrides beans, an object that has no commands because no proxy was made for it.
   *
   * @param bean the singleton; null if it is not there yet
   */
  static boolean isDouble(@Nullable Object bean, ConfigurableListableBeanFactory beans) {
    if (bean == null || bean instanceof FactoryBean) {
      return false;
    }
    Object target = AopProxyUtils.getSingletonTarget(bean);
    return isMock(target == null ? bean : target)
        || (beans.containsSingleton(OVERRIDES) && !StartUpCheck.isAdvised(bean));
  }

  /** Loaded where Mockito is present. */
  private static final class Loaded {

    static boolean isMock(Object bean) {
      return Mockito.mockingDetails(bean).isMock();
    }

    static boolean isSpy(Object bean) {
      return Mockito.mockingDetails(bean).isSpy();
    }
  }
}
