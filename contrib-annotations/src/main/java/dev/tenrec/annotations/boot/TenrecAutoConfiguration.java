// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.internal.boot.EnvironmentProperties;
import dev.tenrec.annotations.internal.boot.EnvironmentVariables;
import dev.tenrec.annotations.internal.spring.Commands;
import dev.tenrec.annotations.internal.spring.CommandsConfiguration;
import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.annotations.spring.LocalePropagator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.internal.config.Configuration;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
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

  /**
   * Its settings come from, strongest first: what is set in memory ({@link Tenrec#set}), system
   * properties, the watched file that {@code tenrec.properties-file} names, and Spring's
   * environment, as it is at start-up. The first three may change while the application runs. In
   * all of them their keys begin with {@code tenrec}, or as {@code tenrec.prefix} says.
   *
   * @param customizers have the last word, in their order
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Tenrec tenrec(
      ConfigurableEnvironment environment,
      ConfigurableListableBeanFactory beans,
      Commands commands,
      ObjectProvider<TenrecCustomizer> customizers) {
    String prefix = environment.getProperty(PREFIX_PROPERTY, Configuration.DEFAULT_PREFIX).strip();
    TenrecBuilder builder = Tenrec.builder().prefix(prefix).propagate(new LocalePropagator());
    String file = environment.getProperty(FILE_PROPERTY);
    if (file != null && !file.isBlank()) {
      builder = builder.propertiesFile(Path.of(file));
    }
    EnvironmentVariables variables =
        new EnvironmentVariables(prefix, () -> DeclaredKeys.of(commands, beans), LOG::warn);
    builder =
        builder.baseProperties(EnvironmentProperties.of(environment, prefix + ".", variables));
    for (TenrecCustomizer customizer : customizers.orderedStream().toList()) {
      customizer.customize(builder);
    }
    return builder.build();
  }
}
