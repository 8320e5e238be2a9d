// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.netflix.archaius.Layers;
import com.netflix.archaius.api.ConfigListener;
import com.netflix.archaius.config.DefaultLayeredConfig;
import com.netflix.archaius.config.DefaultSettableConfig;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.time.ManualTime;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchaiusSourceTest {

  private static final String PREFIX = "tenrec-source-test";
  private static final String KEY = PREFIX + ".command.A.circuitBreaker.sleepWindowInMilliseconds";

  @TempDir Path directory;
  private final ManualTime time = new ManualTime();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<ArchaiusSource> opened = new ArrayList<>();
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("settings.properties");
  }

  @AfterEach
  void close() {
    System.clearProperty(KEY);
    System.clearProperty("tenrec-source-test-other");
    opened.forEach(ArchaiusSource::close);
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  private ArchaiusSourceBuilder builder() {
    return ArchaiusSource.builder()
        .file(file)
        .time(time, time)
        .threads(
            task -> {
              Thread thread = new Thread(task, "settings-of-test");
              thread.setDaemon(true);
              threads.add(thread);
              return thread;
            });
  }

  private ArchaiusSource start(ArchaiusSourceBuilder builder) {
    ArchaiusSource source = builder.start();
    opened.add(source);
    return source;
  }

  private static ConditionFactory await() {
    return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  private static String value(ArchaiusSource source) {
    return source.values(PREFIX).get(KEY);
  }

  private void pass(Duration span) {
    await().until(() -> time.waiting().containsAll(threads));
    time.advance(span);
  }

  @Test
  void layers_eachOverridesTheOnesBelow() throws Exception {
    DefaultSettableConfig own = new DefaultSettableConfig("own");
    own.setProperty(KEY, "own");
    ArchaiusSource source = start(builder().config(own));
    assertThat(value(source)).isEqualTo("own");
    Files.writeString(file, KEY + " = file");
    source.refresh();
    assertThat(value(source)).isEqualTo("file");
    System.setProperty(KEY, "system");
    source.refresh();
    assertThat(value(source)).isEqualTo("system");
    source.set(KEY, "memory");
    assertThat(value(source)).isEqualTo("memory");

    source.clear(KEY);
    assertThat(value(source)).isEqualTo("system");
    System.clearProperty(KEY);
    source.refresh();
    assertThat(value(source)).isEqualTo("file");
    Files.delete(file);
    source.refresh();
    assertThat(value(source)).isEqualTo("own");
    own.clearProperty(KEY);
    assertThat(source.values(PREFIX)).isEmpty();
  }

  @Test
  void config_atALayerOfItsOwn_standsThere() throws Exception {
    Files.writeString(file, KEY + " = file");
    DefaultSettableConfig remote = new DefaultSettableConfig("remote");
    ArchaiusSource source = start(builder().config(Layers.REMOTE, remote));
    remote.setProperty(KEY, "remote");
    assertThat(value(source)).isEqualTo("remote");
    System.setProperty(KEY, "system");
    source.refresh();
    assertThat(value(source)).isEqualTo("system");
  }

  @Test
  void config_inTheLayerOfMemory_isStronger() {
    DefaultSettableConfig first = new DefaultSettableConfig("first");
    DefaultSettableConfig second = new DefaultSettableConfig("second");
    ArchaiusSource source =
        start(builder().config(Layers.RUNTIME, first).config(Layers.RUNTIME, second));
    source.set(KEY, "memory");
    first.setProperty(KEY, "first");
    assertThat(value(source)).isEqualTo("first");
    second.setProperty(KEY, "second");
    assertThat(value(source)).isEqualTo("second");
  }

  @Test
  void config_keepsItsOwnDecoderAndInterpolator() {
    DefaultSettableConfig own = new DefaultSettableConfig("own");
    Object decoder = own.getDecoder();
    Object interpolator = own.getStrInterpolator();
    own.setProperty(KEY, "${base}0");
    own.setProperty("base", 5);
    ArchaiusSource source = start(builder().config(own));
    assertThat(value(source)).isEqualTo("50");
    assertThat(own.getDecoder()).isSameAs(decoder);
    assertThat(own.getStrInterpolator()).isSameAs(interpolator);
  }

  @Test
  void config_heldByNobodyElse_isStillFollowedAfterGarbageCollection() {
    DefaultSettableConfig remote = new DefaultSettableConfig("remote");
    DefaultLayeredConfig layered = new DefaultLayeredConfig("application");
    layered.addConfig(Layers.REMOTE, remote);
    ArchaiusSource source = start(builder().config(layered));
    try (Configuration configuration =
        Configuration.open(source, PREFIX, refusal -> {}, change -> {})) {
      LiveSettings<CommandSettings> live =
          configuration.command("A", CodeSettings.command().build(), settings -> {});
      layered = null;
      WeakReference<Object> canary = new WeakReference<>(new Object());
      await()
          .until(
              () -> {
                System.gc();
                return canary.get() == null;
              });
      remote.setProperty(KEY, "7");
      assertThat(live.current().sleepWindowNanos()).isEqualTo(Duration.ofMillis(7).toNanos());
    }
  }

  @Test
  void systemProperty_set_isSeenWithinASecond() {
    ArchaiusSource source = start(builder());
    System.setProperty(KEY, "1");
    pass(Duration.ofMillis(999));
    await().until(() -> time.waiting().containsAll(threads));
    assertThat(value(source)).isNull();
    pass(Duration.ofMillis(1));
    await().until(() -> "1".equals(value(source)));
  }

  @Test
  void file_changedAndDeleted_isSeenByTheThread() throws Exception {
    ArchaiusSource source = start(builder());
    Files.writeString(file, KEY + "=1");
    await()
        .until(
            () -> {
              time.advanceMillis(100);
              return "1".equals(value(source));
            });
    Files.delete(file);
    await()
        .until(
            () -> {
              time.advanceMillis(100);
              return value(source) == null;
            });
  }

  @Test
  void thread_interrupted_goesOn() {
    ArchaiusSource source = start(builder());
    threads.forEach(Thread::interrupt);
    System.setProperty(KEY, "1");
    pass(Duration.ofSeconds(1));
    await().until(() -> "1".equals(value(source)));
  }

  @Test
  void subscriber_throwing_doesNotStopOthers() {
    ArchaiusSource source = start(builder());
    List<String> notified = new ArrayList<>();
    source.subscribe(
        () -> {
          throw new IllegalStateException("thrown on purpose");
        });
    source.subscribe(() -> notified.add("second"));
    source.set(KEY, "1");
    assertThat(notified).containsExactly("second");
  }

  @Test
  void subscription_closed_isNotNotified() {
    ArchaiusSource source = start(builder());
    List<String> notified = new ArrayList<>();
    Runnable twice = () -> notified.add("changed");
    source.subscribe(twice).close();
    source.subscribe(twice);
    source.set(Map.of(KEY, "1", KEY + "x", "2"));
    assertThat(notified).as("once for a change of two keys").hasSize(1);
    source.set(KEY, "1");
    source.clear("not there");
    source.refresh();
    assertThat(notified).as("nothing has changed").hasSize(1);
    source.replace(Map.of(KEY, "3"));
    assertThat(source.values(PREFIX)).containsExactly(Map.entry(KEY, "3"));
    assertThat(notified).hasSize(2);
  }

  @Test
  void subscription_closedWhileSubscribersAreNotified_isNotNotified() {
    ArchaiusSource source = start(builder());
    List<Subscription> second = new ArrayList<>();
    List<String> notified = new ArrayList<>();
    source.subscribe(() -> second.get(0).close());
    second.add(source.subscribe(() -> notified.add("second")));
    source.set(KEY, "1");
    assertThat(notified).isEmpty();
  }

  /** That thread has changed the layer, and not notified all. */
  @Test
  void set_ofWhatAnotherThreadIsJustSetting_notifiesSubscribersAsWell() {
    ArchaiusSource source = start(builder());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    source.subscribe(
        () -> {
          if (isFirst.getAndSet(false)) {
            begun.countDown();
            Uninterruptibly.await(goOn);
          }
        });
    List<Thread> notified = new CopyOnWriteArrayList<>();
    source.subscribe(() -> notified.add(Thread.currentThread()));
    List<Runnable> again =
        List.of(
            () -> source.set(KEY, "1"),
            () -> source.clear("not there"),
            () -> source.replace(Map.of(KEY, "1")),
            () -> source.replaceBase(Map.of()),
            source::refresh);
    Thread other = Elsewhere.start(() -> source.set(KEY, "1"));
    try {
      Uninterruptibly.await(begun);
      for (int i = 0; i < again.size(); i++) {
        again.get(i).run();
        assertThat(notified).hasSize(i + 1).containsOnly(Thread.currentThread());
      }
    } finally {
      goOn.countDown();
    }
    await().until(() -> !other.isAlive());
    assertThat(notified).hasSize(again.size() + 1);
    again.forEach(Runnable::run);
    assertThat(notified).as("nothing has changed, and nobody is at it").hasSize(again.size() + 1);
  }

  /** It would go on for ever. */
  @Test
  void set_ofWhatIsThere_bySubscribersOnTwoThreads_notifiesNobody() {
    ArchaiusSource source = start(builder());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    AtomicInteger notified = new AtomicInteger();
    source.subscribe(
        () -> {
          notified.incrementAndGet();
          source.set(KEY, "1");
          if (isFirst.getAndSet(false)) {
            begun.countDown();
            Uninterruptibly.await(goOn);
          }
        });
    Thread other = Elsewhere.start(() -> source.set(KEY, "1"));
    try {
      Uninterruptibly.await(begun);
      source.set(KEY, "1");
      assertThat(notified).hasValue(2);
    } finally {
      goOn.countDown();
    }
    await().until(() -> !other.isAlive());
    assertThat(notified).hasValue(2);
  }

  @Test
  void interpolation_resolvesAcrossLayers() {
    System.setProperty("tenrec-source-test-other", "40");
    ArchaiusSource source = start(builder());
    source.set(KEY, "${tenrec-source-test-other}0");
    assertThat(value(source)).isEqualTo("400");
  }

  @Test
  void interpolation_impossible_isRefusedNotThrown() {
    ArchaiusSource source = start(builder());
    List<String> refused = new ArrayList<>();
    try (Configuration configuration =
        Configuration.open(source, PREFIX, refusal -> refused.add(refusal.value()), change -> {})) {
      LiveSettings<CommandSettings> live =
          configuration.command("A", CodeSettings.command().build(), settings -> {});
      source.set(KEY, "20");
      source.set(KEY, "${nowhere}");
      source.set(Map.of(KEY, "${circle}", "circle", "${" + KEY + "}"));
      source.set(KEY, "${unclosed");
      assertThat(live.current().sleepWindowNanos()).isEqualTo(Duration.ofMillis(20).toNanos());
      assertThat(refused).containsExactly("${nowhere}", "${circle}", "${unclosed");
      source.set(Map.of(KEY, "${nowhere}", "nowhere", "30"));
      assertThat(live.current().sleepWindowNanos()).isEqualTo(Duration.ofMillis(30).toNanos());
    }
  }

  private static Map<String, String> chain(int length, String reference, String end) {
    Map<String, String> chain = new HashMap<>();
    for (int i = 0; i < length; i++) {
      chain.put("link" + i, reference.replace("next", "link" + (i + 1)));
    }
    chain.put("link" + length, end);
    return chain;
  }

  @ParameterizedTest(name = "{0} times {1}")
  @CsvSource({"20000, ${next}", "60, ${next}${next}", "20000, ${no:${next}}", "3, ${link0}"})
  @OwnThread
  void interpolation_withoutEnd_isRefusedAndLosesNothingElse(int length, String reference) {
    Map<String, String> chain = chain(length, reference, "7");
    ArchaiusSource source = start(builder().base(chain));
    Map<String, String> all = new HashMap<>(chain);
    all.put(KEY, "${link0}");
    all.put("tenrec-source-test.command.A.circuitBreaker.forceOpen", "true");
    List<Refusal> refused = new ArrayList<>();
    try (Configuration configuration =
        Configuration.open(source, PREFIX, refused::add, change -> {})) {
      LiveSettings<CommandSettings> live =
          configuration.command("A", CodeSettings.command().build(), settings -> {});
      source.set(all);
      assertThat(live.current().forceOpen()).isTrue();
      assertThat(refused).extracting(Refusal::key).containsExactly(KEY);
      assertThat(refused.get(0).rule()).contains("could not be replaced");
    }
  }

  @Test
  @OwnThread
  void interpolation_inOneValueOfThousands_isRefused() {
    ArchaiusSource source = start(builder());
    String nested = "${a".repeat(20_000) + "}".repeat(20_000);
    source.set(Map.of(KEY, nested));
    assertThat(value(source)).isEqualTo(nested);
  }

  @Test
  void interpolation_chainOfUsualLength_isResolved() {
    ArchaiusSource source = start(builder());
    source.set(chain(50, "${next}", "7"));
    source.set(KEY, "${link0}");
    assertThat(value(source)).isEqualTo("7");
  }

  @Test
  @OwnThread
  void interpolation_withoutEndInAConfigOfTheApplication_losesNothingElse() {
    DefaultSettableConfig own = new DefaultSettableConfig("own");
    ArchaiusSource source = start(builder().config(own));
    String chained = "${a".repeat(20_000) + "}".repeat(20_000);
    Properties values = new Properties();
    values.setProperty(KEY, "5");
    values.setProperty("chained", chained);
    own.setProperties(values);
    assertThat(value(source)).isEqualTo("5");
  }

  @Test
  void close_endsTheThreadAndStopsListening() {
    DefaultSettableConfig own = new DefaultSettableConfig("own");
    ArchaiusSource source = start(builder().config(own));
    source.close();
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    own.setProperty(KEY, "late");
    assertThat(value(source)).isNull();
  }

  @Test
  void start_withoutThreadFactory_saysWhatIsMissing() {
    assertThatThrownBy(() -> ArchaiusSource.builder().start())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("threads(..)");
  }

  // A start that fails.

  /** Counts who listens to it. */
  private static final class Remote implements SettingsSource {

    private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of(KEY, "1");
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      subscribers.add(onChange);
      return () -> subscribers.remove(onChange);
    }

    @Override
    public void close() {}
  }

  /** Counts who listens to it; its keys cannot be had, if so said. */
  private static final class Own extends DefaultSettableConfig {

    private final List<ConfigListener> listeners = new CopyOnWriteArrayList<>();
    private final boolean failsAtKeys;
    private final boolean failsAtRemoval;

    Own(boolean failsAtKeys, boolean failsAtRemoval) {
      super("own");
      this.failsAtKeys = failsAtKeys;
      this.failsAtRemoval = failsAtRemoval;
    }

    @Override
    public Iterable<String> keys() {
      if (failsAtKeys) {
        throw new IllegalStateException("no keys");
      }
      return super.keys();
    }

    @Override
    public void addListener(ConfigListener listener) {
      listeners.add(listener);
    }

    @Override
    public void removeListener(ConfigListener listener) {
      if (failsAtRemoval) {
        throw new IllegalStateException("no removal");
      }
      listeners.remove(listener);
    }
  }

  private final Remote remote = new Remote();
  private final Own own = new Own(false, false);

  private void assertLeft() {
    assertThat(remote.subscribers).isEmpty();
    assertThat(own.listeners).isEmpty();
  }

  @Test
  void start_withoutAThread_leavesWhatItSubscribedTo() {
    assertThatThrownBy(
            () ->
                builder()
                    .remote(PREFIX, remote)
                    .config(own)
                    .threads(
                        task -> {
                          throw new OutOfMemoryError("no thread");
                        })
                    .start())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("no thread");
    assertLeft();
  }

  @Test
  void start_ofAThreadThatHasBeenStarted_endsIt() {
    assertThatThrownBy(
            () ->
                builder()
                    .remote(PREFIX, remote)
                    .config(own)
                    .threads(
                        task -> {
                          Thread thread = new Thread(task, "settings-of-test");
                          thread.setDaemon(true);
                          threads.add(thread);
                          thread.start();
                          return thread;
                        })
                    .start())
        .isInstanceOf(IllegalThreadStateException.class);
    assertLeft();
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void start_withASpellingThatThrows_leavesWhatItSubscribedTo() {
    assertThatThrownBy(
            () ->
                builder()
                    .remote(PREFIX, remote)
                    .config(own)
                    .spelling(
                        key -> {
                          throw new IllegalStateException("no spelling");
                        })
                    .start())
        .hasMessage("no spelling");
    assertLeft();
  }

  @Test
  void start_withAConfigThatThrows_leavesWhatItSubscribedTo() {
    Own broken = new Own(true, false);
    assertThatThrownBy(() -> builder().remote(PREFIX, remote).config(own).config(broken).start())
        .hasMessage("no keys");
    assertLeft();
    assertThat(broken.listeners).isEmpty();
  }

  @Test
  void start_thatFails_besideASourceThatCannotBeLeft_saysWhyItFailed() {
    SettingsSource stubborn =
        new SettingsSource() {
          @Override
          public Map<String, String> values(String prefix) {
            return Map.of();
          }

          @Override
          public Subscription subscribe(Runnable onChange) {
            return () -> {
              throw new IllegalStateException("no end of it");
            };
          }

          @Override
          public void close() {}
        };
    Own broken = new Own(true, false);
    assertThatThrownBy(() -> builder().remote(PREFIX, stubborn).config(own).config(broken).start())
        .hasMessage("no keys")
        .hasSuppressedException(new IllegalStateException("no end of it"));
    assertLeft();
    assertThat(broken.listeners).isEmpty();
  }

  @Test
  void close_besideAConfigThatCannotBeLeft_leavesTheOthers() {
    ArchaiusSource source =
        start(builder().remote(PREFIX, remote).config(new Own(false, true)).config(own));
    source.close();
    assertLeft();
  }
}
