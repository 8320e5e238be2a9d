// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.DryRun;
import dev.tenrec.fleet.FleetDraft;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.PatientWaits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about fleets says what compiles, and what happens. */
class FleetSnippetsTest {

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final Duration PATIENCE = PatientWaits.patience();

  @TempDir Path temporary;

  @Test
  void page_always_hasWhatIsCompiledHere() throws Exception {
    String here =
        bare(
            Files.readString(
                Path.of("src/test/java/dev/tenrec/fleet/zookeeper/FleetSnippetsTest.java")));
    List<String> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(Files.readString(Path.of("..", "docs", "how-to", "fleet.md")));
    while (matcher.find()) {
      if (!matcher.group(1).contains("EtcdStore")) { // that is compiled with the other store
        blocks.add(bare(matcher.group(1)));
      }
    }
    assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(here).contains(block));
  }

  private static String bare(String java) {
    return java.replaceAll("\\s+", "");
  }

  @Test
  void page_always_saysWhatHappens() throws Exception {
    try (TestingServer server = FreshZooKeeper.start()) {
      String servers = server.getConnectString();
      String directory = temporary.toString();
      String password = "secret";
      String operators = DigestAuthenticationProvider.generateDigest("shop:secret");
      String instances = operators;
      ZooKeeperStore store =
          ZooKeeperStore.builder(servers, "shop") // the application
              .digest("shop", password)
              .operator("digest", operators) // who may change settings, as ZooKeeper's ACLs have it
              .instance("digest", instances) // who may read them, and report
              .open();
      FleetMember member =
          FleetMember.builder(store, "shop-7") // different from all others
              .zone("a")
              .lastGood(Path.of(directory, "shop-7.last-good"))
              .start();
      Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
      member.observe(tenrec); // reports on this one
      try (store;
          member;
          tenrec) {
        await()
            .atMost(PATIENCE)
            .ignoreExceptionsInstanceOf(StoreUnavailableException.class) // not connected yet
            .until(() -> store.read("applied/shop-7") != null);
        String timeout = "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";
        FleetOperator operator = FleetOperator.of(store);
        FleetDraft draft =
            operator.change("pricing is slow today").set(FleetLayer.FLEET, timeout, "800");
        DryRun dryRun =
            draft.dryRun(); // what it would do, in words; and what instances would refuse
        Change change = draft.expecting(dryRun.baseVersion()).write();
        Rollout rollout = operator.rollout(change.version(), Duration.ofSeconds(30));
        assertThat(dryRun.refused()).isEmpty();
        assertThat(rollout.version()).isEqualTo(change.version());
        // asked again: half a minute may be too short on a crowded machine
        assertThat(operator.rollout(change.version(), PATIENCE).applied())
            .containsExactly("shop-7");
        assertThat(member.values("tenrec")).containsEntry(timeout, "800");
      }
    }
  }
}
