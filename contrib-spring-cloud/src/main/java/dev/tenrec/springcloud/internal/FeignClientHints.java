// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * What {@link FeignCircuits} looks up by reflection: the methods of each Feign client, of which ids
 * are made. Looks at all beans at once, for OpenFeign excludes its clients from what is asked of
 * each. OpenFeign may be absent, and is named by a text.
 */
final class FeignClientHints implements BeanFactoryInitializationAotProcessor {

  private static final String CLIENT = "org.springframework.cloud.openfeign.FeignClient";

  @Override
  public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
      ConfigurableListableBeanFactory beans) {
    List<Class<?>> clients = new ArrayList<>();
    for (String bean : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(bean, false);
      if (type != null && type.isInterface() && MergedAnnotations.from(type).isPresent(CLIENT)) {
        clients.add(type);
      }
    }
    return clients.isEmpty()
        ? null
        : (generation, code) ->
            clients.forEach(
                type ->
                    generation
                        .getRuntimeHints()
                        .reflection()
                        .registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
  }
}
