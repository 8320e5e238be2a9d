// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every property, at every level. */
class PropertyLevelsTest {

  private static final PropertyCase.Registration<CommandSettings> COMMAND =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.command();
        }

        @Override
        public LiveSettings<CommandSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<CommandSettings> onChange) {
          return configuration.command(key, code, onChange::accept);
        }
      };

  private static final PropertyCase.Registration<PoolSettings> POOL =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.pool();
        }

        @Override
        public LiveSettings<PoolSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<PoolSettings> onChange) {
          return configuration.pool(key, code, onChange::accept);
        }
      };

  private static final PropertyCase.Registration<SemaphoreSettings> SEMAPHORE =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.semaphore();
        }

        @Override
        public LiveSettings<SemaphoreSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<SemaphoreSettings> onChange) {
          return configuration.semaphore(key, code, onChange::accept);
        }
      };

  private static final PropertyCase.Registration<RateSettings> RATE_LIMITER =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.rateLimiter();
        }

        @Override
        public LiveSettings<RateSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<RateSettings> onChange) {
          return configuration.rateLimiter(key, code, onChange::accept);
        }
      };

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#rateLimiter")
  void rateLimiter_eachCombinationOfLevels_highestWins(PropertyCase<RateSettings> property) {
    property.verify(RATE_LIMITER);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#rateLimiter")
  void rateLimiter_badValue_isRefusedEverywhere(PropertyCase<RateSettings> property) {
    property.verifyBad(RATE_LIMITER);
  }

  private static final PropertyCase.Registration<RetryBudgetSettings> RETRY_BUDGET =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.retryBudget();
        }

        @Override
        public LiveSettings<RetryBudgetSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<RetryBudgetSettings> onChange) {
          return configuration.retryBudget(key, code, onChange::accept);
        }
      };

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#retryBudget")
  void retryBudget_eachCombinationOfLevels_highestWins(PropertyCase<RetryBudgetSettings> property) {
    property.verify(RETRY_BUDGET);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#retryBudget")
  void retryBudget_badValue_isRefusedEverywhere(PropertyCase<RetryBudgetSettings> property) {
    property.verifyBad(RETRY_BUDGET);
  }

  private static final PropertyCase.Registration<CollapserSettings> COLLAPSER =
      new PropertyCase.Registration<>() {
        @Override
        public CodeSettings.Builder code() {
          return CodeSettings.collapser();
        }

        @Override
        public LiveSettings<CollapserSettings> register(
            Configuration configuration,
            String key,
            CodeSettings code,
            Consumer<CollapserSettings> onChange) {
          return configuration.collapser(key, code, onChange::accept);
        }
      };

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#collapser")
  void collapser_eachCombinationOfLevels_highestWins(PropertyCase<CollapserSettings> property) {
    property.verify(COLLAPSER);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#collapser")
  void collapser_badValue_isRefusedEverywhere(PropertyCase<CollapserSettings> property) {
    property.verifyBad(COLLAPSER);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#command")
  void command_eachCombinationOfLevels_highestWins(PropertyCase<CommandSettings> property) {
    property.verify(COMMAND);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#pool")
  void pool_eachCombinationOfLevels_highestWins(PropertyCase<PoolSettings> property) {
    property.verify(POOL);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#semaphore")
  void semaphore_eachCombinationOfLevels_highestWins(PropertyCase<SemaphoreSettings> property) {
    property.verify(SEMAPHORE);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#command")
  void command_badValue_isRefusedEverywhere(PropertyCase<CommandSettings> property) {
    property.verifyBad(COMMAND);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#pool")
  void pool_badValue_isRefusedEverywhere(PropertyCase<PoolSettings> property) {
    property.verifyBad(POOL);
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.internal.config.PropertyCase#semaphore")
  void semaphore_badValue_isRefusedEverywhere(PropertyCase<SemaphoreSettings> property) {
    property.verifyBad(SEMAPHORE);
  }

  @Test
  void cases_all_coverEveryProperty() {
    List<Property<?>> covered = new ArrayList<>();
    PropertyCase.command().forEach(property -> covered.add(property.property()));
    PropertyCase.pool().forEach(property -> covered.add(property.property()));
    PropertyCase.semaphore().forEach(property -> covered.add(property.property()));
    PropertyCase.rateLimiter().forEach(property -> covered.add(property.property()));
    PropertyCase.retryBudget().forEach(property -> covered.add(property.property()));
    PropertyCase.collapser().forEach(property -> covered.add(property.property()));
    covered.add(
        CommandProperties.THREAD_POOL_KEY_OVERRIDE); // has one level only, and a test of its own

    List<Property<?>> declared = new ArrayList<>(CommandSettings.SCOPE.table().properties());
    declared.addAll(PoolSettings.SCOPE.table().properties());
    declared.addAll(SemaphoreSettings.SCOPE.table().properties());
    declared.addAll(RateSettings.SCOPE.table().properties());
    declared.addAll(RetryBudgetSettings.SCOPE.table().properties());
    declared.addAll(CollapserSettings.SCOPE.table().properties());
    assertThat(covered).containsExactlyInAnyOrderElementsOf(declared);
  }

  @Test
  void names_any_endInNoOther() {
    for (Scope<?> scope :
        List.of(
            CommandSettings.SCOPE,
            PoolSettings.SCOPE,
            SemaphoreSettings.SCOPE,
            RateSettings.SCOPE,
            RetryBudgetSettings.SCOPE,
            CollapserSettings.SCOPE)) {
      List<String> names = scope.table().properties().stream().map(Property::name).toList();
      assertThat(names).doesNotHaveDuplicates();
      names.forEach(name -> assertThat(names).noneMatch(other -> other.endsWith("." + name)));
    }
  }

  @Test
  void threadPoolKeyOverride_onlyInstanceLevelCounts() {
    String name = ".threadPoolKeyOverride";
    MapSource source = new MapSource().set("tenrec.command.default" + name, "Everybody");
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<CommandSettings> live =
          configuration.command("A", CodeSettings.command().build(), changed -> {});
      assertThat(live.current().threadPoolKeyOverride()).isNull();
      assertThat(configuration.refusedCount()).isOne();
      source.set("tenrec.command.A" + name, " Other ");
      assertThat(live.current().threadPoolKeyOverride()).isEqualTo("Other");
      source.set("tenrec.command.A" + name, "  ");
      assertThat(live.current().threadPoolKeyOverride()).isEqualTo("Other");
      source.clear("tenrec.command.A" + name);
      assertThat(live.current().threadPoolKeyOverride()).isNull();
    }
  }
}
