// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import io.reactivex.rxjava3.core.Observable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The smallest command there is, by each of its doors. */
@ExtendWith(FreshHystrix.class)
class CommandHelloTest {

  static class CommandHello extends HystrixCommand<String> {

    private final String name;

    CommandHello(String name) {
      super(HystrixCommandGroupKey.Factory.asKey("Greetings"));
      this.name = name;
    }

    @Override
    protected String run() {
      return "Hello " + name + "!";
    }
  }

  @Test
  void execute_always_answers() {
    assertThat(new CommandHello("Ada").execute()).isEqualTo("Hello Ada!");
    assertThat(new CommandHello("Bob").execute()).isEqualTo("Hello Bob!");
  }

  @Test
  void queue_always_answersByItsFuture() throws Exception {
    Future<String> ada = new CommandHello("Ada").queue();
    Future<String> bob = new CommandHello("Bob").queue();

    assertThat(ada.get()).isEqualTo("Hello Ada!");
    assertThat(bob.get()).isEqualTo("Hello Bob!");
  }

  @Test
  void observe_always_replaysToEachSubscriber() {
    Observable<String> ada = new CommandHello("Ada").observe();

    assertThat(ada.blockingSingle()).isEqualTo("Hello Ada!");
    assertThat(ada.blockingSingle()).isEqualTo("Hello Ada!");
  }

  @Test
  void observe_severalCommands_canBeMerged() {
    List<String> greetings = new ArrayList<>();

    Observable.merge(new CommandHello("Ada").observe(), new CommandHello("Bob").observe())
        .blockingForEach(greetings::add);

    assertThat(greetings).containsExactlyInAnyOrder("Hello Ada!", "Hello Bob!");
  }

  @Test
  void getCommandKey_always_isTheClassesName() {
    assertThat(new CommandHello("Ada").getCommandKey().name()).isEqualTo("CommandHello");
    assertThat(new CommandHello("Ada").getThreadPoolKey().name()).isEqualTo("Greetings");
  }
}
