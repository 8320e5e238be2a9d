// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Results that are kept for a request. */
class CacheTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Users.class);
  private final Tenrec tenrec = context.getBean(Tenrec.class);
  private final Users users = context.getBean(Users.class);

  @AfterEach
  void close() {
    context.close();
  }

  record User(String id, String name) {}

  static class Users {

    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @Command
    @CacheResult
    public String joined(String a, String b) {
      return a + b + calls.incrementAndGet();
    }

    @Command
    @CacheResult
    public String byUser(@CacheKey("id") User user, boolean ignored) {
      return user.id() + calls.incrementAndGet();
    }

    @Command
    @CacheResult(cacheKeyMethod = "initial")
    public String byInitial(String name) {
      return name + calls.incrementAndGet();
    }

    private Object initial(String name) {
      return name.isEmpty() ? null : name.charAt(0);
    }

    @Command
    @CacheRemove(commandKey = "byUser")
    public void change(@CacheKey("id") User user) {
      if (user.name().isEmpty()) {
        throw new IllegalArgumentException("no name");
      }
    }

    @CacheRemove(commandKey = "byUser")
    public void changePlainly(@CacheKey("id") User user) {
      if (user.name().isEmpty()) {
        throw new IllegalArgumentException("no name");
      }
    }

    @CacheRemove(commandKey = "Users.byUser")
    public CompletableFuture<Void> changeLater(@CacheKey("id") User user) {
      return CompletableFuture.runAsync(() -> {}, task -> new Thread(task).start());
    }
  }

  static class Named {

    private final AtomicInteger calls = new AtomicInteger();

    @Command(commandKey = "GetName")
    @CacheResult
    public String byId(long id) {
      return "long" + calls.incrementAndGet();
    }

    @Command
    @CacheResult
    public String byId(String id) {
      return "text" + calls.incrementAndGet();
    }

    @CacheRemove(commandKey = "byId")
    public void changed(long id) {}

    @CacheRemove(commandKey = "GetName")
    public void renamed(long id) {}
  }

  @Test
  void removal_findsTheCommand_byItsKey_andByTheNameOfItsMethod() {
    try (var own = Contexts.of(Named.class);
        RequestContext request = own.getBean(Tenrec.class).openRequest()) {
      Named named = own.getBean(Named.class);
      assertThat(named.byId(7)).isEqualTo("long1");
      assertThat(named.byId("7")).isEqualTo("text2");
      named.changed(7);
      assertThat(named.byId(7)).as("by the name").isEqualTo("long3");
      assertThat(named.byId("7")).as("another key").isEqualTo("text2");
      named.renamed(7);
      assertThat(named.byId(7)).as("by the key").isEqualTo("long4");
    }
  }

  @Test
  void equalArguments_shareOneRun_andAreNotJoined() {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.joined("1", "23")).isEqualTo("1231");
      assertThat(users.joined("1", "23")).isEqualTo("1231");
      assertThat(users.joined("12", "3")).isEqualTo("1232");
    }
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.joined("1", "23")).isEqualTo("1233");
    }
  }

  @Test
  void markedProperty_isTheKey() {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.byUser(new User("u", "ann"), true)).isEqualTo("u1");
      assertThat(users.byUser(new User("u", "bob"), false)).isEqualTo("u1");
      assertThat(users.byUser(new User("v", "ann"), true)).isEqualTo("v2");
    }
  }

  @Test
  void keyMethod_makesTheKey_andNullSharesNothing() {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.byInitial("ann")).isEqualTo("ann1");
      assertThat(users.byInitial("adam")).isEqualTo("ann1");
      assertThat(users.byInitial("")).isEqualTo("2");
      assertThat(users.byInitial("")).isEqualTo("3");
    }
  }

  interface ByMarkedId {
    @Command
    @CacheResult
    String name(@CacheKey("id") User user);
  }

  static class Names implements ByMarkedId {

    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public String name(User user) {
      return user.name() + calls.incrementAndGet();
    }
  }

  @Test
  void parameterMarkedInTheInterface_isTheKey() {
    try (AnnotationConfigApplicationContext other = Contexts.of(Names.class);
        RequestContext request = other.getBean(Tenrec.class).openRequest()) {
      ByMarkedId names = other.getBean(ByMarkedId.class);

      assertThat(names.name(new User("u", "ann"))).isEqualTo("ann1");
      assertThat(names.name(new User("u", "bob"))).isEqualTo("ann1");
    }
  }

  @Test
  void withoutARequest_theCallFails() {
    assertThatThrownBy(() -> users.joined("a", "b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs an open request");
  }

  @Test
  void removal_followsSuccessOnly() {
    User user = new User("u", "ann");
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.byUser(user, true)).isEqualTo("u1");
      assertThatThrownBy(() -> users.change(new User("u", ""))).hasMessage("no name");
      assertThat(users.byUser(user, true)).as("after a failed change").isEqualTo("u1");
      users.change(user);
      assertThat(users.byUser(user, true)).as("after a change").isEqualTo("u2");
      users.change(new User("other", "x"));
      assertThat(users.byUser(user, true)).as("after another's change").isEqualTo("u2");
    }
  }

  @Test
  void removal_ofAPlainMethod_followsSuccessOnly() {
    User user = new User("u", "ann");
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.byUser(user, true)).isEqualTo("u1");
      assertThatThrownBy(() -> users.changePlainly(new User("u", ""))).hasMessage("no name");
      assertThat(users.byUser(user, true)).as("after a failed change").isEqualTo("u1");
      users.changePlainly(user);
      assertThat(users.byUser(user, true)).as("after a change").isEqualTo("u2");
    }
  }

  @Test
  void removal_ofAPlainMethod_thatEndsLater() {
    User user = new User("u", "ann");
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(users.byUser(user, true)).isEqualTo("u1");
      users.changeLater(user).join();
      assertThat(users.byUser(user, true)).isEqualTo("u2");
    }
  }

  @Test
  void removal_withoutARequest_doesNothing() {
    users.change(new User("u", "ann"));

    assertThat(users.calls()).isZero();
  }
}
