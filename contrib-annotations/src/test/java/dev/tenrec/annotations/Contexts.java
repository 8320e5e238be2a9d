// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.Tenrec;
import java.util.Map;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** Contexts of plain Spring, with a Tenrec and the given beans. */
public final class Contexts {

  private static final String TIME_OUT =
      "tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds";

  private static final String AGES = "600000";

  /**
   * A line for the environment of an application: the time-out of a command that says none itself.
   * It is long, because a first call loads classes, and a busy machine may keep a pool's thread
   * waiting for more than the usual second.
   */
  public static final String PATIENT = TIME_OUT + "=" + AGES;

  private Contexts() {}

  /** A Tenrec whose commands have time, unless they say how much. */
  public static Tenrec patient() {
    return Tenrec.builder().baseProperties(Map.of(TIME_OUT, AGES)).build();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Plain {

    @Bean
    Tenrec tenrec() {
      return patient();
    }
  }

  /** The configuration of a Tenrec, for contexts made otherwise. */
  public static Class<?> plain() {
    return Plain.class;
  }

  /** One with these beans, to be closed. */
  public static AnnotationConfigApplicationContext of(Class<?>... beans) {
    return of(Map.of(), beans);
  }

  /** The same, with properties in its environment. */
  public static AnnotationConfigApplicationContext of(
      Map<String, Object> properties, Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    context.register(Plain.class);
    context.register(beans);
    context.refresh();
    return context;
  }
}
