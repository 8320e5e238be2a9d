// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.config.ConfigurationManager;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is set in Archaius 1 counts at once, above what code sets, and until it is cleared. */
@ExtendWith(FreshHystrix.class)
class ArchaiusOneTest {

  private final String key = TestCommand.newKey();
  private final String instance =
      "hystrix.command." + key + ".execution.isolation.thread.timeoutInMilliseconds";
  private static final String GLOBAL =
      "hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds";

  @AfterEach
  void clear() {
    ConfigurationManager.getConfigInstance().clearProperty(instance);
    ConfigurationManager.getConfigInstance().clearProperty(GLOBAL);
  }

  private int timeoutOf(HystrixCommand<?> command) {
    return command.getProperties().executionTimeoutInMilliseconds().get();
  }

  @Test
  void setProperty_ofOneCommand_isLiveAndBeatsItsSetter() {
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD)),
            () -> "answer");
    assertThat(timeoutOf(command)).isEqualTo(30_000);

    ConfigurationManager.getConfigInstance().setProperty(instance, 250);
    assertThat(timeoutOf(command)).isEqualTo(250);

    ConfigurationManager.getConfigInstance().clearProperty(instance);
    assertThat(timeoutOf(command)).isEqualTo(30_000);
  }

  @Test
  void setProperty_ofAllCommands_isBelowTheSetter() {
    ConfigurationManager.getConfigInstance().setProperty(GLOBAL, "333");

    assertThat(
            timeoutOf(
                TestCommand.of(
                    TestCommand.setter(key, new HystrixCommandProperties.Setter()),
                    () -> "answer")))
        .isEqualTo(333);
    assertThat(
            timeoutOf(
                TestCommand.of(
                    TestCommand.setter(
                        TestCommand.newKey(),
                        TestCommand.settings(ExecutionIsolationStrategy.THREAD)),
                    () -> "answer")))
        .isEqualTo(30_000);
  }

  @Test
  void setProperty_refused_leavesTheLastGoodValue() {
    ConfigurationManager.getConfigInstance().setProperty(instance, 100);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD)),
            () -> "answer");

    ConfigurationManager.getConfigInstance().setProperty(instance, 0);

    assertThat(timeoutOf(command)).isEqualTo(100);
    assertThat(HystrixTenrec.get().refusedSettings()).isOne();
  }
}
