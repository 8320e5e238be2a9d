// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * A bean whose class has annotations of commands.
 *
 * @param name in its context
 * @param type its class, as its source has it
 */
record CommandBean(String name, Class<?> type) {

  /**
   * All there are, lazy and prototype ones included. None is made for it: of a bean that is not
   * there yet, the class is what its definition says.
   */
  static List<CommandBean> all(Commands commands, ConfigurableListableBeanFactory beans) {
    List<CommandBean> all = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type =
          ScopedProxyUtils.isScopedTarget(name)
              ? beans.getType(name, false)
              : AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && !commands.of(type).isEmpty()) {
        all.add(new CommandBean(name, ClassUtils.getUserClass(type)));
      }
    }
    return all;
  }
}
