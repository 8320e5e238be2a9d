// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.internal.boot.EnvironmentSettings;
import dev.tenrec.annotations.internal.boot.RefreshedSettings;
import dev.tenrec.annotations.internal.boot.UnclaimedKeys;
import dev.tenrec.core.Tenrec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Settings of the environment that change with Spring Cloud's refresh, where there is one. */
@AutoConfiguration(after = TenrecAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.cloud.context.environment.EnvironmentChangeEvent")
@ConditionalOnBean(UnclaimedKeys.class)
public class RefreshAutoConfiguration {

  /** Follows the environment. */
  @Bean
  RefreshedSettings tenrecRefreshedSettings(
      Tenrec tenrec, EnvironmentSettings settings, UnclaimedKeys unclaimed) {
    return new RefreshedSettings(tenrec, settings, unclaimed);
  }
}
