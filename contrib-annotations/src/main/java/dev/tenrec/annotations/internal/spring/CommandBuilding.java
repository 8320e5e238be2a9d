// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.Mistake;
import dev.tenrec.annotations.internal.declaration.DeclaredCollapser;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.DeclaredRemoval;
import dev.tenrec.annotations.internal.declaration.KeyStyle;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import dev.tenrec.annotations.internal.declaration.Mistakes;
import dev.tenrec.annotations.internal.invocation.BatchMethod;
import dev.tenrec.annotations.internal.invocation.CachedResults;
import dev.tenrec.annotations.internal.invocation.CollapsedMethod;
import dev.tenrec.annotations.internal.invocation.CommandMethod;
import dev.tenrec.annotations.internal.invocation.GuardedMethod;
import dev.tenrec.annotations.internal.invocation.RemovingMethod;
import dev.tenrec.annotations.internal.invocation.StartupValidation;
import dev.tenrec.annotations.internal.invocation.Transactions;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.InvalidSettingException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the commands a class declares on the context's Tenrec. Thread-safe. */
final class CommandBuilding {

  private static final Logger LOG = LoggerFactory.getLogger(CommandBuilding.class);

  private final Supplier<Tenrec> tenrec;
  private final KeyStyle style;
  private final Transactions transactions;

  /** The first command of each key. Written and read by threads that build, ordered by the map. */
  private final Map<String, DeclaredCommand> owners = new ConcurrentHashMap<>();

  /**
   * The first command that has settings for a pool, by the pool's key. Written and read by threads
   * that build, ordered by the map.
   */
  private final Map<String, DeclaredCommand> describers = new ConcurrentHashMap<>();

  /**
   * The results that all methods keep. Written by threads that build, read by removals and by the
   * start-up check, ordered by the list.
   */
  private final List<CachedResults> kept = new CopyOnWriteArrayList<>();

  private final Map<String, DeclaredRemoval> removals = new ConcurrentHashMap<>();

  CommandBuilding(Supplier<Tenrec> tenrec, KeyStyle style, Transactions transactions) {
    this.tenrec = tenrec;
    this.style = style;
    this.transactions = transactions;
  }

  /**
   * Builds what could be read of a class that cannot be used, so that what is wrong with its keys
   * is in the same message as its other mistakes.
   *
   * @return none
   */
  Map<Method, GuardedMethod> conflicts(ClassCommands commands, Mistakes mistakes) {
    Map<Method, GuardedMethod> unused = own(commands, mistakes);
    return Map.of();
  }

  /** By each method under which a call may come. */
  Map<Method, GuardedMethod> build(ClassCommands commands, Mistakes mistakes) {
    Map<Method, GuardedMethod> own = own(commands, mistakes);
    for (DeclaredRemoval removal : commands.declared().removals()) {
      GuardedMethod otherwise = own.getOrDefault(removal.method(), MethodInvocation::proceed);
      own.put(removal.method(), removing(otherwise, removal));
    }
    Map<Method, GuardedMethod> all = new HashMap<>();
    commands
        .own()
        .forEach(
            (method, specific) -> {
              GuardedMethod built = own.get(specific);
              if (built != null) {
                all.put(method, built);
              }
            });
    return Map.copyOf(all);
  }

  /** By the methods as their class has them, without removals. */
  private Map<Method, GuardedMethod> own(ClassCommands commands, Mistakes mistakes) {
    Map<Method, GuardedMethod> own = new HashMap<>();
    for (DeclaredCommand declared : commands.declared().commands()) {
      DeclaredCommand described = asTheFirst(declared);
      GuardedMethod built = guarded(described, mistakes, () -> command(described, own::get));
      if (built != null) {
        own.put(declared.method(), built);
      }
    }
    for (DeclaredCollapser declared : commands.declared().collapsers()) {
      GuardedMethod built =
          guarded(
              declared.batch(),
              mistakes,
              () -> new CollapsedMethod(tenrec.get(), declared, transactions));
      if (built != null) {
        own.put(declared.method(), built);
      }
      Method batch = declared.batch().method();
      own.computeIfPresent(batch, (same, direct) -> new BatchMethod(batch, direct));
    }
    return own;
  }

  /**
   * Where keys are names of methods, commands of one key are described by the first of them: two
   * clients of one interface, or two classes with a method of that name.
   */
  private DeclaredCommand asTheFirst(DeclaredCommand declared) {
    if (style != KeyStyle.METHOD || !declared.isKeyedByMethod()) {
      return declared;
    }
    DeclaredCommand first = owners.putIfAbsent(declared.key().toString(), declared);
    if (first == null || first.equals(declared)) {
      return declared;
    }
    DeclaredCommand described = declared.describedAs(first);
    if (!described.isDescribedLike(declared)) {
      LOG.warn(
          "{} has the key {}, as {} has: they are one command, with the group, the pool and the"
              + " settings of the latter. A commandKey of its own parts it",
          declared.where(),
          declared.key(),
          first.where());
    }
    return described;
  }

  private GuardedMethod command(
      DeclaredCommand declared, Function<Method, @Nullable GuardedMethod> own) {
    if (!declared.key().isLiteral()) {
      StartupValidation.of(owners.getOrDefault(declared.key().toString(), declared), declared);
    }
    return CommandMethod.of(tenrec.get(), declared, transactions, own);
  }

  /** What these keep can be removed from now on. */
  void publish(Collection<GuardedMethod> built) {
    built.stream()
        .map(GuardedMethod::results)
        .filter(Objects::nonNull)
        .distinct()
        .forEach(kept::add);
  }

  private GuardedMethod removing(GuardedMethod otherwise, DeclaredRemoval removal) {
    removals.put(removal.where(), removal);
    return new RemovingMethod(otherwise, removal, tenrec.get(), () -> keptBy(removal));
  }

  private List<CachedResults> keptBy(DeclaredRemoval removal) {
    List<CachedResults> found = find(removal);
    if (found.isEmpty()) {
      throw new IllegalStateException(
          removal.where() + " removes results of " + removal.commandKey() + ", which keeps none");
    }
    return found;
  }

  private List<CachedResults> find(DeclaredRemoval removal) {
    return kept.stream().filter(results -> results.areMeantBy(removal)).toList();
  }

  /** Removals whose command is not there, once all are built. */
  List<Mistake> unknownRemovals() {
    return removals.values().stream()
        .filter(removal -> find(removal).isEmpty())
        .map(
            removal ->
                new Mistake(
                    removal.where(),
                    "@CacheRemove of \"" + removal.commandKey() + "\", which keeps no results",
                    "the commandKey of a method with @CacheResult, or its name in this class"))
        .toList();
  }

  private @Nullable GuardedMethod guarded(
      DeclaredCommand declared, Mistakes mistakes, Supplier<GuardedMethod> build) {
    String key = declared.key().toString();
    DeclaredCommand owner = owners.putIfAbsent(key, declared);
    if (owner != null && isByChance(owner, declared)) {
      mistakes.add(
          declared.where(),
          "the key " + key + ", which is that of " + owner.where() + " as well",
          "a commandKey or groupKey that distinguishes the two classes");
      return null;
    }
    if (!isOfOnePool(declared, mistakes)) {
      return null;
    }
    try {
      return build.get();
    } catch (InvalidSettingException e) {
      mistakes.add(declared.where(), e.key() + " = " + e.value(), e.rule());
    } catch (IllegalStateException | IllegalArgumentException e) {
      boolean shared = owner != null && !owner.equals(declared);
      mistakes.add(
          declared.where(),
          (shared ? "the key of " + owner.where() + " with other settings: " : "") + e.getMessage(),
          shared ? "one key, one description" : "a command that the Tenrec can build");
    }
    return null;
  }

  /** Whether the pool's settings, if the command has any, equal those of its first command. */
  private boolean isOfOnePool(DeclaredCommand declared, Mistakes mistakes) {
    Map<String, String> said = declared.settings().pool();
    KeyTemplate named = declared.pool();
    String pool = (named == null ? declared.group() : named).toString();
    DeclaredCommand first = said.isEmpty() ? null : describers.putIfAbsent(pool, declared);
    if (first == null || first.settings().pool().equals(said)) {
      return true;
    }
    mistakes.add(
        declared.where(),
        "the thread pool "
            + pool
            + " with "
            + new TreeMap<>(said)
            + ", of which "
            + first.where()
            + " says "
            + new TreeMap<>(first.settings().pool()),
        "one pool, one description, or a threadPoolKey of its own");
    return false;
  }

  /** Two classes of one simple name, neither of which chose its key. */
  private static boolean isByChance(DeclaredCommand one, DeclaredCommand other) {
    return one.type() != other.type() && one.hasDefaultKey() && other.hasDefaultKey();
  }
}
