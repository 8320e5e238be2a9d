// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.internal.spring;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.core.Tenrec;
import dev.tenrec.test.Faults;
import dev.tenrec.test.SharedTenrec;
import dev.tenrec.test.VirtualTime;
import dev.tenrec.test.spring.TenrecTest;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Registers the kit's beans where the test class has the annotation, or a class around it. */
public final class KitBeans implements ContextCustomizerFactory {

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    TenrecTest found = TestContextAnnotationUtils.findMergedAnnotation(testClass, TenrecTest.class);
    return found == null ? null : new Customizer(found.virtualTime());
  }

  /** Equal for equal times, so that test classes share their context. */
  private record Customizer(boolean virtualTime) implements ContextCustomizer {

    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
      if (hasTenrec(context.getParent())) {
        return; // and with it the kit
      }
      BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
      String prefix = context.getEnvironment().getProperty("tenrec.prefix", "tenrec").strip();
      Faults faults;
      Runnable letGo;
      if (virtualTime) {
        VirtualTime time = new VirtualTime();
        faults = Faults.in(time).prefix(prefix);
        letGo =
            () -> {
              time.release();
              faults.clear();
            };
        register(registry, "tenrecTestTime", VirtualTime.class, () -> time);
      } else {
        faults = Faults.inRealTime().prefix(prefix);
        letGo = faults::clear;
      }
      register(registry, "tenrecTestFaults", Faults.class, () -> faults);
      TenrecCustomizer customizer = faults::applyTo;
      register(registry, "tenrecTestCustomizer", TenrecCustomizer.class, () -> customizer);
      register(
          registry,
          "tenrecTestShared",
          SharedTenrec.class,
          () -> new SharedTenrec(context.getBean(Tenrec.class), faults));
      EndOfContext end = new EndOfContext(context, letGo);
      context.addApplicationListener(end);
      context.getBeanFactory().addBeanPostProcessor(end);
    }

    private static boolean hasTenrec(@Nullable ApplicationContext parent) {
      return parent != null
          && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(parent, Tenrec.class, true, false)
                  .length
              > 0;
    }

    /** None is made before it is asked for: not every context of a hierarchy has a Tenrec. */
    private static <T> void register(
        BeanDefinitionRegistry registry, String name, Class<T> type, Supplier<T> bean) {
      RootBeanDefinition definition = new RootBeanDefinition(type, bean);
      definition.setLazyInit(true);
      registry.registerBeanDefinition(name, definition);
    }
  }
}
