// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.retry.Retry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is reported to followers, and in which order. What a listener throws is only logged, so the
 * listeners here write down, and the tests assert.
 */
class InventoryListenerTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final List<String> news = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    tenrec.close();
  }

  /** Writes down what is reported to it. */
  private class Told implements InventoryListener {

    void told(String what) {
      news.add(what);
    }

    @Override
    public void onCommandAdded(CommandDetails command) {
      told("+command " + command.key());
    }

    @Override
    public void onCommandRemoved(CommandDetails command) {
      told("-command " + command.key());
    }

    @Override
    public void onPoolAdded(PoolDetails pool) {
      told("+pool " + pool.key());
    }

    @Override
    public void onPoolRemoved(PoolDetails pool) {
      told("-pool " + pool.key());
    }

    @Override
    public void onCollapserAdded(CollapserDetails collapser) {
      told("+collapser " + collapser.key());
    }

    @Override
    public void onCollapserRemoved(CollapserDetails collapser) {
      told("-collapser " + collapser.key());
    }

    @Override
    public void onSemaphoreAdded(SemaphoreDetails semaphore) {
      told("+semaphore " + semaphore.name());
    }

    @Override
    public void onSemaphoreRemoved(SemaphoreDetails semaphore) {
      told("-semaphore " + semaphore.name());
    }

    @Override
    public void onRateLimiterAdded(RateLimiterDetails limiter) {
      told("+limiter " + limiter.name());
    }

    @Override
    public void onRateLimiterRemoved(RateLimiterDetails limiter) {
      told("-limiter " + limiter.name());
    }

    @Override
    public void onRetryBudgetAdded(RetryBudgetDetails budget) {
      told("+budget " + budget.name());
    }

    @Override
    public void onRetryBudgetRemoved(RetryBudgetDetails budget) {
      told("-budget " + budget.name());
    }
  }

  private void build(String key, Isolation isolation) {
    tenrec.command(key, (String s) -> s).isolation(isolation).build();
  }

  private void buildAll() {
    tenrec.collapserByPosition("Batched", (List<String> all) -> all).globalScope().build();
    tenrec
        .command("Sharing", (String s) -> s)
        .isolation(Isolation.semaphore(3).shared("S"))
        .rateLimit(RateLimit.of(5, Duration.ofSeconds(1)).shared("L"))
        .retry(Retry.attempts(2).sharedBudget("B"))
        .build();
  }

  @Test
  void follow_whatThereIs_isToldAtOnce() {
    buildAll();

    tenrec.follow(new Told());

    assertThat(news)
        .containsExactlyInAnyOrder(
            "+command Batched",
            "+pool Batched",
            "+collapser Batched",
            "+command Sharing",
            "+semaphore S",
            "+limiter L",
            "+budget B");
  }

  @Test
  void follower_isToldOfEachThing_asItComesAndGoes() {
    tenrec.follow(new Told());

    buildAll();
    assertThat(news)
        .containsExactlyInAnyOrder(
            "+command Batched",
            "+pool Batched",
            "+collapser Batched",
            "+command Sharing",
            "+semaphore S",
            "+limiter L",
            "+budget B");
    news.clear();

    assertThat(tenrec.remove("Batched")).isTrue();
    assertThat(tenrec.remove("Sharing")).isTrue();
    assertThat(news)
        .containsExactlyInAnyOrder(
            "-command Batched",
            "-pool Batched",
            "-collapser Batched",
            "-command Sharing",
            "-semaphore S",
            "-limiter L",
            "-budget B");
  }

  @Test
  void pool_thatCodeSaysSomethingOfLater_goesAndComesAgain() {
    tenrec.follow(new Told());
    tenrec.command("First", (String s) -> s).group("G").build();
    assertThat(news).containsExactly("+pool G", "+command First");
    news.clear();

    tenrec
        .command("Second", (String s) -> s)
        .group("G")
        .isolation(Isolation.threadPool().coreSize(5))
        .build();

    assertThat(news).containsExactly("-pool G", "+pool G", "+command Second");
    news.clear();

    tenrec
        .command("Third", (String s) -> s)
        .group("G")
        .isolation(Isolation.threadPool().coreSize(5))
        .build();

    assertThat(news).as("the pool is as it was said before").containsExactly("+command Third");
  }

  @Test
  void pool_ofAnOverride_comesAndGoesWithIt() {
    build("Moving", Isolation.threadPool());
    tenrec.follow(new Told());
    news.clear();

    tenrec.set("tenrec.command.Moving.threadPoolKeyOverride", "Other");
    tenrec.clear("tenrec.command.Moving.threadPoolKeyOverride");

    assertThat(news).containsExactly("+pool Other", "-pool Other");
  }

  /** A checked exception, too, which it cannot declare. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class, IOException.class})
  void listenerThatThrows_isLogged_andTheOthersAreTold(Class<? extends Throwable> kind) {
    tenrec.follow(
        new Told() {
          @Override
          void told(String what) {
            throw InventoryListenerTest.<RuntimeException>undeclared(
                thrown(kind, "on purpose at " + what));
          }
        });
    tenrec.follow(new Told());
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      build("C", Isolation.semaphore(1));
    } finally {
      System.setErr(before);
    }

    assertThat(news).containsExactly("+command C");
    assertThat(written.toString(StandardCharsets.UTF_8))
        .contains("An inventory listener threw", "on purpose at +command C");
  }

  private static Throwable thrown(Class<? extends Throwable> kind, String message) {
    if (kind == IOException.class) {
      return new IOException(message);
    }
    return kind == AssertionError.class
        ? new AssertionError(message)
        : new IllegalStateException(message);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** The report to it is on its way by then. */
  @Test
  void follower_thatAnotherFollowerEnds_isNotToldWhatThatOneWas() {
    List<Subscription> second = new ArrayList<>();
    tenrec.follow(
        new Told() {
          @Override
          void told(String what) {
            news.add("first: " + what);
            second.forEach(Subscription::close);
          }
        });
    second.add(tenrec.follow(new Told()));

    build("C", Isolation.semaphore(1));
    build("D", Isolation.semaphore(1));

    assertThat(news).containsExactly("first: +command C", "first: +command D");
  }

  @Test
  void listener_thatFollowsTwice_endsOneOfThemHoweverOften() {
    Told told = new Told();
    Subscription first = tenrec.follow(told);
    Subscription second = tenrec.follow(told);

    first.close();
    first.close();
    build("C", Isolation.semaphore(1));
    second.close();
    build("D", Isolation.semaphore(1));

    assertThat(news).containsExactly("+command C");
  }

  @Test
  void follower_thatIsEqualToAnother_endsItselfAlone() {
    class Equal extends Told {
      private final String name;

      Equal(String name) {
        this.name = name;
      }

      @Override
      void told(String what) {
        news.add(name + ": " + what);
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Equal;
      }

      @Override
      public int hashCode() {
        return 0;
      }
    }
    tenrec.follow(new Equal("first"));
    Subscription second = tenrec.follow(new Equal("second"));

    second.close();
    build("C", Isolation.semaphore(1));

    assertThat(news).containsExactly("first: +command C");
  }

  @Test
  void follower_thatEndsWhileItIsBeingTold_waitsForThat() {
    CountDownLatch release = new CountDownLatch(1);
    Subscription following =
        tenrec.follow(
            new Told() {
              @Override
              void told(String what) {
                news.add("begins " + what);
                Uninterruptibly.await(release);
                news.add("ends");
              }
            });
    Thread building = Elsewhere.start(() -> build("C", Isolation.semaphore(1)));
    await().until(() -> !news.isEmpty());

    Thread ending =
        Elsewhere.start(
            () -> {
              following.close();
              news.add("closed");
            });
    await()
        .until(
            () ->
                ending.getState() == Thread.State.WAITING
                    || ending.getState() == Thread.State.TERMINATED);
    release.countDown();

    await().until(() -> !building.isAlive() && !ending.isAlive());
    assertThat(news).containsExactly("begins +command C", "ends", "closed");
  }
}
