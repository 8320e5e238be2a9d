// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.internal.boot.EnvironmentSettings;
import dev.tenrec.annotations.internal.boot.SettingsEndpoint;
import dev.tenrec.core.Tenrec;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint of the settings in force, where there is an actuator. */
@AutoConfiguration(after = TenrecAutoConfiguration.class)
@ConditionalOnClass(
    name = {
      "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
      "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint"
    })
@ConditionalOnAvailableEndpoint(endpoint = SettingsEndpoint.class)
public class SettingsEndpointAutoConfiguration {

  /** The endpoint. */
  @Bean
  @ConditionalOnMissingBean
  SettingsEndpoint tenrecSettingsEndpoint(Tenrec tenrec, EnvironmentSettings settings) {
    return new SettingsEndpoint(tenrec, settings);
  }
}
