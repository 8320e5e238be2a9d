// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.RetryBudgetSettings;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.metrics.time.Ticker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shared budgets one {@link Registry} knows by name, each as long as a command shares it. Used
 * under the configuration's lock only.
 */
final class RetryBudgets {

  /** One name. */
  private static final class Place implements RetryBudgetDetails {

    private final NamedShare said;
    private final Ticker ticker;
    private final LiveSettings<RetryBudgetSettings> settings;
    private final SharedBudget budget;

    /** Who shares it, each once, even if for its retries and its hedges. */
    private final Map<CommandRuntime, SharedBudget.Member> members = new HashMap<>();

    Place(NamedShare said, Ticker ticker, Configuration configuration) {
      this.said = said;
      this.ticker = ticker;
      this.settings = configuration.retryBudget(said.name(), said.code(), this::take);
      try {
        RetryBudgetSettings first = settings.current();
        this.budget = new SharedBudget(first.percent(), first.perSecond(), ticker.nanoTime());
      } catch (RuntimeException | Error e) {
        settings.close();
        throw e;
      }
    }

    private void take(RetryBudgetSettings changed) {
      budget.change(changed.percent(), changed.perSecond());
    }

    @Override
    public String name() {
      return said.name();
    }

    @Override
    public int spent() {
      return budget.spent(ticker.nanoTime());
    }

    @Override
    public int available() {
      return budget.left(ticker.nanoTime());
    }

    @Override
    public List<String> commands() {
      return budget.keys();
    }

    @Override
    public List<EffectiveSetting> settings() {
      return settings.effective();
    }
  }

  private final Configuration configuration;
  private final Inventory inventory;
  private final Ticker ticker;
  private final Map<String, Place> places = new HashMap<>();

  RetryBudgets(Configuration configuration, Inventory inventory, Ticker ticker) {
    this.configuration = configuration;
    this.inventory = inventory;
    this.ticker = ticker;
  }

  /**
   * A command shares the budgets that its code names, made now if there are none.
   *
   * @throws IllegalStateException if other code says something else of one
   */
  SharedBudgets share(Definition definition, CommandRuntime runtime) {
    if (definition.retryBudget() == null && definition.hedgeBudget() == null) {
      return SharedBudgets.NONE;
    }
    try {
      return new SharedBudgets(
          share(definition.retryBudget(), runtime), share(definition.hedgeBudget(), runtime));
    } catch (RuntimeException | Error e) {
      release(definition, runtime);
      throw e;
    }
  }

  private @Nullable SharedBudget share(@Nullable NamedShare said, CommandRuntime runtime) {
    if (said == null) {
      return null;
    }
    Place place = places.get(said.name());
    if (place == null) {
      place = make(said);
      inventory.report(Inventory.RETRY_BUDGET_ADDED, place);
    } else if (!place.said.equals(said)) {
      throw new IllegalStateException(
          "retry budget "
              + said.name()
              + " was built before with other settings: "
              + place.said.code()
              + ", now "
              + said.code());
    }
    if (!place.members.containsKey(runtime)) {
      SharedBudget.Member member =
          new SharedBudget.Member(
              runtime.commandKey, now -> runtime.retryBase(RetryBudget.WINDOW_NANOS, now));
      place.members.put(runtime, member);
      place.budget.join(member);
    }
    return place.budget;
  }

  private Place make(NamedShare said) {
    Place made = new Place(said, ticker, configuration);
    try {
      places.put(said.name(), made);
      return made;
    } catch (Error e) { // no memory: it may be in there by now
      places.remove(said.name());
      made.settings.close();
      throw e;
    }
  }

  /** A command that shared them does so no longer. */
  void release(Definition definition, CommandRuntime runtime) {
    release(definition.retryBudget(), runtime);
    release(definition.hedgeBudget(), runtime);
  }

  private void release(@Nullable NamedShare said, CommandRuntime runtime) {
    Place place = said == null ? null : places.get(said.name());
    if (place == null) { // released before, by the other name for it
      return;
    }
    SharedBudget.Member member = place.members.remove(runtime);
    if (member != null) {
      place.budget.leave(member);
    }
    if (place.members.isEmpty()) {
      places.remove(Objects.requireNonNull(said).name());
      place.settings.close();
      inventory.report(Inventory.RETRY_BUDGET_REMOVED, place);
    }
  }

  Collection<RetryBudgetDetails> all() {
    return List.copyOf(places.values());
  }
}
