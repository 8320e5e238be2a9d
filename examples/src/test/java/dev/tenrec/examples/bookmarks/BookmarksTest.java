// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.test.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reads the page once, in both ways, and looks at the account. In virtual time, which passes only
 * while the reader waits: so a batch has all that were asked for at once, however slowly.
 */
class BookmarksTest {

  private static Account account;
  private static String shown = "";

  @BeforeAll
  static void run() throws Exception {
    VirtualTime time = new VirtualTime();
    FutureTask<Account> reading =
        new FutureTask<>(() -> Bookmarks.run(Tenrec.builder().time(time, time)));
    Thread reader = new Thread(reading, "reader");
    reader.start();
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              if (reader.getState() == Thread.State.WAITING) {
                time.advance(Duration.ofMillis(10));
              }
              return reading.isDone();
            });
    account = reading.get();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Report.print(account, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    shown = bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void account_holds() {
    assertThat(account.checks()).as(shown).isNotEmpty().doesNotContainValue(false);
    assertThat(account.holds()).isTrue();
  }

  @Test
  void oneByOne_isARequestForEachCall() {
    assertThat(account.oneByOne().asked()).isEqualTo(new Library.Asked(300, 0, 0, 300, 0));
  }

  @Test
  void batched_isAHandfulOfRequests() {
    Reading batched = account.batched();
    assertThat(batched.asked().requests() - batched.asked().users()).isBetween(3, 15);
    assertThat(batched.asked().idsInBatches()).isEqualTo(240);
    assertThat(batched.asked().users()).isEqualTo(20);
    assertThat(batched.bookmarks().batches()).isEqualTo(batched.asked().batches());
    assertThat(batched.bookmarks().hits()).isEqualTo(60);
    assertThat(batched.users().hits()).isEqualTo(280);
  }

  @Test
  void report_showsTheRequestLogAndTheAccount() {
    assertThat(shown)
        .contains("GetBookmark[SUCCESS, COLLAPSED]")
        .containsPattern("GetUser\\[SUCCESS]\\[\\d+ms]x20")
        .containsPattern("GetUser\\[SUCCESS, RESPONSE_FROM_CACHE]\\[\\d+ms]x280")
        .contains("300 bookmarks in 3 lists, 240 of them different")
        .doesNotContain("WRONG");
  }

  /** The account is worth something only if the service would notice. */
  @Test
  void library_asksBackWhatNoBatchShouldHave() {
    Library library = new Library();
    assertThat(library.answer("bookmarks", "1,2,1").status()).isEqualTo(400);
    String many = String.join(",", IntStream.range(0, 101).mapToObj(String::valueOf).toList());
    assertThat(library.answer("bookmarks", many).body()).contains("101 ids");
    assertThat(library.answer("bookmark", "1000").status()).isEqualTo(400);
    assertThat(library.answer("user", "x").status()).isEqualTo(400);
    assertThat(library.answer("shelf", "1").status()).isEqualTo(400);
    assertThat(library.asked()).isEqualTo(new Library.Asked(1, 2, 104, 1, 5));
  }

  @Test
  void client_refused_saysWhatTheServiceSaid() throws Exception {
    try (LibraryService service = LibraryService.open(new Library());
        LibraryClient client = new LibraryClient(service.uri())) {
      assertThatThrownBy(() -> client.bookmarks(List.of(1, 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("answered 400, expected 200: an id twice in one batch");
    }
  }

  @Test
  void service_closed_leavesNoThreadAndFreesItsPort() throws Exception {
    LibraryService service = LibraryService.open(new Library());
    URI uri = service.uri();
    try (LibraryClient client = new LibraryClient(uri)) {
      assertThat(client.bookmarks(List.of(1, 2)).keySet()).containsExactlyInAnyOrder(1, 2);
    }
    List<Thread> before =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("library"))
            .toList();
    assertThat(before).isNotEmpty();
    service.close();
    for (Thread thread : before) {
      thread.join(PatientWaits.patience().toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    await() // another process may have it for a moment
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(uri.getHost(), uri.getPort()));
              }
            });
  }

  @Test
  void run_leavesNoThread() throws InterruptedException {
    assertThat(account.threadsLeft()).isZero();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("tenrec-")) {
        // it has answered, and may not have come to its end
        thread.join(PatientWaits.patience().toMillis());
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }
}
