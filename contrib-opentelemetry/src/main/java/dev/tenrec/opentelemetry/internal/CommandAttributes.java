// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The attributes of one command's points, each made when it is first needed. Guarded by the lock of
 * {@link OfAll}.
 */
public final class CommandAttributes {

  private final String key;
  private final String group;
  private final Attributes own;
  private final Map<EventType, Attributes> byEvent = new EnumMap<>(EventType.class);
  private final Map<CircuitState, Attributes> byState = new EnumMap<>(CircuitState.class);

  private CommandAttributes(CommandDetails command) {
    key = Names.value(command.key());
    group = Names.value(command.group());
    own = Attributes.of(Names.COMMAND, key, Names.GROUP, group);
  }

  /** Of the command itself. */
  public Attributes own() {
    return own;
  }

  Attributes of(EventType event) {
    return byEvent.computeIfAbsent(event, each -> with(Names.EVENT, each));
  }

  Attributes of(CircuitState state) {
    return byState.computeIfAbsent(state, each -> with(Names.STATE, each));
  }

  private Attributes with(AttributeKey<String> what, Enum<?> constant) {
    return Attributes.of(
        Names.COMMAND, key, Names.GROUP, group, what, constant.name().toLowerCase(Locale.ROOT));
  }

  /**
   * Those of all commands, kept from one collection to the next: making them is most of what a
   * point costs. A command that is removed takes its own along. Thread-safe.
   */
  public static final class OfAll {

    /** Guarded by this. */
    private IdentityHashMap<CommandDetails, CommandAttributes> kept = new IdentityHashMap<>();

    /** Has each command recorded with its attributes. */
    public synchronized void forEach(
        List<CommandDetails> commands, BiConsumer<CommandDetails, CommandAttributes> record) {
      IdentityHashMap<CommandDetails, CommandAttributes> next =
          new IdentityHashMap<>(commands.size());
      for (CommandDetails command : commands) {
        CommandAttributes present = kept.get(command);
        CommandAttributes attributes = present == null ? new CommandAttributes(command) : present;
        next.put(command, attributes);
        record.accept(command, attributes);
      }
      kept = next;
    }
  }
}
