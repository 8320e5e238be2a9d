// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.declaration.BeanClassReader;
import dev.tenrec.annotations.internal.declaration.Signatures;
import dev.tenrec.annotations.internal.declaration.StartUpSettings;
import dev.tenrec.annotations.internal.declaration.Texts;
import dev.tenrec.annotations.internal.declaration.VisibleDeclarations;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * What Tenrec looks up by reflection of a bean with commands: all methods of its class and of what
 * that extends and implements, as fallbacks, batches and cache keys may be any of them; and the
 * properties of their arguments, of which keys are made.
 */
final class CommandBeanHints
    implements BeanRegistrationAotProcessor, BeanFactoryInitializationAotProcessor {

  /** What stands in the annotations does not matter here; placeholders are replaced at run-time. */
  private final BeanClassReader reader =
      new BeanClassReader(new Texts(text -> text, StartUpSettings.NONE));

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Set<Class<?>> types = new LinkedHashSet<>();
    addTypes(typeOf(bean), types);
    return types.isEmpty()
        ? null
        : (generation, code) -> types.forEach(type -> register(generation.getRuntimeHints(), type));
  }

  /** Beans that a library excludes from what is asked of each, as OpenFeign its clients. */
  @Override
  public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
      ConfigurableListableBeanFactory beans) {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(name, false);
      if (type != null) {
        addTypes(type, types);
      }
    }
    return types.isEmpty()
        ? null
        : (generation, code) -> types.forEach(type -> register(generation.getRuntimeHints(), type));
  }

  private void addTypes(Class<?> bean, Set<Class<?>> types) {
    for (Class<?> type : DeclaringTypes.of(bean)) {
      if (!reader.read(type).isEmpty()) {
        types.add(type);
      }
    }
  }

  /** Of what a factory makes its product's, as of the client that Feign makes of an interface. */
  private static Class<?> typeOf(RegisteredBean bean) {
    Class<?> type = bean.getBeanFactory().getType(bean.getBeanName(), false);
    return type == null ? bean.getBeanClass() : type;
  }

  private static void register(RuntimeHints hints, Class<?> type) {
    for (Class<?> level : VisibleDeclarations.levels(type)) {
      if (level != Object.class) {
        registerMethods(hints, type, level);
      }
    }
  }

  /** The methods of one level, their parameters as the bean's class has them. */
  private static void registerMethods(RuntimeHints hints, Class<?> type, Class<?> level) {
    hints
        .reflection()
        .registerType(
            level, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.INVOKE_DECLARED_METHODS);
    for (Method method : level.getDeclaredMethods()) {
      for (int i = 0; i < method.getParameterCount(); i++) {
        Class<?> parameter = Signatures.resolvedParameter(type, method, i).toClass();
        if (!parameter.isPrimitive() && !parameter.getName().startsWith("java.")) {
          new BindingReflectionHintsRegistrar()
              .registerReflectionHints(hints.reflection(), parameter);
        }
      }
    }
  }
}
