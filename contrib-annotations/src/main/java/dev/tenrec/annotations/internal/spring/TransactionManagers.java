// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Adds the check before the commit to each manager of transactions. Loaded with spring-tx. */
final class TransactionManagers extends InfrastructurePostProcessor
    implements SmartInitializingSingleton {

  private final CommitCheck check = new CommitCheck();
  private final ConfigurableListableBeanFactory beans;

  TransactionManagers(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ConfigurableTransactionManager manager) {
      add(manager);
    }
    return bean;
  }

  /** Those that another post-processor needed were made before this one. */
  @Override
  public void afterSingletonsInstantiated() {
    for (String name :
        beans.getBeanNamesForType(ConfigurableTransactionManager.class, false, false)) {
      if (beans.containsSingleton(name)
          && beans.getSingleton(name) instanceof ConfigurableTransactionManager manager) {
        add(manager);
      }
    }
  }

  private void add(ConfigurableTransactionManager manager) {
    if (!manager.getTransactionExecutionListeners().contains(check)) {
      manager.addListener(check);
    }
  }
}
