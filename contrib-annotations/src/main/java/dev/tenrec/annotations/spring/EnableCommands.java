// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.annotations.internal.spring.CommandsConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * On a configuration class: {@link dev.tenrec.annotations.Command} methods of the context's beans
 * are commands of its {@link dev.tenrec.core.Tenrec} bean, which has to be there. With Spring Boot
 * neither is needed: both come by auto-configuration.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(CommandsConfiguration.class)
public @interface EnableCommands {}
