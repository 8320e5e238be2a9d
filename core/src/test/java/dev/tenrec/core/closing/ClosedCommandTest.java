// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.core.work.StreamWork;
import io.reactivex.rxjava3.core.Flowable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a built command says of itself: whether it was removed, and where it runs. */
class ClosedCommandTest {

  private final Tenrec tenrec = Unhurried.tenrec();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private Command<String, String> command() {
    return tenrec.command("Echo", (String argument) -> argument).build();
  }

  @Test
  void removedKey_closesWhatWasBuilt_andNotWhatIsBuiltLater() {
    Command<String, String> first = command();
    assertThat(first.isClosed()).isFalse();
    assertThat(tenrec.remove("Echo")).isTrue();
    Command<String, String> second = command();

    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isFalse();
    assertThat(second.execute("a")).isEqualTo("a");
  }

  @Test
  void closedTenrec_closesAllDoors() {
    StreamWork<String, String> items = Flowable::just;
    BatchWork<String, String> batch = arguments -> java.util.Map.of();
    Command<String, String> command = command();
    StreamCommand<String, String> stream = tenrec.streamCommand("Items", items).build();
    Collapser<String, String> collapser = tenrec.collapser("Batch", batch).build();
    assertThat(stream.isClosed()).isFalse();
    assertThat(collapser.isClosed()).isFalse();

    tenrec.close();

    assertThat(command.isClosed()).isTrue();
    assertThat(stream.isClosed()).isTrue();
    assertThat(collapser.isClosed()).isTrue();
  }

  @Test
  void isolation_isThatOfTheSettingsNow() {
    Command<String, String> command = command();
    assertThat(command.isolation()).isEqualTo(IsolationStrategy.THREAD);

    tenrec.set("tenrec.command.Echo.execution.isolation.strategy", "SEMAPHORE");

    assertThat(command.isolation()).isEqualTo(IsolationStrategy.SEMAPHORE);
  }
}
