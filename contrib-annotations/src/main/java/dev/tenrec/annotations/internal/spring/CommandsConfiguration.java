// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.annotations.internal.declaration.BeanClassReader;
import dev.tenrec.annotations.internal.declaration.KeyStyle;
import dev.tenrec.annotations.internal.declaration.StartUpSettings;
import dev.tenrec.annotations.internal.declaration.Texts;
import dev.tenrec.annotations.internal.invocation.Transactions;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.InvalidSettingException;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** The beans behind the annotations. */
@Configuration(proxyBeanMethods = false)
@Import(CommandsConfiguration.ProxyCreator.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class CommandsConfiguration {

  /** Where the advice stands: a property, an {@code int}. */
  static final String ORDER_PROPERTY = "tenrec.annotations.order";

  /** Whether what advice refuses before a method's body is the caller's fault: a boolean. */
  static final String REFUSALS_PROPERTY = "tenrec.annotations.refusals-are-callers-fault";

  /** Whether the application can have transactions at all. */
  private static final boolean TRANSACTIONS =
      ClassUtils.isPresent(
          "org.springframework.transaction.TransactionExecutionListener",
          CommandsConfiguration.class.getClassLoader());

  /** Has proxies made, as transactions and caching do: all of them by one creator. */
  static final class ProxyCreator implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      BeanDefinition unused = AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    }
  }

  /** The commands of all beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Commands tenrecCommands(
      ObjectProvider<Tenrec> tenrec,
      ObjectProvider<StartUpSettings> settings,
      Transactions tenrecTransactions,
      Environment environment,
      ConfigurableListableBeanFactory beans) {
    KeyStyle style = KeyStyle.of(environment.getProperty(KeyStyle.PROPERTY));
    return new Commands(
        tenrec::getObject,
        style,
        new BeanClassReader(
            new Texts(environment::resolveRequiredPlaceholders, new LateSettings(settings)), style),
        type -> Modifier.isFinal(type.getModifiers()) && isSubclassing(beans),
        tenrecTransactions);
  }

  /** What is to be known of the context's transactions. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Transactions tenrecTransactions(
      Environment environment, ConfigurableListableBeanFactory beans) {
    return TRANSACTIONS ? new SpringTransactions(beans, environment) : Transactions.NONE;
  }

  /** For commands that other code builds in this context. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static SpringCommands tenrecSpringCommands(
      ObjectProvider<StartUpSettings> settings, Transactions tenrecTransactions) {
    return new ContextCommands(new LateSettings(settings), tenrecTransactions);
  }

  /** Keeps what began within a command from being committed after its end. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static InfrastructurePostProcessor tenrecTransactionManagers(
      ConfigurableListableBeanFactory beans) {
    return TRANSACTIONS ? new TransactionManagers(beans) : new InfrastructurePostProcessor();
  }

  /** Whether the creator of proxies is set to make subclasses only, as Boot sets it. */
  private static boolean isSubclassing(BeanFactory beans) {
    return beans
        .getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
        .isProxyTargetClass();
  }

  /** Stands before the beans' methods. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static CommandAdvisor tenrecCommandAdvisor(Commands tenrecCommands, Environment environment) {
    return new CommandAdvisor(tenrecCommands, order(environment));
  }

  private static int order(Environment environment) {
    String order = environment.getProperty(ORDER_PROPERTY);
    if (order == null || order.isBlank()) {
      return CommandAdvisor.DEFAULT_ORDER;
    }
    try {
      return Integer.decode(order.strip());
    } catch (NumberFormatException e) {
      throw new InvalidSettingException(
          ORDER_PROPERTY, order, "must be a whole number; smaller is further out");
    }
  }

  /**
   * The settings of the context; there is no need for any bean of them before a command is built.
   * Looked up once, for each command asks for many.
   */
  private record LateSettings(SingletonSupplier<StartUpSettings> settings)
      implements StartUpSettings {

    LateSettings(ObjectProvider<StartUpSettings> settings) {
      this(SingletonSupplier.of(() -> settings.getIfAvailable(() -> NONE)));
    }

    @Override
    public @Nullable Written find(String key, String name) {
      return settings.obtain().find(key, name);
    }

    @Override
    public @Nullable Object bean(String name) {
      return settings.obtain().bean(name);
    }
  }

  /** Has the last look at the proxies. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static InfrastructurePostProcessor tenrecProxyFinishing(Environment environment) {
    return new ProxyFinishing(environment.getProperty(REFUSALS_PROPERTY, Boolean.class, true));
  }

  /** Looks at the commands of all beans before the application starts. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static StartUpCheck tenrecStartUpCheck(
      Commands tenrecCommands, ConfigurableListableBeanFactory beans) {
    return new StartUpCheck(tenrecCommands, beans);
  }
}
