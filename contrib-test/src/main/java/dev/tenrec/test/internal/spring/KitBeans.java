// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.internal.spring;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.test.Faults;
import dev.tenrec.test.VirtualTime;
import dev.tenrec.test.spring.TenrecTest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
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
      BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
      String prefix = context.getEnvironment().getProperty("tenrec.prefix", "tenrec").strip();
      Faults faults;
      if (virtualTime) {
        VirtualTime time = new VirtualTime();
        faults = Faults.in(time).prefix(prefix);
        register(registry, "tenrecTestTime", VirtualTime.class, time);
      } else {
        faults = Faults.inRealTime().prefix(prefix);
      }
      register(registry, "tenrecTestFaults", Faults.class, faults);
      TenrecCustomizer customizer = faults::applyTo;
      register(registry, "tenrecTestCustomizer", TenrecCustomizer.class, customizer);
    }

    private static <T> void register(
        BeanDefinitionRegistry registry, String name, Class<T> type, T bean) {
      registry.registerBeanDefinition(name, new RootBeanDefinition(type, () -> bean));
    }
  }
}
