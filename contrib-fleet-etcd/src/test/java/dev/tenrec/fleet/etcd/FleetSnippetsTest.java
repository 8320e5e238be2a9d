// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page about fleets says about etcd compiles, and a fleet follows it. */
class FleetSnippetsTest {

  private static final Pattern BLOCK =
      Pattern.compile("```java\n(EtcdStore.*?)```", Pattern.DOTALL);

  @Test
  void page_always_hasWhatIsCompiledHere() throws Exception {
    String here =
        bare(
            Files.readString(
                Path.of("src/test/java/dev/tenrec/fleet/etcd/FleetSnippetsTest.java")));
    Matcher matcher = BLOCK.matcher(Files.readString(Path.of("..", "docs", "how-to", "fleet.md")));
    assertThat(matcher.find()).isTrue();
    assertThat(here).contains(bare(matcher.group(1)));
    assertThat(matcher.find()).as("another one").isFalse();
  }

  private static String bare(String java) {
    return java.replaceAll("\\s+", "");
  }

  @Test
  void page_always_saysWhatHappens() throws Exception {
    try (LoopbackEtcd etcd = new LoopbackEtcd()) {
      String members = etcd.member();
      String password = "secret";
      etcd.addUser("shop", password);
      EtcdStore store =
          EtcdStore.builder(
                  members, "shop") // http://etcd1:2379,http://etcd2:2379,http://etcd3:2379
              .user("shop", password)
              .open();
      FleetMember member = FleetMember.builder(store, "shop-7").zone("a").start();
      Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
      member.observe(tenrec);
      try (store;
          member;
          tenrec) {
        await()
            .ignoreExceptionsInstanceOf(
                StoreUnavailableException.class) // a crowded machine's first
            .until(() -> store.read("applied/shop-7") != null);
        String timeout = "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";
        FleetOperator operator = FleetOperator.of(store);
        long version =
            operator.change("slow today").set(FleetLayer.FLEET, timeout, "800").write().version();
        await()
            .untilAsserted(
                () -> {
                  assertThat(member.values("tenrec")).containsEntry(timeout, "800");
                  assertThat(member.status().version()).isEqualTo(version);
                  assertThat(member.status().author()).isEqualTo("shop");
                });
      }
    }
  }
}
