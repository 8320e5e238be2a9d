// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/** Which of several readings of the environment counts. */
class EnvironmentSettingsTest {

  private static final String FORCE_OPEN = "tenrec.command.Echo.circuitBreaker.forceOpen";
  private static final String RULE = "tenrec.command.Echo.ignoreExceptions";

  /** Asked after the others, once their properties have been read. */
  private static final class Last extends EnumerablePropertySource<Object> {

    private Runnable asked = () -> {};

    Last() {
      super("last", new Object());
    }

    @Override
    public String[] getPropertyNames() {
      Runnable once = asked;
      asked = () -> {};
      once.run();
      return new String[0];
    }

    @Override
    public @Nullable Object getProperty(String name) {
      return null;
    }
  }

  private static void elsewhere(Runnable action) {
    FutureTask<Void> task = new FutureTask<>(action, null);
    new Thread(task, "another change").start();
    try {
      task.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void changeWhileAnEarlierOneIsTakenOver_isTheOneThatCounts() {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> written = new ConcurrentHashMap<>();
    Last last = new Last();
    MutablePropertySources sources = environment.getPropertySources();
    sources.forEach(source -> sources.remove(source.getName()));
    sources.addLast(new MapPropertySource("written", written));
    sources.addLast(last);
    EnvironmentSettings settings =
        new EnvironmentSettings(
            environment,
            "tenrec",
            new DefaultListableBeanFactory(),
            () -> {
              throw new AssertionError("no variables");
            },
            complaint -> {});
    try (Tenrec tenrec = Tenrec.builder().baseProperties(settings.give()).build()) {
      last.asked =
          () ->
              elsewhere(
                  () -> {
                    written.put(FORCE_OPEN, "true");
                    written.put(RULE, "java.io.IOException");
                    settings.readAgain(tenrec);
                    assertThat(tenrec.resolvedSettings().properties()).containsKey(FORCE_OPEN);
                  });

      settings.readAgain(tenrec);

      assertThat(tenrec.resolvedSettings().properties()).containsEntry(FORCE_OPEN, "true");
      assertThat(settings.others()).containsKey(RULE);
    }
  }
}
