// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.SharedSettings;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.view.PoolView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a wrong setting meets with: an error that names key, value and rule in code, a refusal that
 * does so live.
 */
class WrongSettingsTest {

  private final List<Refusal> refusals = new ArrayList<>();
  private final Tenrec tenrec = Unhurried.builder().onRefusedSetting(refusals::add).build();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private CommandBuilder<String, String> builder() {
    return tenrec.command("C", (String s) -> s);
  }

  private static Arguments wrong(
      String key,
      String value,
      String rule,
      Function<CommandBuilder<String, String>, Object> setting) {
    return Arguments.of(key, value, rule, setting);
  }

  private static CommandBuilder<String, String> pool(
      CommandBuilder<String, String> builder, Function<Isolation.ThreadPool, Isolation> setting) {
    return builder.isolation(setting.apply(Isolation.threadPool()));
  }

  static Stream<Arguments> inCode() {
    String most = "at most 365 days";
    return Stream.of(
        wrong(
            "execution.isolation.thread.timeoutInMilliseconds",
            "-1",
            most,
            b -> b.timeout(Duration.ofMillis(-1))),
        wrong(
            "execution.isolation.thread.timeoutInMilliseconds",
            "0",
            "longer than 0",
            b -> b.timeout(Duration.ZERO)),
        wrong(
            "execution.isolation.thread.timeoutInMilliseconds",
            "31622400000",
            most,
            b -> b.timeout(Duration.ofDays(366))),
        wrong(
            "execution.isolation.thread.timeoutInMilliseconds",
            "soon",
            "whole number of milliseconds",
            b -> b.property("execution.isolation.thread.timeoutInMilliseconds", "soon")),
        wrong(
            "execution.timeout.enabled",
            "perhaps",
            "true, false",
            b -> b.property("execution.timeout.enabled", "perhaps")),
        wrong(
            "execution.isolation.strategy",
            "THREADS",
            "THREAD, SEMAPHORE or VIRTUAL_THREAD",
            b -> b.property("execution.isolation.strategy", "THREADS")),
        wrong(
            "execution.isolation.semaphore.maxConcurrentRequests",
            "-1",
            "at least 0",
            b -> b.isolation(Isolation.semaphore(-1))),
        wrong(
            "execution.isolation.virtualThread.maxConcurrentRequests",
            "-1",
            "at least 0",
            b -> b.isolation(Isolation.virtualThreads(-1))),
        wrong(
            "execution.isolation.stage.abandonAfterInMilliseconds",
            "-1",
            "from 0",
            b -> b.property("execution.isolation.stage.abandonAfterInMilliseconds", "-1")),
        wrong(
            "fallback.isolation.semaphore.maxConcurrentRequests",
            "-5",
            "at least 0",
            b -> b.fallbackLimit(-5)),
        wrong(
            "circuitBreaker.errorThresholdPercentage",
            "0",
            "from 1 to 100",
            b -> b.errorThreshold(0, 20)),
        wrong(
            "circuitBreaker.errorThresholdPercentage",
            "101",
            "from 1 to 100",
            b -> b.errorThreshold(101, 20)),
        wrong(
            "circuitBreaker.requestVolumeThreshold",
            "0",
            "at least 1",
            b -> b.errorThreshold(50, 0)),
        wrong(
            "circuitBreaker.sleepWindowInMilliseconds",
            "0",
            "longer than 0",
            b -> b.sleepWindow(Duration.ZERO)),
        wrong("circuitBreaker.halfOpenTrials", "0", "from 1 to 64", b -> b.halfOpenTrials(0)),
        wrong("circuitBreaker.halfOpenTrials", "65", "from 1 to 64", b -> b.halfOpenTrials(65)),
        wrong(
            "circuitBreaker.slowCallDurationInMilliseconds",
            "-1",
            "from 0",
            b -> b.slowCall(Duration.ofMillis(-1))),
        wrong(
            "rateLimiter.permits",
            "0",
            "at least 1",
            b -> b.rateLimit(0, Duration.ofSeconds(1), 1)),
        wrong(
            "rateLimiter.periodInMilliseconds",
            "0",
            "longer than 0",
            b -> b.rateLimit(1, Duration.ZERO, 1)),
        wrong(
            "rateLimiter.periodInMilliseconds",
            "-1000",
            "longer than 0",
            b -> b.rateLimit(RateLimit.of(1, Duration.ofSeconds(-1)))),
        wrong(
            "rateLimiter.burst", "0", "at least 1", b -> b.rateLimit(1, Duration.ofSeconds(1), 0)),
        wrong(
            "tenrec.command.C.rateLimiter.permits",
            "11",
            "rateLimiter.permits must not be more than one for each nanosecond of"
                + " rateLimiter.periodInMilliseconds",
            b -> b.rateLimit(11, Duration.ofNanos(10), 1).build()),
        wrong(
            "tenrec.command.C.rateLimiter.burst",
            "366",
            "rateLimiter.burst must be there again within 365 days",
            b -> b.rateLimit(1, Duration.ofDays(1), 366).build()),
        wrong(
            "tenrec.command.C.rateLimiter.burst",
            "2147483647",
            "rateLimiter.burst must be there again within 365 days",
            b -> b.rateLimit(1, Duration.ofDays(365), Integer.MAX_VALUE).build()),
        wrong(
            "rateLimiter.maxKeys",
            "0",
            "from 1 to 1000000",
            b -> b.property("rateLimiter.maxKeys", "0")),
        wrong(
            "metrics.rollingStats.numBuckets",
            "0",
            "from 1 to 1000",
            b -> b.set(CommandProperties.ROLLING_BUCKETS, 0)),
        wrong(
            "metrics.rollingStats.timeInMilliseconds",
            "PT0.0005S",
            "at least 1 ms",
            b -> b.set(CommandProperties.ROLLING_WINDOW, Duration.ofNanos(500_000))),
        wrong(
            "tenrec.command.C.metrics.rollingStats.numBuckets",
            "7",
            "must divide into",
            b -> b.set(CommandProperties.ROLLING_BUCKETS, 7).build()),
        wrong(
            "tenrec.command.C.metrics.healthSnapshot.intervalInMilliseconds",
            "10001",
            "must not be longer than",
            b -> b.set(CommandProperties.HEALTH_INTERVAL, Duration.ofMillis(10_001)).build()),
        wrong("coreSize", "0", "at least 1", b -> pool(b, p -> p.coreSize(0))),
        wrong("maximumSize", "-1", "at least 1", b -> pool(b, p -> p.maximumSize(-1))),
        wrong("maxQueueSize", "-2", "at least -1", b -> pool(b, p -> p.queueSize(-2))),
        wrong(
            "queueSizeRejectionThreshold",
            "-1",
            "at least 0",
            b -> pool(b, p -> p.rejectionThreshold(-1))),
        wrong(
            "keepAliveTimeMinutes",
            "-1",
            "from 0",
            b -> pool(b, p -> p.keepAlive(Duration.ofMinutes(-1)))),
        wrong(
            "tenrec.threadpool.C.maximumSize",
            "4",
            "maximumSize must not be less than coreSize",
            b -> pool(b, p -> p.coreSize(5).maximumSize(4)).build()),
        wrong(
            "maxConcurrentRequests",
            "-1",
            "at least 0",
            b -> b.isolation(Isolation.semaphore(-1).shared("S"))),
        wrong(
            "circuitBreaker.forceopen",
            "true",
            "near names: circuitBreaker.forceOpen",
            b -> b.property("circuitBreaker.forceopen", "true")),
        wrong(
            "threadPoolKeyOverride",
            "P",
            "dynamic property of one command only",
            b -> b.property("threadPoolKeyOverride", "P")));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource
  void inCode(
      String key,
      String value,
      String rule,
      Function<CommandBuilder<String, String>, Object> setting) {
    ThrowingCallable call = () -> setting.apply(builder());
    assertThatThrownBy(call)
        .isInstanceOf(InvalidSettingException.class)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(key, value, rule);
    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.refusedSettings()).isZero();
    assertThat(builder().build().execute("x")).as("nothing of it stays").isEqualTo("x");
  }

  @Test
  void inCode_error_namesWhoseSettingItIs() {
    assertThatThrownBy(() -> tenrec.command("Quote", (Integer i) -> i).halfOpenTrials(0))
        .hasMessageStartingWith("command.Quote.circuitBreaker.");
    assertThatThrownBy(
            () ->
                tenrec
                    .command("Quote", (Integer i) -> i)
                    .isolation(Isolation.threadPool().key("Prices").coreSize(0))
                    .build())
        .hasMessageStartingWith("threadpool.Prices.coreSize = 0: ");
    assertThatThrownBy(
            () ->
                tenrec
                    .command("Quote", (Integer i) -> i)
                    .isolation(Isolation.semaphore(-1).shared("Db"))
                    .build())
        .hasMessageStartingWith("command.Quote.execution.isolation.semaphore.");
    assertThatThrownBy(() -> tenrec.command("Quote", (Integer i) -> i).property("nonsense", "1"))
        .hasMessageStartingWith("command.Quote.nonsense = 1: ");
  }

  @Test
  void isolation_ofSharedSettings_isCheckedWhenItIsGiven() {
    SharedSettings.Builder shared = SharedSettings.builder();
    assertThatThrownBy(() -> shared.isolation(Isolation.semaphore(-1)))
        .isInstanceOf(InvalidSettingException.class);
    assertThatThrownBy(() -> shared.isolation(Isolation.threadPool().coreSize(0)))
        .isInstanceOf(InvalidSettingException.class);
    SharedSettings good = shared.timeout(Duration.ofMillis(300)).build();

    assertThat(builder().settings(good).build().execute("x")).isEqualTo("x");
  }

  static Stream<Arguments> live() {
    return Stream.of(
        Arguments.of(
            "command.C.execution.isolation.thread.timeoutInMilliseconds", "-1", "longer than 0"),
        Arguments.of(
            "command.C.execution.isolation.thread.timeoutInMilliseconds", "0", "longer than 0"),
        Arguments.of(
            "command.C.execution.isolation.thread.timeoutInMilliseconds",
            "1 second",
            "whole number of milliseconds"),
        Arguments.of(
            "command.default.execution.isolation.thread.timeoutInMilliseconds",
            "",
            "whole number of milliseconds"),
        Arguments.of(
            "command.C.execution.isolation.strategy",
            "Thread",
            "THREAD, SEMAPHORE or VIRTUAL_THREAD"),
        Arguments.of("command.C.circuitBreaker.forceOpen", "1", "true, false"),
        Arguments.of("command.C.metrics.rollingStats.numBuckets", "3", "must divide into"),
        Arguments.of(
            "command.C.circuitBreaker.forceOpne", "true", "near names: circuitBreaker.forceOpen"),
        Arguments.of("command.default.threadPoolKeyOverride", "P", "for one command only"),
        Arguments.of("command.C.threadPoolKeyOverride", "default", "not 'default'"),
        Arguments.of("command.C.threadPoolKeyOverride", " ", "not blank"),
        Arguments.of("command.C.threadPoolKeyOverride", "${no.such}", "could not be replaced"),
        Arguments.of("command.C.circuitBreaker.forceOpen", "${no.such}", "could not be replaced"),
        Arguments.of(
            "comand.C.circuitBreaker.forceOpen", "true", "'comand' is no scope with a key"),
        Arguments.of(
            "threadsPool.C.coreSize",
            "3",
            "the scopes are command, threadpool, semaphore, ratelimiter, retrybudget, collapser"),
        Arguments.of(
            "pool.C.coreSize",
            "3",
            "the scopes are command, threadpool, semaphore, ratelimiter, retrybudget, collapser"),
        Arguments.of("C.circuitBreaker.forceOpen", "true", "'C' is no scope"),
        Arguments.of("command", "true", "'command' is no scope with a key"),
        Arguments.of("command.C.rateLimiter.permits", "-1", "at least 1"),
        Arguments.of("command.C.rateLimiter.burst", "many", "whole number"),
        Arguments.of("command.C.rateLimiter.periodInMilliseconds", "0", "longer than 0"),
        Arguments.of("command.C.rateLimiter.enabled", "1", "true, false"),
        Arguments.of("command.C.rateLimiter.permit", "1", "near names: rateLimiter.permits"),
        Arguments.of("ratelimiter.Shared.permits", "0", "at least 1"),
        Arguments.of("retrybudget.Shared.percent", "101", "from 0 to 100"),
        Arguments.of("retrybudget.Shared.perSecond", "1001", "from 0 to 1000"),
        Arguments.of("ratelimiter.Shared.maxKeys", "1000001", "from 1 to 1000000"),
        Arguments.of("threadpool.C.coreSize", "0", "at least 1"),
        Arguments.of("threadpool.C.coreSize", "ten", "whole number"),
        Arguments.of("threadpool.C.maxQueueSize", "-2", "at least -1"));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource
  void live(String key, String value, String rule) {
    Command<String, String> command = builder().build();
    tenrec.set("tenrec." + key, value);
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).key()).isEqualTo("tenrec." + key);
    assertThat(refusals.get(0).value()).isEqualTo(value);
    assertThat(refusals.get(0).rule()).contains(rule);
    assertThat(command.execute("x")).as("the last good ones stay").isEqualTo("x");
  }

  @Test
  void live_maximumBelowCore_isRefusedWithTheLastGoodOneKept() {
    assertThat(
            builder()
                .isolation(Isolation.threadPool().coreSize(5).maximumSize(8))
                .build()
                .execute("x"))
        .isEqualTo("x");
    tenrec.set("tenrec.threadpool.C.maximumSize", "4");
    assertThat(refusals)
        .extracting(Refusal::key)
        .containsExactly("tenrec.threadpool.C.maximumSize");
    assertThat(tenrec.pools().get(0).maximumSize()).isEqualTo(8);
    tenrec.set("tenrec.threadpool.C.coreSize", "3");
    assertThat(tenrec.pools().get(0).maximumSize()).as("now it is good").isEqualTo(4);
    assertThat(tenrec.pools().get(0).coreSize()).isEqualTo(3);
  }

  @Test
  void live_severalAtOnce_areOneChangeToTheRuleBetweenThem() {
    assertThat(
            builder()
                .isolation(Isolation.threadPool().coreSize(5).maximumSize(8))
                .build()
                .execute("x"))
        .isEqualTo("x");
    Map<String, String> smaller =
        Map.of("tenrec.threadpool.C.maximumSize", "3", "tenrec.threadpool.C.coreSize", "2");

    tenrec.set(smaller);
    assertThat(tenrec.pools().get(0).maximumSize()).isEqualTo(3);
    assertThat(tenrec.pools().get(0).coreSize()).isEqualTo(2);
    tenrec.set(
        Map.of("tenrec.threadpool.C.maximumSize", "30", "tenrec.threadpool.C.coreSize", "20"));
    assertThat(tenrec.pools().get(0).coreSize()).isEqualTo(20);
    // one by one, either way round, the one would for a moment not go with the other
    tenrec.clear(smaller.keySet());
    assertThat(tenrec.pools().get(0).maximumSize()).isEqualTo(8);
    assertThat(tenrec.pools().get(0).coreSize()).isEqualTo(5);
    assertThat(refusals).isEmpty();
  }

  @Test
  void live_badValue_keepsTheLastGoodOneOfItsKey() {
    Command<String, Thread> who =
        tenrec.command("Who", (String s) -> Thread.currentThread()).build();
    tenrec.set("tenrec.command.Who.execution.isolation.strategy", "SEMAPHORE");
    tenrec.set("tenrec.command.Who.execution.isolation.strategy", "sema");
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(who.execute("x")).isSameAs(Thread.currentThread());
    tenrec.clear("tenrec.command.Who.execution.isolation.strategy");
    assertThat(who.execute("x")).isNotSameAs(Thread.currentThread());
  }

  @Test
  void live_poolKeyThatCannotBe_doesNotHoldUpWhatComesLater() {
    Command<String, String> command = builder().build();
    tenrec.set("tenrec.command.C.threadPoolKeyOverride", "default");
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "true");
    assertThat(command.view().circuitState().name()).isEqualTo("FORCED_OPEN");
    assertThat(refusals).hasSize(1);
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("C");
  }

  @Test
  void start_poolKeyThatCannotBe_fallsToTheNextLevel() {
    tenrec.set("tenrec.command.C.threadPoolKeyOverride", "default");
    assertThat(builder().build().execute("x")).isEqualTo("x");
    assertThat(refusals).hasSize(1);
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("C");
  }

  @Test
  void keys_ofOtherBusiness_areLeftAlone() {
    tenrec.set("tenrec.prefix", "a");
    tenrec.set("tenrec.annotations.order", "1");
    tenrec.set("tenrec.stream.maxConcurrentConnections", "5");
    tenrec.set("tenrec.timer.threadpool.default.coreSize", "5");
    assertThat(refusals).isEmpty();
  }

  @Test
  void poolThatCannotBe_isAnErrorWhereItIsBuilt_whateverTheStrategyNow() {
    assertThatThrownBy(() -> builder().group("default").isolation(Isolation.semaphore(1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("threadpool", "'default'");
    tenrec.set("tenrec.command.C.execution.isolation.strategy", "SEMAPHORE");
    assertThatThrownBy(() -> pool(builder(), p -> p.coreSize(5).maximumSize(4)).build())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("maximumSize must not be less than coreSize");
    assertThat(tenrec.commands()).isEmpty();
    assertThat(builder().build().execute("x")).isEqualTo("x");
  }

  @Test
  void start_badValue_fallsToTheNextLevel() {
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "perhaps");
    tenrec.set("tenrec.command.default.circuitBreaker.forceOpen", "true");
    Command<String, String> command = builder().build();
    assertThat(command.view().circuitState().name()).isEqualTo("FORCED_OPEN");
    assertThat(refusals).extracting(Refusal::value).containsExactly("perhaps");
  }

  @Test
  void keys_thatCannotBe_areRefused() {
    assertThatThrownBy(() -> tenrec.command("default", (String s) -> s).build())
        .hasMessageContaining("'default'");
    assertThatThrownBy(() -> tenrec.command(" ", (String s) -> s).build())
        .hasMessageContaining("must not be blank");
    assertThatThrownBy(() -> builder().group("").build())
        .hasMessageContaining("threadpool must not be blank");
    assertThat(tenrec.commands()).isEmpty();
    assertThatThrownBy(() -> Unhurried.builder().prefix("a.").build())
        .hasMessageContaining("prefix")
        .hasMessageContaining("'a.'");
  }
}
