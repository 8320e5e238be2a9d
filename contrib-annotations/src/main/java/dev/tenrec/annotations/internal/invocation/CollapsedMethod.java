// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.internal.declaration.CacheKeys;
import dev.tenrec.annotations.internal.declaration.DeclaredCollapser;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.Fallbacks;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.work.AsyncBatchWork;
import dev.tenrec.core.work.BatchWork;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A method whose calls become batches; its own body never runs. Beans of one class share it, each
 * with batches of its own.
 */
public final class CollapsedMethod implements GuardedMethod {

  private static final @Nullable Object[] NONE = new @Nullable Object[0];

  private final DeclaredCollapser declared;
  private final Returning<Collapser<BatchArgument, @Nullable Object>> collapsers;
  private final Transactions transactions;
  private final boolean checksSubscriptions;
  private final @Nullable CachedResults results;

  /**
   * Builds it.
   *
   * @throws RuntimeException as {@link CommandMethod#of}
   */
  public CollapsedMethod(Tenrec tenrec, DeclaredCollapser declared, Transactions transactions) {
    this.declared = declared;
    this.transactions = transactions;
    this.checksSubscriptions = declared.kind().isSubscribed() && transactions.areManaged();
    DeclaredCommand batch = declared.batch();
    CacheKeys keys = declared.cacheKeys();
    CachedResults kept =
        keys == null
            ? null
            : new CachedResults(
                tenrec, declared.type(), declared.method(), batch.key().toString(), keys);
    this.collapsers = new Returning<>(() -> build(tenrec, declared, kept), Collapser::isClosed);
    this.results = kept;
    if (kept != null) {
      kept.in(
          batch.key().toString(),
          key -> collapsers.current().clearCache(key),
          () -> false); // it comes back
    }
  }

  private static Collapser<BatchArgument, @Nullable Object> build(
      Tenrec tenrec, DeclaredCollapser declared, @Nullable CachedResults kept) {
    DeclaredCommand batch = declared.batch();
    BatchCall call = new BatchCall(batch.method(), batch.where(), declared.handle());
    CollapserBuilder<BatchArgument, @Nullable Object> builder =
        start(tenrec, declared, call).group(batch.group().key(NONE)).shards(BatchArgument::bean);
    builder = builder.ignoreIf(AdviceRefusals::isRefusal); // first: see there
    KeyTemplate pool = batch.pool();
    boolean staged = declared.answers() == DeclaredCollapser.Answers.LATER_BY_ARGUMENT;
    batch
        .settings()
        .applyTo(builder, batch.key().key(NONE), pool == null ? null : pool.key(NONE), staged);
    builder =
        declared.scope() == Collapsed.Scope.GLOBAL ? builder.globalScope() : builder.requestScope();
    for (Map.Entry<String, String> property : declared.properties().entrySet()) {
      builder = builder.collapserProperty(property.getKey(), property.getValue());
    }
    if (kept != null) {
      builder =
          builder.cacheKey(
              asked -> kept.key(asked.bean(), new @Nullable Object[] {asked.argument()}));
    }
    Fallbacks fallbacks = batch.fallbacks();
    return (fallbacks == null
            ? builder
            : builder.fallback((asked, cause) -> call.fallback(fallbacks, asked, cause)))
        .build();
  }

  private static CollapserBuilder<BatchArgument, @Nullable Object> start(
      Tenrec tenrec, DeclaredCollapser declared, BatchCall call) {
    String key = declared.batch().key().key(NONE);
    if (declared.answers() == DeclaredCollapser.Answers.LATER_BY_ARGUMENT) {
      AsyncBatchWork<BatchArgument, @Nullable Object> work = call::start;
      return tenrec.asyncCollapser(key, work);
    }
    BatchWork<BatchArgument, @Nullable Object> work = call::run;
    return tenrec.collapser(key, work);
  }

  @Override
  public @Nullable CachedResults results() {
    return results;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    Object bean = CommandAssembly.target(invocation);
    Object proxy =
        ProxiedCall.of(invocation) instanceof ProxyMethodInvocation proxied
            ? proxied.getProxy()
            : bean;
    BatchArgument asked = new BatchArgument(bean, proxy, invocation.getArguments()[0]);
    Collapser<BatchArgument, @Nullable Object> collapser = collapsers.current();
    if (declared.kind().isSubscribed()) {
      Object answer = started(collapser, asked);
      return checksSubscriptions && answer != null
          ? Reactive.checked(answer, () -> checkTransaction(collapser.key()))
          : answer;
    }
    try {
      checkTransaction(collapser.key());
    } catch (IllegalStateException e) {
      return FailedAnswer.of(declared.kind(), e);
    }
    return started(collapser, asked);
  }

  private void checkTransaction(String key) {
    if (transactions.isActive()) {
      transactions.left(key, "runs in a batch with calls of others");
    }
  }

  private @Nullable Object started(
      Collapser<BatchArgument, @Nullable Object> collapser, BatchArgument asked) throws Throwable {
    return switch (declared.kind()) {
      case VALUE -> waited(collapser, asked);
      case FUTURE, STAGE -> collapser.executeAsync(asked);
      case SINGLE -> collapser.toSingle(asked);
      case MAYBE -> collapser.toMaybe(asked);
      case COMPLETABLE -> collapser.toMaybe(asked).ignoreElement();
      case MONO -> MonoDoor.ofMember(collapser, asked);
      case FLOWABLE -> collapser.toMaybe(asked).toFlowable();
      case OBSERVABLE -> collapser.toMaybe(asked).toObservable();
      case FLUX -> FluxStreams.ofMember(collapser, asked);
      case FLOW ->
          throw new IllegalStateException(declared.where() + " was refused when it was read");
    };
  }

  private static @Nullable Object waited(
      Collapser<BatchArgument, @Nullable Object> collapser, BatchArgument asked) throws Throwable {
    try {
      return collapser.execute(asked);
    } catch (CommandFailedException e) {
      throw ValueDoor.original(e, collapser.key());
    }
  }
}
