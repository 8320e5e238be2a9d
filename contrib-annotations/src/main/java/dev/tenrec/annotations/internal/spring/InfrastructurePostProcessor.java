// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Looks at beans after the proxies are made; does nothing by itself. It is marked as a part of the
 * proxies' own infrastructure, so that it is made before the application's advisors and what they
 * depend on.
 */
class InfrastructurePostProcessor implements BeanPostProcessor, AopInfrastructureBean {}
