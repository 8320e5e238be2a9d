// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Mistake;
import dev.tenrec.core.Tenrec;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks at the annotations of all beans when the singletons are there and before the application
 * starts; one message names all mistakes. Lazy and prototype beans are included, unless what
 * declares them names an interface or an abstract class: {@link Commands} looks at those when their
 * proxies are made.
 */
final class StartUpCheck implements SmartInitializingSingleton {

  private final Commands commands;
  private final ConfigurableListableBeanFactory beans;

  StartUpCheck(Commands commands, ConfigurableListableBeanFactory beans) {
    this.commands = commands;
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Set<Class<?>> types = new LinkedHashSet<>();
    List<Mistake> mistakes = new ArrayList<>();
    List<String> users = new ArrayList<>();
    Set<Class<?>> doubled = new HashSet<>();
    StartUpReport report = new StartUpReport();
    for (CommandBean bean : CommandBean.all(commands, beans)) {
      if (TestDoubles.isDouble(singleton(bean.name()), beans)) {
        doubled.add(bean.type());
        continue;
      }
      users.add(bean.name());
      if (!Modifier.isAbstract(bean.type().getModifiers())) {
        types.add(bean.type()); // otherwise its class is not known yet
      }
      List<ClassCommands> declared = commands.of(bean.type());
      report.add(bean.name(), declared);
      if (declared.stream().allMatch(ClassCommands::isSound)) {
        checkProxy(bean.name(), declared, mistakes);
      }
    }
    doubled.removeAll(types);
    mistakes.addAll(0, commands.prepareAll(types, doubled));
    if (!mistakes.isEmpty()) {
      throw new CommandDeclarationException(mistakes);
    }
    closeAfter(users);
    report.write();
  }

  private @Nullable Object singleton(String name) {
    return beans.containsSingleton(name) ? beans.getSingleton(name) : null;
  }

  /** What is not there yet will be proxied when it is made. */
  private void checkProxy(String name, List<ClassCommands> all, List<Mistake> mistakes) {
    Object bean = singleton(name);
    if (bean == null || bean instanceof FactoryBean) {
      return;
    }
    for (ClassCommands declared : all) {
      String type = declared.declared().type().getName();
      if (!isAdvised(bean)) {
        mistakes.add(
            new Mistake(
                "bean " + name + ", a " + type,
                "no proxy that could call its commands",
                "a bean made by Spring, and not so early as those that post-process others"));
      } else {
        if (bean instanceof Advised advised) {
          mistakes.addAll(UnappliedAdvice.find(advised, declared));
        }
        boolean ofInterfaces = Proxy.isProxyClass(bean.getClass());
        for (String method : declared.notIn(bean)) {
          mistakes.add(
              ofInterfaces
                  ? new Mistake(
                      type + "." + method,
                      "a bean whose proxy has its interfaces only, and none of them has the method",
                      "the method in an interface, or a proxy of the class (proxyTargetClass ="
                          + " true)")
                  : new Mistake(
                      type + "." + method,
                      "a bean whose proxy, a "
                          + bean.getClass().getName()
                          + ", does not override it",
                      "a method that a subclass in the bean's package can override"));
        }
      }
    }
  }

  /** What stands before an opaque proxy cannot be seen. */
  static boolean isAdvised(Object bean) {
    return bean instanceof Advised ? CommandAdvisor.standsBefore(bean) : AopUtils.isAopProxy(bean);
  }

  /** A bean that calls commands while it is destroyed still can. */
  private void closeAfter(List<String> users) {
    for (String tenrec : beans.getBeanNamesForType(Tenrec.class, false, false)) {
      users.forEach(user -> beans.registerDependentBean(tenrec, user));
    }
  }
}
