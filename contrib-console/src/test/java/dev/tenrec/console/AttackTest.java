// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that mean harm, clients that stall, keys that hold anything. */
class AttackTest {

  private static final Duration PATIENCE = PatientWaits.patience();
  private static final String TOKEN = "0123456789-abcdef";
  private static final List<String> PATHS =
      List.of(
          "/tenrec/",
          "/tenrec/main.js",
          "/tenrec/stream",
          "/tenrec/command?id=1",
          "/tenrec/advice?key=Quote");

  private final Tenrec tenrec = Tenrec.create();
  private final List<Console> open = new ArrayList<>();

  @AfterEach
  void stop() {
    open.forEach(Console::close);
    tenrec.close();
  }

  private Console.Builder console() {
    return Console.builder(tenrec).interval(Duration.ofMillis(20));
  }

  private Console started(Console.Builder builder) throws IOException {
    Console console = builder.start();
    open.add(console);
    return console;
  }

  /** Moves time on when the console waits for it: it reads once more. */
  static void beat(ManualTime time, Duration by) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !time.waiting().isEmpty());
    time.advance(by);
  }

  private static Socket socket(Console console) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1_024);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.connect(console.address());
    return socket;
  }

  /** The head of the answer to these lines, in one text. */
  private static String answer(Console console, String... lines) throws IOException {
    try (Socket socket = socket(console)) {
      socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(US_ASCII));
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      StringBuilder head = new StringBuilder();
      String line = reader.readLine();
      while (line != null && !line.isEmpty()) {
        head.append(line).append('\n');
        line = reader.readLine();
      }
      return head.toString();
    }
  }

  private static String get(Console console, String path, String... more) throws IOException {
    List<String> lines = new ArrayList<>(List.of("GET " + path + " HTTP/1.1", "Host: localhost"));
    lines.addAll(List.of(more));
    return answer(console, lines.toArray(String[]::new));
  }

  @Test
  void host_thatIsAName_isRefusedOnEveryPath() throws Exception {
    Console console = started(console().allowedHosts(List.of("console.example")));
    for (String path : PATHS) {
      String line = "GET " + path + " HTTP/1.1";
      for (String host : List.of("rebound.example", "127.0.0.1.rebound.example", "")) {
        assertThat(answer(console, line, "Host: " + host)).as(host + path).contains(" 403 ");
      }
      assertThat(answer(console, line)).contains(" 403 ");
      assertThat(answer(console, line, "Host: console.example:80")).doesNotContain(" 403 ");
    }
  }

  @Test
  void anythingButReading_isRefusedOnEveryPath() throws Exception {
    Console console = started(console());
    for (String path : PATHS) {
      for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE")) {
        assertThat(
                answer(
                    console,
                    method + " " + path + " HTTP/1.1",
                    "Host: localhost",
                    "Content-Length: 0"))
            .as(method + path)
            .contains(" 405 ")
            .contains("Allow: GET");
      }
    }
  }

  @Test
  void page_ofAnotherSite_mayLeadHereAndReadNothing() throws Exception {
    Console console = started(console());
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(get(console, "/tenrec/", "Sec-Fetch-Site: " + site)).contains(" 200 ");
      for (String path : PATHS.subList(1, PATHS.size())) {
        assertThat(get(console, path, "Sec-Fetch-Site: " + site)).as(path).contains(" 403 ");
      }
    }
    assertThat(get(console, "/tenrec/main.js", "Sec-Fetch-Site: same-origin")).contains(" 200 ");
  }

  @Test
  void page_ofAnotherOrigin_overPlainHttp_readsNothing() throws Exception {
    Console console = started(console().allowedHosts(List.of("console.example")));
    for (String origin :
        List.of("http://elsewhere.example", "http://xlocalhost", "http://localhost:1", "null")) {
      for (String path : PATHS.subList(1, PATHS.size())) {
        assertThat(get(console, path, "Origin: " + origin)).as(origin + path).contains(" 403 ");
      }
    }
    for (String host : List.of("localhost", "console.example:7980")) {
      assertThat(
              answer(
                  console,
                  "GET /tenrec/main.js HTTP/1.1",
                  "Host: " + host,
                  "Origin: http://" + host.toUpperCase(Locale.ROOT)))
          .as(host)
          .contains(" 200 ");
    }
  }

  @Test
  void everyAnswer_hasTheGuardsOfBrowsers() throws Exception {
    Console console = started(console());
    for (String path : List.of("/tenrec/", "/tenrec/main.js", "/tenrec/stream", "/nothing")) {
      assertThat(get(console, path))
          .as(path)
          .containsIgnoringCase("Content-Security-Policy: default-src 'none'; script-src 'self'")
          .containsIgnoringCase("frame-ancestors 'none'")
          .containsIgnoringCase("X-Content-Type-Options: nosniff")
          .containsIgnoringCase("Referrer-Policy: no-referrer")
          .doesNotContain("unsafe");
    }
  }

  @Test
  void path_thatLeadsElsewhere_isNotFound() throws Exception {
    Console console = started(console());
    for (String path :
        List.of(
            "/tenrec/../Console.class",
            "/tenrec/%2e%2e/Console.class",
            "/tenrec/page/index.html",
            "/tenrec//main.js",
            "/tenrec/command",
            "/tenrec/command?id=-1",
            "/tenrec/command?id=99999999999",
            "/tenrec/command?id=1%27",
            "/tenrec/advice",
            "/tenrec/advice?id=99999",
            "/tenrec/advice?key=",
            "/tenrec/advice?key=Quote&key=Quote")) {
      assertThat(get(console, path)).as(path).contains(" 404 ");
    }
    assertThat(get(console, "/")).contains(" 303 ").contains("Location: /tenrec/");
  }

  @Test
  void token_whereThereIsOne_isWantedOnEveryPath() throws Exception {
    Console console = started(console().token(TOKEN));
    for (String path : PATHS) {
      assertThat(get(console, path)).as(path).contains(" 401 ");
      assertThat(get(console, path, "Authorization: Bearer " + TOKEN + "0")).contains(" 401 ");
      assertThat(get(console, path, "Authorization: Bearer ")).contains(" 401 ");
      assertThat(get(console, path, "Cookie: tenrec-console-1=" + TOKEN)).contains(" 401 ");
    }
    assertThat(get(console, "/tenrec/?token=" + TOKEN.substring(1))).contains(" 401 ");
    assertThat(get(console, "/tenrec/?token=")).contains(" 401 ");
    for (String scheme : List.of("Bearer ", "bearer ", "BEARER ")) {
      assertThat(get(console, "/tenrec/", "Authorization: " + scheme + TOKEN)).contains(" 200 ");
    }
    String opened = get(console, "/tenrec/?token=" + TOKEN);
    assertThat(opened)
        .contains(" 303 ")
        .contains("Location: /tenrec/\n")
        .contains("Path=/tenrec/; HttpOnly; SameSite=Lax");
    String cookie = opened.replaceAll("(?s).*Set-cookie: ([^;]*);.*", "$1");
    assertThat(cookie).doesNotContain(TOKEN);
    assertThat(get(console, "/tenrec/stream", "Cookie: a=b; " + cookie)).contains(" 200 ");
  }

  @Test
  void address_thatOthersReach_isNotServedWithoutAToken() throws Exception {
    InetSocketAddress everywhere = new InetSocketAddress(0);
    assertThatThrownBy(() -> console().address(everywhere).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("token: expected one, because ");
    assertThatThrownBy(() -> console().token("short"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16")
        .hasMessageNotContaining("short");
    assertThatThrownBy(() -> console().token(TOKEN + "; Path=/"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Console.start(tenrec, 0)).satisfies(open::add);
    assertThat(open.get(0).address().getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void uri_ofEachAddress_leadsToIt() throws Exception {
    for (String address : List.of("127.0.0.1", "127.0.0.2")) {
      Console console = started(console().address(new InetSocketAddress(address, 0)));
      assertThat(Watched.get(console.uri()).statusCode()).as(address).isEqualTo(200);
    }
    Console anywhere = started(console().token(TOKEN).address(new InetSocketAddress(0)));
    assertThat(anywhere.uri().getHost()).isEqualTo("localhost");
  }

  @Test
  void threads_ofTheServer_keepNoJvmAlive() throws Exception {
    started(console());
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(
            thread ->
                thread.getName().startsWith("HTTP-Dispatcher")
                    || thread.getName().startsWith("tenrec-console"))
        .isNotEmpty()
        .allMatch(Thread::isDaemon);
  }

  @Test
  void description_thatMakesNoSense_isRefusedInWords() {
    assertThatThrownBy(() -> console().maxClients(0))
        .hasMessage("maxClients: 0, expected 1 to 1000");
    assertThatThrownBy(() -> console().interval(Duration.ZERO))
        .hasMessage("interval: PT0S, expected PT0.01S to PT1H");
    assertThatThrownBy(() -> console().stalledAfter(Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void client_beyondTheMost_isAnsweredWith503AndLetInWhenOneHasLeft() throws Exception {
    Console console = started(console().maxClients(2));
    try (Watched first = Watched.of(console);
        Watched second = Watched.of(console)) {
      first.next();
      second.next();
      try (Watched third = Watched.of(console)) {
        assertThat(third.response.statusCode()).isEqualTo(503);
      }
      second.close();
      await().atMost(PATIENCE).until(() -> console.clients() == 1);
      try (Watched again = Watched.of(console)) {
        assertThat(again.response.statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void reader_thatStalls_isGivenUpAndHoldsUpNoOther() throws Exception {
    List<Command<Integer, Integer>> commands = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      commands.add(
          tenrec
              .command("Command" + i, (Integer n) -> n)
              .isolation(Isolation.semaphore(1))
              .build());
    }
    // on a slow machine, too, only the reader that takes nothing is given up
    ManualTime time = new ManualTime();
    Console console = started(console().stalledAfter(Duration.ofMinutes(1)).time(time, time));
    try (Socket stalling = socket(console);
        Watched reading = Watched.of(console)) {
      stalling
          .getOutputStream()
          .write("GET /tenrec/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      boolean came = false;
      boolean gone = false;
      for (int i = 0; i < 1_000 && !gone; i++) { // more than the buffers between hold
        for (Command<Integer, Integer> command : commands) {
          command.attempt(i);
        }
        beat(time, Duration.ofSeconds(1));
        reading.next();
        came |= console.clients() == 2;
        gone = came && console.clients() == 1;
      }
      assertThat(gone).isTrue();
      assertThat(reading.rows).hasSize(1_000);
    }
  }

  @Test
  void request_thatIsNeverSentToItsEnd_keepsNoThread() throws Exception {
    Console console = started(console().maxClients(1).stalledAfter(Duration.ofMillis(300)));
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) { // more than there are threads
        Socket socket = socket(console);
        slow.add(socket);
        socket.getOutputStream().write("GET /tenrec/ HTTP/1.1\r\nX-".getBytes(US_ASCII));
      }
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> get(console, "/tenrec/").contains(" 200 "));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void keys_thatHoldAnything_areSentWholeOrCutAndBreakNothing() throws Exception {
    Map<String, String> odd =
        Map.of(
            "<script>alert(1)</script>",
            "<script>alert(1)</script>",
            "quotes\"'`\\ and &amp;",
            "quotes\"'`\\ and &amp;",
            "lines\r\n\ndata: {\"whole\":true}\n\n",
            "lines\r\n\ndata: {\"whole\":true}\n\n",
            "half \uD800 a pair",
            "half ? a pair",
            "\u2028\u0000\u001b",
            "\u2028\u0000\u001b",
            "m".repeat(1_000_000),
            "m".repeat(200) + "…",
            "p".repeat(199) + "\uD83D\uDE00",
            "p".repeat(199) + "…");
    odd.keySet()
        .forEach(
            key ->
                tenrec
                    .command(key, (Integer n) -> n)
                    .group(key)
                    .isolation(Isolation.semaphore(1))
                    .build());
    // in time that stands still, or a slow client would fall behind and be sent a second whole
    ManualTime time = new ManualTime();
    Console console = started(console().time(time, time));
    try (Watched page = Watched.of(console)) {
      page.until(() -> page.names.size() == odd.size());
      assertThat(page.length).isLessThan(20_000);
      for (String shown : odd.values()) {
        int id = page.id(shown);
        assertThat(id).as(shown).isPositive();
        HttpResponse<String> story = Watched.get(console.uri().resolve("command?id=" + id));
        assertThat(story.statusCode()).isEqualTo(200);
        assertThat(story.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(story.body().length()).isLessThan(100_000);
        JsonNode read = Watched.JSON.readTree(story.body());
        assertThat(read.get("key").asText()).startsWith(shown.replace("…", ""));
      }
      assertThat(page.wholes).isEqualTo(1);
    }
  }

  @Test
  void close_ofTenrecOrConsole_endsAllAndGivesThePortBack() throws Exception {
    // another process may take a port that is free for a moment, but not each of several
    boolean givenBack = endsAndGivesThePortBack();
    for (int tries = 1; tries < 5 && !givenBack; tries++) {
      givenBack = endsAndGivesThePortBack();
    }
    assertThat(givenBack).isTrue();
  }

  private boolean endsAndGivesThePortBack() throws Exception {
    Tenrec own = Tenrec.create(); // each try's, for it is closed
    Console console = started(Console.builder(own).interval(Duration.ofMillis(20)));
    int port = console.address().getPort();
    try (Watched page = Watched.of(console)) {
      page.next();
      own.close();
      await().atMost(PATIENCE).until(() -> console.clients() == 0);
    }
    console.close();
    console.close();
    try (Console again =
        Console.builder(own)
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .start()) {
      assertThat(again.address().getPort()).isEqualTo(port);
      return true;
    } catch (BindException taken) {
      return false;
    }
  }
}
