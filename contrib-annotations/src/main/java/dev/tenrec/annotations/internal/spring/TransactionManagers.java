// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionManager;

/**
 * Adds the check before the commit to each manager of transactions, those of parent contexts
 * included. Loaded with spring-tx.
 */
final class TransactionManagers extends InfrastructurePostProcessor
    implements SmartInitializingSingleton {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionManagers.class);

  private final ConfigurableListableBeanFactory beans;

  /**
   * Managers the log has a warning of, by name. Written and read by threads that make beans,
   * ordered by the set.
   */
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  TransactionManagers(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof TransactionManager manager) {
      add(manager, name);
    }
    return bean;
  }

  /** Those that another post-processor needed were made before this one, as were a parent's. */
  @Override
  public void afterSingletonsInstantiated() {
    BeanFactory level = beans;
    while (level instanceof ConfigurableListableBeanFactory listed) {
      for (String name : listed.getBeanNamesForType(TransactionManager.class, false, false)) {
        if (listed.containsSingleton(name)
            && listed.getSingleton(name) instanceof TransactionManager manager) {
          add(manager, name);
        }
      }
      level = listed.getParentBeanFactory();
    }
  }

  private void add(TransactionManager manager, String name) {
    if (TestDoubles.isBareMock(manager)) {
      return; // it commits nothing, and a test may verify that nobody called it
    }
    if (!(manager instanceof ConfigurableTransactionManager asked)) {
      if (warned.add(name)) {
        LOG.warn(
            "The transaction manager {}, a {}, cannot be asked before its commits: it is no {}. A"
                + " transaction of a command may be committed after the call has ended",
            name,
            manager.getClass().getName(),
            ConfigurableTransactionManager.class.getSimpleName());
      }
    } else if (!asked.getTransactionExecutionListeners().contains(CommitCheck.INSTANCE)) {
      asked.addListener(CommitCheck.INSTANCE);
    }
  }
}
