// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.context.LaterKeys;
import dev.tenrec.annotations.internal.boot.EnvironmentSettings;
import dev.tenrec.annotations.internal.boot.SettingsFile;
import dev.tenrec.annotations.internal.boot.UnclaimedKeys;
import dev.tenrec.annotations.internal.spring.Commands;
import dev.tenrec.annotations.internal.spring.CommandsConfiguration;
import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.annotations.spring.LocalePropagator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.internal.config.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;

/** A Tenrec, unless the application has one, and commands by annotation. */
@AutoConfiguration
@Import(CommandsConfiguration.class)
public class TenrecAutoConfiguration {

  /** A file to watch, a path. */
  public static final String FILE_PROPERTY = "tenrec.properties-file";

  /** What the keys of settings begin with, if not with {@code tenrec}. */
  public static final String PREFIX_PROPERTY = "tenrec.prefix";

  private static final Logger LOG = LoggerFactory.getLogger(TenrecAutoConfiguration.class);

  /** What the environment says, for the Tenrec and for commands that are built. */
  @Bean
  static EnvironmentSettings tenrecEnvironmentSettings(
      ConfigurableEnvironment environment,
      ConfigurableListableBeanFactory beans,
      Commands commands,
      ObjectProvider<LaterKeys> later) {
    return new EnvironmentSettings(
        environment,
        environment.getProperty(PREFIX_PROPERTY, Configuration.DEFAULT_PREFIX).strip(),
        beans,
        () -> DeclaredKeys.of(commands, beans, later.stream().toList()),
        LOG::warn);
  }

  /**
   * Its settings come from, strongest first: what is set in memory ({@link Tenrec#set}), system
   * properties, the watched file that {@code tenrec.properties-file} names, and Spring's
   * environment. The first three may change while the application runs; the environment is read at
   * start-up, and again after a refresh by Spring Cloud. In all of them their keys begin with
   * {@code tenrec}, or as {@code tenrec.prefix} says.
   *
   * @param customizers have the last word, in their order
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Tenrec tenrec(
      ConfigurableEnvironment environment,
      EnvironmentSettings settings,
      ObjectProvider<TenrecCustomizer> customizers) {
    TenrecBuilder builder =
        Tenrec.builder().prefix(settings.prefix()).propagate(new LocalePropagator());
    String file = environment.getProperty(FILE_PROPERTY);
    if (file != null && !file.isBlank()) {
      builder = builder.propertiesFile(SettingsFile.of(FILE_PROPERTY, file));
    }
    builder = builder.baseProperties(settings.give());
    for (TenrecCustomizer customizer : customizers.orderedStream().toList()) {
      customizer.customize(builder);
    }
    return builder.build();
  }

  /** Warns of properties without effect. */
  @Bean
  @Lazy(false)
  static UnclaimedKeys tenrecUnclaimedKeys(
      ApplicationContext context,
      ConfigurableEnvironment environment,
      EnvironmentSettings settings,
      Tenrec tenrec) {
    return new UnclaimedKeys(context, environment, settings, tenrec);
  }
}
