// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.invocation.Transactions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring's transactions, and what to do about calls that leave them. Loaded with spring-tx. */
final class SpringTransactions implements Transactions {

  /** What becomes of a call that leaves its caller's transaction: a property. */
  static final String PROPERTY = "tenrec.annotations.in-transaction";

  /** What becomes of such a call. */
  private enum Rule {
    WARN,
    REFUSE,
    ALLOW
  }

  private static final Logger LOG = LoggerFactory.getLogger(SpringTransactions.class);

  private final ListableBeanFactory beans;
  private final Rule rule;

  /** Commands the log has a warning of. Written and read by callers, ordered by the set. */
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  SpringTransactions(ListableBeanFactory beans, Environment environment) {
    this.beans = beans;
    this.rule = rule(environment.getProperty(PROPERTY, "warn").strip());
  }

  private static Rule rule(String text) {
    return Arrays.stream(Rule.values())
        .filter(one -> one.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    PROPERTY + " = \"" + text + "\": warn, refuse or allow was expected"));
  }

  @Override
  public boolean areManaged() {
    return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beans, TransactionManager.class, true, false)
            .length
        > 0;
  }

  /**
   * In callbacks after its end a transaction is active still as Spring has it, though nothing can
   * be written in it any more. Those after its completion come without synchronization; those after
   * its commit are known to {@link AfterCommit}.
   */
  @Override
  public boolean isActive() {
    return rule != Rule.ALLOW
        && TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive()
        && !AfterCommit.isNow();
  }

  @Override
  public void left(String key, String how) {
    if (rule == Rule.REFUSE) {
      throw new IllegalStateException(message(key, how));
    }
    if (warned.add(key)) {
      LOG.warn("{}", message(key, how));
    }
  }

  private static String message(String key, String how) {
    return key
        + " is called within a transaction, and "
        + how
        + ", outside of it: a rollback of the caller's does not undo what the command writes, the"
        + " command does not see what the caller has written, and each may wait for a lock of the"
        + " other until the time-out. To take part, let it run on the caller's thread (isolation ="
        + " IsolationStrategy.SEMAPHORE, no batch). If it has nothing to do with the transaction,"
        + " call it before that begins or after its commit. "
        + PROPERTY
        + " = refuse makes such calls fail, allow ends this check";
  }
}
