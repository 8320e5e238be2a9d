// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

/** Calls that come by a bridge, or by another type's method, reach the command: by either proxy. */
class BridgeMethodTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAspectJAutoProxy(proxyTargetClass = true)
  static class Subclassing {}

  private static String thread() {
    return Thread.currentThread().getName();
  }

  interface Source<T> {
    String byId(T id);
  }

  static class Users implements Source<Long> {
    @Override
    @Command
    public String byId(Long id) {
      return thread();
    }
  }

  interface LongSource extends Source<Long> {}

  static class FurtherDown implements LongSource {
    @Override
    @Command
    public String byId(Long id) {
      return thread();
    }
  }

  interface AnnotatedSource<T> {
    @Command
    String byId(T id);
  }

  static class Names implements AnnotatedSource<String> {
    @Override
    public String byId(String id) {
      return thread();
    }
  }

  interface Wide {
    Object any();
  }

  static class Narrow implements Wide {
    @Override
    @Command
    public String any() {
      return thread();
    }
  }

  static class WideClass {
    @Command
    public Object any() {
      return "";
    }
  }

  static class NarrowClass extends WideClass {
    @Override
    public String any() {
      return thread();
    }
  }

  abstract static class Made<T> {
    @Command
    public abstract String made(T id);
  }

  static class Numbers extends Made<Integer> {
    @Override
    public String made(Integer id) {
      return thread();
    }
  }

  static class Inherited {
    @Command
    public String byId(Long id) {
      return thread();
    }
  }

  static class Inheriting extends Inherited implements Source<Long> {}

  abstract static class Hidden {
    @Command
    public String find(String id) {
      return thread();
    }
  }

  /** The compiler adds a public bridge: the superclass is not. */
  public static class Shown extends Hidden {}

  /** What is called on the bean, as which of its types. */
  private enum Way {
    GENERIC_INTERFACE(Users.class, bean -> ((Source<Long>) bean).byId(1L)),
    INTERFACE_ABOVE_ANOTHER(FurtherDown.class, bean -> ((Source<Long>) bean).byId(1L)),
    ANNOTATED_GENERIC_INTERFACE(Names.class, bean -> ((AnnotatedSource<String>) bean).byId("a")),
    NARROWED_RESULT_OF_AN_INTERFACE(Narrow.class, bean -> (String) ((Wide) bean).any()),
    GENERIC_INTERFACE_OVER_AN_INHERITED_METHOD(
        Inheriting.class, bean -> ((Source<Long>) bean).byId(1L)),
    NARROWED_RESULT_OF_A_CLASS(NarrowClass.class, bean -> (String) ((WideClass) bean).any()),
    GENERIC_SUPERCLASS(Numbers.class, bean -> ((Made<Integer>) bean).made(1)),
    HIDDEN_SUPERCLASS(Shown.class, bean -> ((Shown) bean).find("a")),
    HIDDEN_SUPERCLASS_AS_ITSELF(Shown.class, bean -> ((Hidden) bean).find("a"));

    private final Class<?> type;
    private final Function<Object, String> call;

    Way(Class<?> type, Function<Object, String> call) {
      this.type = type;
      this.call = call;
    }
  }

  static Stream<Arguments> ways() {
    return Stream.of(Way.values())
        .flatMap(way -> Stream.of(Arguments.of(way, true), Arguments.of(way, false)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void bridge_always_leadsToTheCommand(Way way, boolean subclassing) {
    try (AnnotationConfigApplicationContext context =
        subclassing ? Contexts.of(Subclassing.class, way.type) : Contexts.of(way.type)) {
      Object bean = bean(context, way.type);

      assertThat(AopUtils.isCglibProxy(bean))
          .isEqualTo(subclassing || way.type.getInterfaces().length == 0);
      assertThat(way.call.apply(bean)).startsWith("tenrec-" + way.type.getSimpleName() + "-");
      assertThat(context.getBean(Tenrec.class).commands())
          .extracting(CommandView::key)
          .singleElement()
          .asString()
          .startsWith(way.type.getSimpleName() + ".");
    }
  }

  /** By its name: behind a proxy of interfaces it is not of its class. */
  private static Object bean(AnnotationConfigApplicationContext context, Class<?> type) {
    return Stream.of(context.getBeanDefinitionNames())
        .filter(name -> name.endsWith("." + type.getSimpleName()))
        .map(context::getBean)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ownMethod_besideItsBridge_isTheSameCommand() {
    try (AnnotationConfigApplicationContext context = Contexts.of(Subclassing.class, Users.class)) {
      assertThat(context.getBean(Users.class).byId(1L)).startsWith("tenrec-Users-");
    }
  }
}
