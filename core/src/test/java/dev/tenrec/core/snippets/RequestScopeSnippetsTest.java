// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.work.CommandDefinition;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The snippets of docs/reference/request-scope.md, each in the test of its section's name. */
class RequestScopeSnippetsTest {

  record User(int id, String name) {}

  static final class Users {
    private final AtomicInteger asked = new AtomicInteger();

    User byId(int id) {
      asked.incrementAndGet();
      return new User(id, "user " + id);
    }

    Map<Integer, User> byIds(List<Integer> ids) {
      return ids.stream().collect(Collectors.toMap(id -> id, this::byId));
    }
  }

  static final class Session implements AutoCloseable {
    private boolean closed;

    @Override
    public void close() {
      closed = true;
    }
  }

  private final Tenrec tenrec = Unhurried.tenrec();
  private final Users users = new Users();
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  @AfterEach
  void close() {
    executor.shutdownNow();
    tenrec.close();
  }

  @Test
  void aRequest() {
    Command<Integer, User> getUser =
        tenrec.command("GetUser", (Integer id) -> users.byId(id)).cacheKey(id -> id).build();

    try (RequestContext request = tenrec.openRequest()) {
      User user = getUser.execute(7);
      User same = getUser.execute(7); // not asked for again
      assertThat(same).isSameAs(user);
      String log = request.log().toString();
      assertThat(log)
          .matches("GetUser\\[SUCCESS]\\[\\d+ms], GetUser\\[SUCCESS, RESPONSE_FROM_CACHE]\\[0ms]");
    }
    assertThat(users.asked).hasValue(1);
  }

  @Test
  void threadsOfYourOwn() throws Exception {
    Command<Integer, User> getUser =
        tenrec.command("GetUser", (Integer id) -> users.byId(id)).cacheKey(id -> id).build();

    try (RequestContext request = tenrec.openRequest()) {
      Future<User> future = executor.submit(request.wrap(() -> getUser.execute(7)));
      CompletableFuture<String> name =
          CompletableFuture.supplyAsync(() -> getUser.execute(7), request.wrap(executor))
              .thenApplyAsync(User::name, request.wrap(executor));
      String greeting =
          getUser
              .toSingle(7)
              .observeOn(Schedulers.from(request.wrap(executor)))
              .map(user -> "hello " + getUser.execute(user.id()).name())
              .blockingGet();

      assertThat(future.get().name()).isEqualTo("user 7");
      assertThat(name.join()).isEqualTo("user 7");
      assertThat(greeting).isEqualTo("hello user 7");
    }
    assertThat(users.asked).hasValue(1);
  }

  @Test
  void variables() {
    List<Session> opened = new ArrayList<>();
    RequestVariable<Session> session =
        tenrec.requestVariable(
            () -> {
              Session made = new Session();
              opened.add(made);
              return made;
            },
            Session::close);

    try (RequestContext request = tenrec.openRequest()) {
      Session mine = session.get(); // made here
      assertThat(session.get()).isSameAs(mine);
    } // closed here
    assertThat(opened).singleElement().satisfies(one -> assertThat(one.closed).isTrue());
  }

  @Test
  void theCache() {
    final class GetUser implements CommandDefinition<Integer, User> {
      @Override
      public User run(Integer id) {
        return users.byId(id);
      }

      @Override
      public Object cacheKey(Integer id) {
        return id;
      }
    }

    Command<Integer, User> getUser = tenrec.command("GetUser", new GetUser()).build();
    Command<User, User> save =
        tenrec
            .command(
                "SaveUser",
                (User user) -> {
                  getUser.clearCache(user.id()); // the next call asks again
                  return user;
                })
            .build();

    try (RequestContext request = tenrec.openRequest()) {
      User user = getUser.execute(7);
      assertThat(save.execute(user)).isSameAs(user);
      assertThat(getUser.execute(7)).isEqualTo(user);
    }
    assertThat(users.asked).hasValue(2);
  }

  @Test
  void callsThatBecomeOne() {
    Collapser<Integer, User> getUser =
        tenrec
            .collapser("GetUsers", (List<Integer> ids) -> users.byIds(ids)) // a Map, by id
            .maxRequestsInBatch(100)
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(id -> id)
            .build();

    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<User> one = getUser.executeAsync(1);
      CompletableFuture<User> two = getUser.executeAsync(2);
      CompletableFuture<User> same = getUser.executeAsync(1); // asked for once, answered twice
      String names = one.join().name() + ", " + two.join().name();
      User later = getUser.execute(1); // the batch is over, its answer is remembered
      assertThat(names).isEqualTo("user 1, user 2");
      assertThat(later).isSameAs(one.join()).isSameAs(same.join());
    }
    assertThat(users.asked).hasValue(2);
    assertThat(getUser.view().cumulativeMembers()).isEqualTo(2);
    assertThat(getUser.view().cumulativeCacheHits()).isEqualTo(2);
  }

  @Test
  void theLog() {
    Command<Integer, User> getUser =
        tenrec.command("GetUser", (Integer id) -> users.byId(id)).build();
    List<String> lines = new CopyOnWriteArrayList<>();

    Disposable listening =
        tenrec
            .finishedRequests()
            .subscribe(finished -> lines.add(finished.openFor() + " " + finished.log()));
    try (RequestContext request = tenrec.openRequest()) {
      User user = getUser.execute(7);
      RequestLog log = request.log();
      for (RequestLog.Entry entry : log.entries()) {
        assertThat(entry.commandKey() + entry.events()).isEqualTo("GetUser[SUCCESS]");
        assertThat(entry.latency()).isPositive();
      }
      assertThat(user.id()).isEqualTo(7);
    }
    await().until(() -> !lines.isEmpty());
    listening.dispose();
    assertThat(lines).singleElement().asString().contains("GetUser[SUCCESS]");
  }
}
