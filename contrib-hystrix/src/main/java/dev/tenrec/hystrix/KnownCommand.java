// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.work.Call;
import dev.tenrec.hystrix.CommandDescription.Brings;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One command key: what its first instance said, and the commands of Tenrec's that it became. */
final class KnownCommand {

  private static final Logger LOG = LoggerFactory.getLogger(KnownCommand.class);

  /** There is no word of more. */
  private static final int MOST_OTHER_POOLS = 100;

  final KnownKeys keys;
  final CommandDescription description;
  final HystrixCommandProperties properties;
  final HystrixCommandMetrics metrics;
  private final boolean decidesPool;

  /** Pools that instances have named in vain, each of which was warned of. */
  private final Set<String> otherPools = ConcurrentHashMap.newKeySet();

  /** Made by the first instance that needs it. Written under this object's lock. */
  private volatile @Nullable Command<HystrixCommand<?>, @Nullable Object> single;

  /** Made by the first instance that needs it. Written under this object's lock. */
  private volatile @Nullable StreamCommand<HystrixObservableCommand<?>, Object> stream;

  /** Written under this object's lock, with whichever of these two is first. */
  private volatile @Nullable CommandDetails view;

  /** Written when all keys are forgotten, read by instances that begin. */
  volatile boolean forgotten;

  /**
   * Nothing of Tenrec's is made yet.
   *
   * @param decidesPool whether what the instance sets for its pool counts: it is the first to name
   *     it
   */
  KnownCommand(KnownKeys keys, CommandDescription description, boolean decidesPool) {
    this.keys = keys;
    this.description = description;
    this.properties = new HystrixCommandProperties(description.key().name());
    this.metrics = new HystrixCommandMetrics(this);
    this.decidesPool = decidesPool;
  }

  String key() {
    return description.key().name();
  }

  /** The pool that all instances run on, where they run on one. */
  HystrixThreadPoolKey poolKey() {
    String override = keys.tenrec.setting(CommandProperties.THREAD_POOL_KEY_OVERRIDE, key());
    return override == null ? description.poolKey() : HystrixThreadPoolKey.Factory.asKey(override);
  }

  /** An instance names its pool, which is not asked for: the first one's counts. */
  void isNamed(HystrixThreadPoolKey pool) {
    String name = pool.name();
    if (name.equals(description.poolKey().name())
        || otherPools.contains(name)
        || otherPools.size() >= MOST_OTHER_POOLS
        || isOnSemaphore()
        || !otherPools.add(name)) {
      return;
    }
    LOG.warn(
        "{}: an instance names the pool {}, and runs on {}, because what the first instance of a"
            + " key names counts for all of them: give those of {} a command key of their own",
        key(),
        name,
        poolKey().name(),
        name);
  }

  CommandDetails view() {
    return Objects.requireNonNull(view, "no instance was made");
  }

  Command<HystrixCommand<?>, @Nullable Object> single() {
    Command<HystrixCommand<?>, @Nullable Object> present = single;
    return present != null ? present : makeSingle();
  }

  @SuppressWarnings("NullAway") // null is an answer, as the type says
  private synchronized Command<HystrixCommand<?>, @Nullable Object> makeSingle() {
    Command<HystrixCommand<?>, @Nullable Object> present = single;
    if (present == null) {
      present =
          described(builder())
              .fallback((instance, cause) -> instance.fallBack(cause))
              .cacheKey(AbstractCommand::sharedBy)
              .build();
      view = present.view();
      single = present;
    }
    return present;
  }

  /** Work sees its call only where a hook asks for it. */
  @SuppressWarnings("NullAway") // null is an answer, as the type says
  private CommandBuilder<HystrixCommand<?>, @Nullable Object> builder() {
    return ExecutionPlugins.hasHook()
        ? keys.tenrec.command(key(), (HystrixCommand<?> instance, Call call) -> instance.work(call))
        : keys.tenrec.command(key(), (HystrixCommand<?> instance) -> instance.work());
  }

  StreamCommand<HystrixObservableCommand<?>, Object> stream() {
    StreamCommand<HystrixObservableCommand<?>, Object> present = stream;
    return present != null ? present : makeStream();
  }

  private synchronized StreamCommand<HystrixObservableCommand<?>, Object> makeStream() {
    StreamCommand<HystrixObservableCommand<?>, Object> present = stream;
    if (present == null) {
      present =
          described(
                  keys.tenrec.streamCommand(
                      key(), (HystrixObservableCommand<?> instance) -> instance.work()))
              .fallback((instance, cause) -> instance.fallBack(cause))
              .build();
      view = present.view();
      stream = present;
    }
    return present;
  }

  /** The same for both kinds, so that instances of both share the key. */
  private <B extends CommandOptions<B>> B described(B builder) {
    builder.group(description.group().name());
    builder.isolation(
        isolation(description.poolKey().name(), decidesPool ? description.pool() : null));
    if (description.brings() == Brings.ITEMS) {
      builder.set(CommandProperties.ISOLATION_STRATEGY, IsolationStrategy.SEMAPHORE);
    }
    HystrixCommandProperties.Setter command = description.command();
    if (command != null) {
      command
          .properties()
          .each(
              new SetProperties.Taker() {
                @Override
                public <T> void take(Property<T> property, T value) {
                  B unused = builder.set(property, value);
                }
              });
    }
    return builder.ignoreIf(thrown -> thrown instanceof HystrixBadRequestException);
  }

  private static Isolation isolation(
      String poolKey, HystrixThreadPoolProperties.@Nullable Setter pool) {
    Isolation.ThreadPool[] built = {Isolation.threadPool().key(poolKey).strategyOpen()};
    if (pool == null) {
      return built[0];
    }
    pool.properties()
        .each(
            new SetProperties.Taker() {
              @Override
              public <T> void take(Property<T> property, T value) {
                built[0] =
                    built[0].property(
                        property.name(), Objects.requireNonNull(property.write(value)));
              }
            });
    Integer core = pool.getCoreSize();
    Integer maximum = pool.getMaximumSize();
    if (core != null && maximum != null && maximum < core) { // then the core size counts
      return built[0].property(PoolProperties.MAXIMUM_SIZE.name(), core.toString());
    }
    if (Boolean.TRUE.equals(pool.getAllowMaximumSizeToDivergeFromCoreSize())) {
      int least = orDefault(PoolProperties.CORE_SIZE, core);
      if (orDefault(PoolProperties.MAXIMUM_SIZE, maximum) < least) {
        return built[0].property(PoolProperties.MAXIMUM_SIZE.name(), Integer.toString(least));
      }
    }
    return built[0];
  }

  private static int orDefault(Property<Integer> property, @Nullable Integer given) {
    return given != null ? given : Objects.requireNonNull(property.defaultValue());
  }

  /** Whether work runs on its caller's thread now. */
  boolean isOnSemaphore() {
    return keys.tenrec.setting(CommandProperties.ISOLATION_STRATEGY, key())
        == IsolationStrategy.SEMAPHORE;
  }

  boolean isOn(Property<Boolean> property) {
    Boolean value = keys.tenrec.setting(property, key());
    return value == null ? Boolean.TRUE.equals(property.defaultValue()) : value;
  }
}
