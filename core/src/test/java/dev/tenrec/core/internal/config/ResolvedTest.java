// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which refusals stand, and which are of the past because the value counts by now. */
class ResolvedTest {

  private static final String COMMAND_A = "tenrec.command.A.";
  private static final String ALL = "tenrec.command.default.";
  private static final String WINDOW = "metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = "metrics.rollingStats.numBuckets";
  private static final String FORCE_OPEN = "circuitBreaker.forceOpen";

  private final MapSource source = new MapSource();
  private final Configuration configuration = Configuration.open(source);

  @AfterEach
  void close() {
    configuration.close();
  }

  private LiveSettings<CommandSettings> command(String key) {
    return configuration.command(key, CodeSettings.command().build(), changed -> {});
  }

  private List<String> refused() {
    return configuration.resolved().refusals().stream().map(Refusal::key).toList();
  }

  @Test
  void resolved_always_hasWhatTheSourceSays_alsoWhatIsNoneOfOurs() {
    source.set(Map.of("tenrec.view.port", "1", COMMAND_A + FORCE_OPEN, "true"));
    command("A");
    assertThat(configuration.resolved().properties())
        .containsOnly(
            Map.entry("tenrec.view.port", "1"), Map.entry(COMMAND_A + FORCE_OPEN, "true"));
    assertThat(configuration.resolved().refusals()).isEmpty();
    assertThat(configuration.resolved().effective())
        .filteredOn(setting -> setting.property().equals(FORCE_OPEN))
        .extracting(EffectiveSetting::value)
        .containsExactly("true");
  }

  @Test
  void refusal_ofAValueThatIsNone_standsUntilItChanges() {
    command("A");
    source.set(COMMAND_A + FORCE_OPEN, "maybe");
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN);
    source.set(COMMAND_A + FORCE_OPEN, "true");
    assertThat(refused()).isEmpty();
  }

  @Test
  void refusal_ofAKeyWithoutACommand_stands() {
    source.set(COMMAND_A + FORCE_OPEN, "maybe");
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN);
  }

  @Test
  void refusal_ofAValueThatIsNone_standsAlsoWhenItsLastCommandIsRemoved() {
    source.set(Map.of(COMMAND_A + FORCE_OPEN, "maybe", COMMAND_A + "none", "1"));
    command("A").close();
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN, COMMAND_A + "none");
    assertThat(refusalOf(command("A")).value()).isEqualTo("maybe");
    source.set(COMMAND_A + FORCE_OPEN, "true");
    assertThat(refused()).containsExactly(COMMAND_A + "none");
    assertThat(configuration.refusedCount()).as("each was reported once").isEqualTo(2);
  }

  /** The next command of that key may have other settings in code, and is judged by itself. */
  @Test
  void refusal_togetherWithOthers_goesWithItsLastCommand() {
    LiveSettings<CommandSettings> first = command("A");
    LiveSettings<CommandSettings> second = command("A");
    source.set(COMMAND_A + BUCKETS, "7");
    source.set(COMMAND_A + FORCE_OPEN, "maybe");
    first.close();
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN, COMMAND_A + BUCKETS);
    second.close();
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN);
    command("A");
    assertThat(refused()).containsExactly(COMMAND_A + FORCE_OPEN, COMMAND_A + BUCKETS);
    assertThat(configuration.refusedCount()).as("it was judged again").isEqualTo(3);
  }

  /** A key may have both: the value before it was read, and broke a rule. */
  @Test
  void refusalOfAValueThatIsNone_besideOneOfTheValueBefore_standsByItself() {
    LiveSettings<CommandSettings> a = command("A");
    source.set(COMMAND_A + BUCKETS, "7");
    source.set(COMMAND_A + BUCKETS, "many");
    source.set(COMMAND_A + WINDOW, "9999");
    a.close();
    assertThat(configuration.resolved().refusals())
        .extracting(Refusal::value)
        .containsExactly("many");
  }

  @Test
  void refusal_ofANameThatIsNone_standsUntilItGoes() {
    source.set(Map.of(COMMAND_A + "none", "1", "tenrec.comand.A." + FORCE_OPEN, "true"));
    assertThat(configuration.refusedCount()).isEqualTo(2);
    assertThat(refused()).containsExactly("tenrec.comand.A." + FORCE_OPEN, COMMAND_A + "none");
    source.clear(COMMAND_A + "none");
    assertThat(refused()).containsExactly("tenrec.comand.A." + FORCE_OPEN);
  }

  @Test
  void refusal_ofAKeyWithoutAnInstance_isOfANameThatIsNone() {
    source.set(Map.of("tenrec.threadpool.coreSize", "5", "tenrec.threadpool..coreSize", "5"));
    assertThat(refused())
        .containsExactly("tenrec.threadpool..coreSize", "tenrec.threadpool.coreSize");
  }

  @Test
  void refusal_togetherWithOthers_standsUntilTheyMakeItGood() {
    command("A");
    source.set(COMMAND_A + BUCKETS, "7");
    assertThat(refused()).containsExactly(COMMAND_A + BUCKETS);
    source.set(ALL + WINDOW, "14000");
    assertThat(refused()).as("it counts by now").isEmpty();
  }

  @Test
  void refusal_ofAGlobalValue_standsForThoseThatGoByIt() {
    command("A");
    configuration.command(
        "B", CodeSettings.command().set(CommandProperties.ROLLING_BUCKETS, 5).build(), s -> {});
    source.set("tenrec.command.C." + BUCKETS, "20");
    command("C");
    source.set(ALL + BUCKETS, "7");
    assertThat(refused()).containsExactly(ALL + BUCKETS);
    source.set(COMMAND_A + BUCKETS, "50");
    assertThat(refused()).as("the others have their own").isEmpty();
    source.clear("tenrec.command.C." + BUCKETS);
    assertThat(refused()).contains(ALL + BUCKETS);
  }

  @Test
  void refusal_ofADefault_standsUntilItIsInForceAgain() {
    command("A");
    source.set(Map.of(COMMAND_A + WINDOW, "7000", COMMAND_A + BUCKETS, "7"));
    source.clear(COMMAND_A + WINDOW);
    assertThat(refused()).containsExactly(COMMAND_A + WINDOW);
    source.clear(COMMAND_A + BUCKETS);
    assertThat(refused()).isEmpty();
  }

  @Test
  void effective_always_showsItsOwnRefusalBeforeTheGlobalOne() {
    LiveSettings<CommandSettings> a = command("A");
    source.set(ALL + FORCE_OPEN, "no idea");
    assertThat(refusalOf(a).value()).isEqualTo("no idea");
    source.set(COMMAND_A + FORCE_OPEN, "maybe");
    assertThat(refusalOf(a).value()).isEqualTo("maybe");
  }

  private static Refusal refusalOf(LiveSettings<?> live) {
    Refusal refusal =
        live.effective().stream()
            .filter(setting -> setting.property().equals(FORCE_OPEN))
            .findFirst()
            .orElseThrow()
            .refusal();
    assertThat(refusal).isNotNull();
    return refusal;
  }

  // Around a source.

  /** One that says what it likes, when it likes. */
  private static final class Loose implements SettingsSource {
    private final Map<String, String> values = new HashMap<>();
    private final List<Runnable> subscribers = new ArrayList<>();
    private Runnable atSubscription = () -> {};

    @Override
    public Map<String, String> values(String prefix) {
      return new HashMap<>(values);
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      atSubscription.run();
      subscribers.add(onChange);
      return () -> {}; // goes on
    }

    @Override
    public void close() {}
  }

  @Test
  void open_whileASettingChanges_missesNothing() {
    Loose loose = new Loose();
    loose.atSubscription = () -> loose.values.put(COMMAND_A + FORCE_OPEN, "true");
    try (Configuration opened = Configuration.open(loose)) {
      assertThat(
              opened
                  .command("A", CodeSettings.command().build(), changed -> {})
                  .current()
                  .forceOpen())
          .isTrue();
    }
  }

  @Test
  void close_ofASourceThatGoesOn_changesNothingMore() {
    Loose loose = new Loose();
    Configuration opened = Configuration.open(loose);
    LiveSettings<CommandSettings> a =
        opened.command("A", CodeSettings.command().build(), changed -> {});
    opened.close();
    loose.values.put(COMMAND_A + FORCE_OPEN, "true");
    loose.subscribers.forEach(Runnable::run);
    assertThat(a.current().forceOpen()).isFalse();
    assertThat(opened.resolved().properties()).isEmpty();
  }

  @Test
  void afterwards_insideOfATurn_runsWhenThatIsOver() {
    List<String> steps = new ArrayList<>();
    configuration.inTurn(
        () -> {
          configuration.afterwards(() -> steps.add("afterwards"));
          return steps.add("turn");
        });
    assertThat(steps).containsExactly("turn", "afterwards");
  }

  // The small ones.

  @Test
  void interner_remembersTheLastSixtyFour() {
    Interner<List<Integer>> interner = new Interner<>();
    List<Integer> first = interner.shared(new ArrayList<>(List.of(0)));
    for (int i = 1; i < 64; i++) {
      interner.shared(List.of(i));
    }
    assertThat(interner.shared(new ArrayList<>(List.of(0)))).isSameAs(first);
    for (int i = 100; i < 164; i++) {
      interner.shared(List.of(i));
    }
    assertThat(interner.shared(new ArrayList<>(List.of(0)))).isNotSameAs(first);
  }

  @Test
  void dynamicValues_thatAreCleared_keepNoRow_butTheGlobalOne() {
    Property<?> open = CommandProperties.FORCE_OPEN;
    Property<?> closed = CommandProperties.FORCE_CLOSED;
    DynamicValues values = new DynamicValues(CommandSettings.SCOPE.table().size());
    values.clear("A", open);
    assertThat(values.row("A")).isNull();
    values.set("A", open, true);
    values.set("A", closed, true);
    values.clear("A", open);
    assertThat(values.row("A")).isNotNull();
    values.clear("A", closed);
    assertThat(values.row("A")).isNull();
    values.set(Property.GLOBAL, open, true);
    values.clear(Property.GLOBAL, open);
    assertThat(values.row(Property.GLOBAL)).isNotNull().containsOnlyNulls();
  }

  @Test
  void retrySettings_sayWhetherAttemptsAreLimited_andWhetherOneMayFollow() {
    assertThat(new RetrySettings(true, 3, 0, 0, 1, 0, 0).limitsAttempts()).isTrue();
    assertThat(new RetrySettings(true, 3, 0, 0, 0, 0, 0).limitsAttempts()).isFalse();
    RetrySettings off = new RetrySettings(false, 3, 0, 0, 1, 0, 0);
    assertThat(off.limitsAttempts()).isFalse();
    assertThat(off.allowsAfter(1)).isFalse();
    RetrySettings three = new RetrySettings(true, 3, 0, 0, 0, 0, 0);
    assertThat(three.allowsAfter(2)).isTrue();
    assertThat(three.allowsAfter(3)).isFalse();
  }

  @Test
  void rateSettings_intervalIsRoundedUp() {
    assertThat(new RateSettings(3, 10, 1, 1).intervalNanos()).isEqualTo(4);
    assertThat(new RateSettings(5, 10, 1, 1).intervalNanos()).isEqualTo(2);
  }

  @Test
  void codeSettings_thatSetSomething_areNotEmpty() {
    assertThat(CodeSettings.command().set(CommandProperties.FORCE_OPEN, true).build().isEmpty())
        .isFalse();
  }

  @Test
  void values_areEqualByWhatTheyHold() {
    Values one = new Values(new Object[] {1, null});
    assertThat(one).isEqualTo(new Values(new Object[] {1, null})).isNotEqualTo("one");
    assertThat(one).isNotEqualTo(new Values(new Object[] {1, 2}));
  }

  @Test
  void spelling_ofAKeyWithoutAnInstance_staysToBeRefused() {
    assertThat(new Spelling("tenrec").apply("tenrec.threadpool.coreSize"))
        .isEqualTo("tenrec.threadpool.coreSize");
  }
}
