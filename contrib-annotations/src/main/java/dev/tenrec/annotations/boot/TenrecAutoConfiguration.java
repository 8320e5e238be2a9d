// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.spring.CommandsConfiguration;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
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
  static final String FILE_PROPERTY = "tenrec.properties-file";

  /**
   * Its settings come from, strongest first: what is set in memory ({@link Tenrec#set}), system
   * properties, the watched file that {@code tenrec.properties-file} names, and Spring's
   * environment, as it is at start-up. The first three may change while the application runs.
   *
   * @param customizers have the last word, in their order
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Tenrec tenrec(
      ConfigurableEnvironment environment, ObjectProvider<TenrecCustomizer> customizers) {
    TenrecBuilder builder = Tenrec.builder();
    String file = environment.getProperty(FILE_PROPERTY);
    if (file != null && !file.isBlank()) {
      builder = builder.propertiesFile(Path.of(file));
    }
    builder = builder.baseProperties(EnvironmentProperties.of(environment, "tenrec."));
    for (TenrecCustomizer customizer : customizers.orderedStream().toList()) {
      customizer.customize(builder);
    }
    return builder.build();
  }
}
