// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.internal.declaration.BeanClassReader;
import dev.tenrec.annotations.internal.declaration.StartUpSettings;
import dev.tenrec.annotations.internal.declaration.Texts;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class SelfInvocationsTest {

  @SuppressWarnings("unused")
  static class Quotes {

    private Quotes self;
    private long count;

    @Command
    public String byId(long id) {
      return "";
    }

    @Command
    protected String named(String name, int count) {
      return name;
    }

    List<String> all(int[] ids) {
      String first = byId(ids[0] + 7L);
      return List.of(first, this.named("x" + count, ids.length));
    }

    LongFunction<String> later() {
      return id -> "later " + byId(id);
    }

    LongFunction<String> referred() {
      return this::byId;
    }

    LongFunction<String> referredOf(Quotes other) {
      return other::byId;
    }

    String viaTheProxy() {
      return self.byId(count) + new Quotes().byId(1) + self.named("y", 3);
    }

    static String ofAnother(Quotes other) {
      return other.byId(1);
    }
  }

  private static List<String> found(Class<?> type) {
    return SelfInvocations.find(
        ClassCommands.of(
            new BeanClassReader(new Texts(text -> text, StartUpSettings.NONE)).read(type)));
  }

  @Test
  void callsOnThis_areFound_othersAreNot() {
    assertThat(found(Quotes.class))
        .containsExactly(
            "all calls byId(long)",
            "all calls named(String, int)",
            "later calls byId(long)",
            "referred calls byId(long)");
  }

  static class Quiet {

    private final Quotes quotes = new Quotes();

    @Command
    public String byId(long id) {
      return quotes.byId(id);
    }
  }

  @Test
  void classWithoutSuchCalls_hasNone() {
    assertThat(found(Quiet.class)).isEmpty();
  }
}
