// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.annotations.context.LaterKeys;
import feign.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cloud.openfeign.CircuitBreakerNameResolver;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The circuit breakers that the context's Feign clients will ask for, one a method. Finds them by
 * their interfaces; makes no client. Loaded if OpenFeign is there.
 */
public final class FeignCircuits implements LaterKeys {

  private final ConfigurableListableBeanFactory beans;
  private final Function<FeignMethod, @Nullable String> names;
  private final UnaryOperator<String> placeholders;
  private final boolean grouped;

  /** Once found. Written and read by threads that ask, ordered by volatile access. */
  private volatile @Nullable Map<String, String> found;

  /** A method of a client. */
  private record FeignMethod(String client, Target<?> target, Method method) {}

  /**
   * Over a context.
   *
   * @param resolver gives each method the id of its circuit breaker; called once it is needed
   * @param placeholders replaces those in names of clients
   * @param grouped whether clients name themselves as the group
   */
  public FeignCircuits(
      ConfigurableListableBeanFactory beans,
      CircuitBreakerNameResolver resolver,
      UnaryOperator<String> placeholders,
      boolean grouped) {
    this.beans = beans;
    this.names =
        one -> resolver.resolveCircuitBreakerName(one.client(), one.target(), one.method());
    this.placeholders = placeholders;
    this.grouped = grouped;
  }

  /** The group of each id; the id itself, where clients name none. */
  @Override
  public Map<String, String> groups() {
    Map<String, String> present = found;
    if (present == null) {
      present = find();
      found = present;
    }
    return present;
  }

  /** Other code of the application may ask for any id. */
  @Override
  public boolean mayBeMore() {
    return true;
  }

  private Map<String, String> find() {
    Map<String, String> groups = new TreeMap<>();
    for (String bean : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(bean, false);
      if (type != null && type.isInterface()) {
        MergedAnnotation<FeignClient> annotation =
            MergedAnnotations.from(type).get(FeignClient.class);
        if (annotation.isPresent()) {
          add(type, annotation, groups);
        }
      }
    }
    return Map.copyOf(groups);
  }

  private void add(
      Class<?> type, MergedAnnotation<FeignClient> annotation, Map<String, String> groups) {
    String name = placeholders.apply(annotation.getString("name"));
    String contextId = placeholders.apply(annotation.getString("contextId"));
    String client = contextId.isBlank() ? name : contextId;
    Target<?> target = new Target.HardCodedTarget<>(type, name, "http://" + client);
    for (Method method : type.getMethods()) {
      if (Modifier.isStatic(method.getModifiers()) || method.isBridge()) {
        continue;
      }
      String id = names.apply(new FeignMethod(client, target, method));
      if (id != null) {
        String unused = groups.put(id, grouped ? client : id);
      }
    }
  }
}
