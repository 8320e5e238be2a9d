// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import io.reactivex.rxjava3.core.Completable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Whose result a removal removes, and when. */
class CacheRemovalTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private <T> T bean(Class<T> type) {
    context = Contexts.of(type);
    return context.getBean(type);
  }

  private RequestContext request() {
    return context.getBean(Tenrec.class).openRequest();
  }

  static class Client {

    private final String base;
    private final AtomicInteger calls = new AtomicInteger();

    Client(String base) {
      this.base = base;
    }

    @Command(commandKey = "GetPage")
    @CacheResult
    public String page(String path) {
      return base + path + calls.incrementAndGet();
    }

    @CacheRemove(commandKey = "page")
    public void changed(String path) {}

    @Collapsed(batchMethod = "sizes", scope = Collapsed.Scope.GLOBAL)
    @CacheResult
    public String size(String path) {
      throw new AssertionError("the body of a collapsed method never runs");
    }

    List<String> sizes(List<String> paths) {
      return paths.stream().map(path -> base + path + calls.incrementAndGet()).toList();
    }

    @CacheRemove(commandKey = "size")
    public void resized(String path) {}
  }

  static class Admin {
    @CacheRemove(commandKey = "GetPage")
    public void changedEverywhere(String path) {}
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoClients {
    @Bean
    Client one() {
      return new Client("one/");
    }

    @Bean
    Client two() {
      return new Client("two/");
    }

    @Bean
    Admin admin() {
      return new Admin();
    }
  }

  @Test
  void beansOfOneClass_keepResultsOfTheirOwn() {
    context = Contexts.of(TwoClients.class);
    Client one = context.getBean("one", Client.class);
    Client two = context.getBean("two", Client.class);

    try (RequestContext request = request()) {
      assertThat(one.page("a")).isEqualTo("one/a1");
      assertThat(two.page("a")).isEqualTo("two/a1");
      one.changed("a");
      assertThat(one.page("a")).isEqualTo("one/a2");
      assertThat(two.page("a")).as("of another bean").isEqualTo("two/a1");
      context.getBean(Admin.class).changedEverywhere("a");
      assertThat(one.page("a")).isEqualTo("one/a3");
      assertThat(two.page("a")).isEqualTo("two/a2");
    }
  }

  @Test
  void beansOfOneClass_keepAnswersOfBatchesOfTheirOwn() {
    context = Contexts.of(TwoClients.class);
    Client one = context.getBean("one", Client.class);
    Client two = context.getBean("two", Client.class);

    try (RequestContext request = request()) {
      assertThat(one.size("a")).isEqualTo("one/a1");
      assertThat(two.size("a")).isEqualTo("two/a1");
      one.resized("a");
      assertThat(one.size("a")).isEqualTo("one/a2");
      assertThat(two.size("a")).as("of another bean").isEqualTo("two/a1");
    }
  }

  static class Shared {

    @Command(commandKey = "Db")
    @CacheResult
    public String user(long id) {
      return "user " + id;
    }

    @Command(commandKey = "Db")
    @CacheResult
    public Integer order(long id) {
      return (int) id;
    }
  }

  @Test
  void methodsOfOneKey_keepResultsOfTheirOwn() {
    Shared shared = bean(Shared.class);

    try (RequestContext request = request()) {
      assertThat(shared.user(1)).isEqualTo("user 1");
      assertThat(shared.order(1)).isEqualTo(1);
    }
  }

  static class Overloaded {

    private final AtomicInteger calls = new AtomicInteger();

    @Command
    @CacheResult
    public String bySku(String sku) {
      return sku + calls.incrementAndGet();
    }

    @Command
    @CacheResult
    public String bySku(int sku) {
      return sku + "/" + calls.incrementAndGet();
    }

    @Command(commandKey = "Site-#{#p0}")
    @CacheResult
    public String bySite(String site) {
      return site + calls.incrementAndGet();
    }

    @CacheRemove(commandKey = "bySku")
    public void changed(String sku) {}

    @CacheRemove(commandKey = "bySite")
    public void moved(String site) {}
  }

  @Test
  void removalByTheMethodsName_findsOverloads_andKeysOfArguments() {
    Overloaded overloaded = bean(Overloaded.class);

    try (RequestContext request = request()) {
      assertThat(overloaded.bySku("a")).isEqualTo("a1");
      assertThat(overloaded.bySku(7)).isEqualTo("7/2");
      overloaded.changed("a");
      assertThat(overloaded.bySku("a")).isEqualTo("a3");
      assertThat(overloaded.bySku(7)).as("of another argument").isEqualTo("7/2");
      assertThat(overloaded.bySite("x")).isEqualTo("x4");
      overloaded.moved("x");
      assertThat(overloaded.bySite("x")).isEqualTo("x5");
    }
  }

  static class Reactive {

    private final AtomicInteger calls = new AtomicInteger();

    @Command
    @CacheResult
    public Mono<Integer> get(String id) {
      return Mono.fromSupplier(calls::incrementAndGet);
    }

    @Command
    @CacheRemove(commandKey = "get")
    public Mono<String> change(String id) {
      return Mono.just("changed");
    }

    @CacheRemove(commandKey = "get")
    public Flux<String> changePlainly(String id) {
      return Flux.just("changed", "again");
    }

    private final AtomicInteger keys = new AtomicInteger();

    int keys() {
      return keys.get();
    }

    @CacheRemove(commandKey = "get", cacheKeyMethod = "counted")
    public Mono<String> changeByMethod(String id) {
      return Mono.just("changed");
    }

    private Object counted(String id) {
      keys.incrementAndGet();
      return List.of(id);
    }

    @Command
    @CacheRemove(commandKey = "get")
    public Mono<String> failToChange(String id) {
      return Mono.error(new IllegalArgumentException(id));
    }
  }

  private static <T> T at(RequestContext request, Mono<T> mono) {
    return mono.contextWrite(written -> written.put(RequestContext.class, request)).block();
  }

  /** As in WebFlux, where no thread has a request. */
  @Test
  void requestOfTheSubscriber_isTheOneRemovedFrom() {
    Reactive reactive = bean(Reactive.class);

    try (RequestContext request = request()) {
      request.leave();
      assertThat(at(request, reactive.get("a"))).isEqualTo(1);
      assertThat(at(request, reactive.get("a"))).isEqualTo(1);
      Mono<String> change = reactive.change("a");
      assertThat(at(request, reactive.get("a"))).as("before a subscription").isEqualTo(1);
      assertThat(at(request, change)).isEqualTo("changed");
      assertThat(at(request, reactive.get("a"))).isEqualTo(2);
      assertThat(at(request, reactive.changePlainly("a").last())).isEqualTo("again");
      assertThat(at(request, reactive.get("a"))).isEqualTo(3);
      assertThat(at(request, reactive.failToChange("a").onErrorReturn("failed")))
          .isEqualTo("failed");
      assertThat(at(request, reactive.get("a"))).as("after a failed change").isEqualTo(3);
    }
  }

  @Test
  void keyOfAReactiveRemoval_isMadeByEachSubscription() {
    Reactive reactive = bean(Reactive.class);

    try (RequestContext request = request()) {
      assertThat(at(request, reactive.get("a"))).isEqualTo(1);
      Mono<String> change = reactive.changeByMethod("a");
      assertThat(reactive.keys()).isZero();
      assertThat(at(request, change)).isEqualTo("changed");
      assertThat(reactive.keys()).isOne();
      assertThat(at(request, reactive.get("a"))).isEqualTo(2);
    }
  }

  static class Staged {

    private final AtomicInteger calls = new AtomicInteger();

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    @CacheResult
    public int get(String id) {
      return calls.incrementAndGet();
    }

    @CacheRemove(commandKey = "get", cacheKeyMethod = "first")
    public CompletableFuture<String> change(String id, CompletableFuture<String> end) {
      return end;
    }

    @CacheRemove(commandKey = "get", cacheKeyMethod = "none")
    public Completable nothing(String id) {
      return Completable.complete();
    }

    private Object none(String id) {
      return null;
    }

    private Object first(String id, CompletableFuture<String> end) {
      return List.of(id);
    }
  }

  @Test
  void stage_endsForItsCallerAfterTheRemoval() {
    Staged staged = bean(Staged.class);

    try (RequestContext request = request()) {
      assertThat(staged.get("a")).isEqualTo(1);
      CompletableFuture<String> end = new CompletableFuture<>();
      CompletableFuture<Integer> read =
          staged.change("a", end).thenApply(changed -> staged.get("a"));
      assertThat(staged.get("a")).as("before its end").isEqualTo(1);
      end.complete("changed");
      assertThat(read.join()).isEqualTo(2);
      staged.nothing("a").blockingAwait();
      assertThat(staged.get("a")).as("a removal of no key").isEqualTo(2);
    }
  }

  @Test
  void stageOfARemoval_cancelled_cancelsTheMethods() {
    Staged staged = bean(Staged.class);

    try (RequestContext request = request()) {
      CompletableFuture<String> end = new CompletableFuture<>();
      assertThat(staged.change("a", end).cancel(true)).isTrue();
      assertThat(end).isCancelled();
    }
  }
}
