// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.PoolSettings;
import dev.tenrec.core.kit.NoSettings;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Settings as a command has them, for the tests of its gates. */
final class GateSettings {

  private GateSettings() {}

  /** Of a command, from names and values in turn. */
  static CommandSettings of(String... namesAndValues) {
    CodeSettings.Builder code = CodeSettings.command();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      code.set(namesAndValues[i], namesAndValues[i + 1]);
    }
    try (Configuration configuration = Configuration.open(new NoSettings())) {
      return configuration.command("Get", code.build(), changed -> {}).current();
    }
  }

  /**
   * The same with another value of one component: what this JVM has not, or what no code can set.
   */
  static CommandSettings with(CommandSettings settings, String component, Object value) {
    RecordComponent[] components = CommandSettings.class.getRecordComponents();
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] =
            components[i].getName().equals(component)
                ? value
                : components[i].getAccessor().invoke(settings);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return CommandSettings.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  static PoolSettings ofPool() {
    try (Configuration configuration = Configuration.open(new NoSettings())) {
      return configuration.pool("Pool", CodeSettings.pool().build(), changed -> {}).current();
    }
  }
}
