// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.context.LaterKeys;
import dev.tenrec.annotations.internal.declaration.DeclaredCollapser;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The keys that the annotations of a context's beans name, and those that are known of commands to
 * come. Those with expressions stand apart: only a call evaluates them.
 *
 * @param commands of commands, those of batches included
 * @param pools of thread pools
 * @param collapsers of collapsers
 * @param templates keys with expressions, of commands and pools
 * @param mayBeMore whether commands may come whose keys are not known yet
 */
public record DeclaredKeys(
    Set<String> commands,
    Set<String> pools,
    Set<String> collapsers,
    Set<String> templates,
    boolean mayBeMore) {

  /** Reads the classes of all beans that have annotations; makes no bean. */
  public static DeclaredKeys of(
      Commands commands, ConfigurableListableBeanFactory beans, List<LaterKeys> later) {
    DeclaredKeys keys =
        new DeclaredKeys(
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            later.stream().anyMatch(LaterKeys::mayBeMore));
    for (LaterKeys more : later) {
      boolean unused = keys.commands.addAll(more.groups().keySet());
      boolean unusedToo = keys.pools.addAll(more.groups().values());
    }
    for (CommandBean bean : CommandBean.all(commands, beans)) {
      for (ClassCommands read : commands.of(bean.type())) {
        read.declared().commands().forEach(keys::add);
        for (DeclaredCollapser collapser : read.declared().collapsers()) {
          keys.add(collapser.batch());
          keys.add(keys.collapsers, collapser.batch().key());
        }
      }
    }
    return keys;
  }

  private void add(DeclaredCommand command) {
    add(commands, command.key());
    KeyTemplate pool = command.pool();
    add(pools, pool == null ? command.group() : pool);
  }

  private void add(Set<String> keys, KeyTemplate key) {
    (key.isLiteral() ? keys : templates).add(key.toString());
  }
}
