// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one Tenrec was asked for by key. Of one key, what the first instance brought counts.
 * Thread-safe.
 */
final class KnownKeys {

  final Tenrec tenrec;

  /** Whether it was made here, and is closed here. */
  final boolean ours;

  final Map<String, KnownCommand> commands = new ConcurrentHashMap<>();
  final Map<String, KnownCollapser> collapsers = new ConcurrentHashMap<>();

  /** Pools whose settings are decided. */
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  private final Publishers publishers = new Publishers();

  /** The Tenrec's request behind each of Hystrix's: it has the cache and the open batches. */
  final HystrixRequestVariableDefault<RequestContext> request =
      new HystrixRequestVariableDefault<>() {
        @Override
        public RequestContext initialValue() {
          RequestContext opened = tenrec.openRequest();
          opened.leave();
          return opened;
        }

        @Override
        public void shutdown(RequestContext opened) {
          opened.close();
        }
      };

  KnownKeys(Tenrec tenrec, boolean ours) {
    this.tenrec = tenrec;
    this.ours = ours;
  }

  /**
   * The command of a key.
   *
   * @param made has what the instance needs made
   */
  KnownCommand command(CommandDescription description, Consumer<KnownCommand> made) {
    KnownCommand present = commands.get(description.key().name());
    if (present == null) {
      KnownCommand added = addCommand(description, made);
      publishers.publish(added);
      return added;
    }
    made.accept(present);
    present.isNamed(description.poolKey());
    return present;
  }

  /** What cannot be made is not known. */
  private synchronized KnownCommand addCommand(
      CommandDescription description, Consumer<KnownCommand> made) {
    String key = description.key().name();
    KnownCommand present = commands.get(key);
    if (present == null) {
      String poolKey = description.poolKey().name();
      boolean decidesPool = !pools.contains(poolKey);
      KnownCommand command = new KnownCommand(this, description, decidesPool);
      made.accept(command);
      boolean unused = pools.add(poolKey);
      commands.put(key, command);
      return command;
    }
    made.accept(present);
    return present;
  }

  /**
   * The collapser of a key.
   *
   * @param makes it, if it is the first call
   */
  KnownCollapser collapser(String key, Supplier<KnownCollapser> makes) {
    KnownCollapser present = collapsers.get(key);
    if (present == null) {
      present = collapsers.computeIfAbsent(key, absent -> makes.get());
      publishers.publish(present.metrics);
    }
    return present;
  }

  @Nullable KnownCommand commandIfAny(String key) {
    return commands.get(key);
  }

  /** Takes all commands out of the Tenrec: calls in flight go on, and instances begin anew. */
  synchronized void forget() {
    commands
        .values()
        .removeIf(
            command -> {
              command.forgotten = true;
              boolean unused = tenrec.remove(command.description.key().name());
              return true;
            });
    collapsers
        .keySet()
        .removeIf(
            key -> {
              boolean unused = tenrec.remove(key);
              return true;
            });
    pools.clear();
    publishers.forget();
  }
}
