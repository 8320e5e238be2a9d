// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.metrics.PatientWaits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One instance of a fleet, looked at through the console of another; and what is not opened. */
class InstancesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = PatientWaits.patience();
  private static final String READER = "reader-0123456789";
  private static final String OF_INSTANCES = "instances-0123456789";
  private static final List<String> LOOPBACK = List.of("127.0.0.0/8");
  private static final String GONE = "the instance shop-8 has gone, or does not answer any more";

  private final MemoryStore engine = new MemoryStore();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final FleetOperator viewer = FleetOperator.of(kept(engine.connect("viewer")));
  private final Tenrec tenrec = kept(Tenrec.create());

  /** Where nobody is to come. */
  private ServerSocketChannel trap;

  private <T extends AutoCloseable> T kept(T each) {
    open.add(0, each);
    return each;
  }

  @BeforeEach
  void setTrap() throws IOException {
    trap = kept(ServerSocketChannel.open());
    trap.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    trap.configureBlocking(false);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private int trapPort() {
    return trap.socket().getLocalPort();
  }

  /** Whether anybody has come; a connection is there before its maker goes on. */
  private boolean isSprung() throws IOException {
    try (var come = trap.accept()) {
      return come != null;
    }
  }

  private Console.Builder console() {
    return Console.builder(tenrec)
        .token(READER)
        .fleet(viewer)
        .stalledAfter(Duration.ofMinutes(1)); // whatever else the machine does
  }

  private Console started(Console.Builder builder) throws IOException {
    return kept(builder.start());
  }

  /** Announces an instance that says its console is there. */
  private void register(String id, String address) throws Exception {
    FleetStore session = kept(engine.connect(id));
    MemberReport report =
        new MemberReport(
            id, "1", null, 0, "", "", "", List.of(), List.of(), null, null, List.of(), List.of(),
            address);
    session.announce("applied/" + id, JSON.writeValueAsString(report));
  }

  private static HttpRequest request(Console at, String part) {
    return HttpRequest.newBuilder(URI.create(at.uri() + part))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + READER)
        .build();
  }

  private static HttpResponse<String> get(Console at, String part) throws Exception {
    return HTTP.send(request(at, part), BodyHandlers.ofString());
  }

  /** A stream that is read by lines. */
  private static final class Lines implements AutoCloseable {

    private final HttpResponse<InputStream> response;
    private final BufferedReader reader;

    Lines(Console at, String part) throws Exception {
      response = HTTP.send(request(at, part), BodyHandlers.ofInputStream());
      reader = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
    }

    int status() {
      return response.statusCode();
    }

    /** The next line that begins so; fails if there is none. */
    String next(String beginning) throws IOException {
      String line = reader.readLine();
      while (line != null && !line.startsWith(beginning)) {
        line = reader.readLine();
      }
      return assertThat(line).as(beginning).isNotNull().actual();
    }

    String end() throws IOException {
      next("event: gone");
      String words = next("data: ");
      assertThat(reader.readLine()).isEmpty();
      assertThat(reader.readLine()).as("the end of the stream").isNull();
      return words.substring("data: ".length());
    }

    @Override
    public void close() throws IOException {
      response.body().close();
    }
  }

  /** An instance with a console of its own, which it has registered. */
  private final class Other {

    private final FleetMember member;
    private final Console own;

    Other(String token) throws Exception {
      member = kept(FleetMember.builder(kept(engine.connect("shop-8")), "shop-8").start());
      Tenrec its = kept(Tenrec.builder().remoteSource(member).build());
      var unused =
          its.command("OnlyThere", (String s) -> s).isolation(Isolation.semaphore(5)).build();
      member.observe(its);
      Console.Builder builder = Console.builder(its);
      own = kept((token == null ? builder : builder.token(token)).start());
      member.console(URI.create("http://127.0.0.1:" + own.address().getPort() + "/tenrec/"));
      await()
          .atMost(PATIENCE)
          .until(() -> viewer.members().stream().anyMatch(each -> each.console() != null));
    }
  }

  @Test
  void instance_thatHasRegisteredItsConsole_isSeenThroughAnother() throws Exception {
    Other other = new Other(OF_INSTANCES);
    Console console = started(console().instances(LOOPBACK, OF_INSTANCES));
    JsonNode fleet = JSON.readTree(get(console, "fleet").body());
    assertThat(fleet.get("opens").asBoolean()).isTrue();
    assertThat(fleet.at("/members/0/console").asBoolean()).isTrue();
    assertThat(fleet.toString()).doesNotContain("127.0.0.1", OF_INSTANCES);
    try (Lines lines = new Lines(console, "stream?instance=shop-8")) {
      assertThat(lines.status()).isEqualTo(200);
      assertThat(lines.response.headers().firstValue("Content-Security-Policy")).isPresent();
      JsonNode whole = JSON.readTree(lines.next("data: ").substring(6));
      assertThat(whole.at("/commands/names/0/1").asText()).isEqualTo("OnlyThere");
      int id = whole.at("/commands/names/0/0").asInt();
      HttpResponse<String> story = get(console, "command?instance=shop-8&id=" + id);
      assertThat(JSON.readTree(story.body()).get("key").asText()).isEqualTo("OnlyThere");
      assertThat(story.headers().firstValue("Content-Type")).hasValue("application/json");
      HttpResponse<String> advice = get(console, "advice?instance=shop-8&key=OnlyThere");
      assertThat(JSON.readTree(advice.body()).get("key").asText()).isEqualTo("OnlyThere");
      assertThat(get(console, "command?instance=shop-8&id=99").statusCode()).isEqualTo(404);
      other.own.close();
      assertThat(lines.end()).isEqualTo(GONE);
    }
    try (Socket nobody = new Socket()) { // another program may have the port that is free now
      nobody.bind(new InetSocketAddress("127.0.0.1", 0));
      other.member.console(URI.create("http://127.0.0.1:" + nobody.getLocalPort() + "/tenrec/"));
      await()
          .atMost(PATIENCE)
          .until(() -> get(console, "stream?instance=shop-8").statusCode(), code -> code == 502);
    }
  }

  @Test
  void console_thatIsNotToldTo_opensNoInstance_andNobodyWithoutATokenDoes() throws Exception {
    register("shop-8", "http://127.0.0.1:" + trapPort() + "/tenrec/");
    Console plain = started(console());
    assertThat(JSON.readTree(get(plain, "fleet").body()).get("opens").asBoolean()).isFalse();
    for (String part : List.of("stream", "command", "advice")) {
      assertThat(get(plain, part + "?instance=shop-8&id=1").statusCode()).isEqualTo(404);
    }
    assertThat(get(plain, "stream?instance=shop-8").statusCode()).isEqualTo(404);
    Console console = started(console().instances(LOOPBACK));
    URI stream = URI.create(console.uri() + "stream?instance=shop-8");
    assertThat(Watched.get(stream).statusCode()).isEqualTo(401);
    HttpRequest elsewhere =
        HttpRequest.newBuilder(stream)
            .header("Authorization", "Bearer " + READER)
            .header("Sec-Fetch-Site", "cross-site")
            .build();
    assertThat(HTTP.send(elsewhere, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    for (String query :
        List.of(
            "stream?instance=",
            "stream?instance=shop-8&id=1",
            "stream?instance=shop-9",
            "stream?instance=..%2fx",
            "command?instance=shop-8",
            "command?instance=shop-8&id=1&id=2",
            "advice?instance=shop-8&key=a%20b%0d%0aX:%20y%22&x",
            "main.js/stream?instance=shop-8")) {
      assertThat(get(console, query).statusCode()).as(query).isEqualTo(404);
    }
    assertThat(isSprung()).isFalse();
  }

  /** What is said of it, having opened nothing. */
  private String refused(Console console, String id, String address) throws Exception {
    String[] answered = new String[1];
    await() // what was read of the store is a second old at most
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              HttpResponse<String> answer = get(console, "stream?instance=" + id);
              assertThat(answer.statusCode()).as(address).isEqualTo(403);
              answered[0] = answer.body();
            });
    assertThat(isSprung()).as(address).isFalse();
    return answered[0];
  }

  private void refusedAll(Console console, String words, List<String> addresses) throws Exception {
    Map<String, String> byId = new LinkedHashMap<>();
    for (String address : addresses) { // all, so that the store is read once for them
      String id = "x-" + open.size();
      byId.put(id, address);
      register(id, address);
    }
    for (Map.Entry<String, String> each : byId.entrySet()) {
      String address = each.getValue();
      assertThat(refused(console, each.getKey(), address)).as(address).contains(words);
    }
  }

  @Test
  void address_outsideOfTheNetworks_isNotOpened() throws Exception {
    Console console =
        started(
            console()
                .instances(List.of("10.0.0.0/8"))
                .resolver(
                    host ->
                        host.equals("half.example")
                            ? new InetAddress[] {
                              InetAddress.getByName("10.1.2.3"), InetAddress.getByName("127.0.0.1")
                            }
                            : InetAddress.getAllByName(host)));
    String end = ":" + trapPort() + "/tenrec/";
    refusedAll(
        console,
        "in none of the networks",
        List.of(
            "http://127.0.0.1" + end,
            "http://localhost" + end,
            "http://0.0.0.0" + end,
            "http://[::1]" + end,
            "http://[::]" + end,
            "http://[::ffff:127.0.0.1]" + end,
            "http://[::ffff:7f00:1]" + end,
            "http://[::127.0.0.1]" + end,
            "http://half.example" + end));
  }

  @Test
  void address_thatNoConsoleMayHave_isNotOpenedWhateverIsAllowed() throws Exception {
    Console console = started(console().instances(List.of("0.0.0.0/0", "::/0")));
    String end = ":" + trapPort() + "/tenrec/";
    refusedAll(
        console,
        "in none of the networks",
        List.of(
            "http://0.0.0.0" + end,
            "http://[::]" + end,
            "http://169.254.169.254:8080/tenrec/",
            "http://[::ffff:169.254.169.254]:8080/tenrec/",
            "http://[::169.254.169.254]:8080/tenrec/",
            "http://[64:ff9b::169.254.169.254]:8080/tenrec/",
            "http://[2002:a9fe:a9fe::1]:8080/tenrec/",
            "http://168.63.129.16:32526/tenrec/",
            "http://[fd00:ec2::254]:8080/tenrec/",
            "http://[fd00:42::42]:8080/tenrec/",
            "http://[fd20:ce::254]:8080/tenrec/",
            "http://[fe80::1]:8080/tenrec/",
            "http://[ff02::1]:8080/tenrec/",
            "http://224.0.0.1:8080/tenrec/",
            "http://255.255.255.255:8080/tenrec/"));
    refusedAll(
        console,
        "no address of one",
        List.of(
            "http://user@127.0.0.1" + end,
            "http://10.1.2.3:pw@127.0.0.1" + end,
            "http://127.0.0.1/tenrec/",
            "http://127.0.0.1:0/tenrec/",
            "http://127.0.0.1:22/tenrec/",
            "http://127.0.0.1:1023/tenrec/",
            "http://127.0.0.1:65536/tenrec/",
            "http://127.0.0.1:-1/tenrec/",
            "https://127.0.0.1" + end,
            "file:///etc/passwd/",
            "jar:http://127.0.0.1" + end,
            "//127.0.0.1" + end,
            "",
            "http://127.0.0.1" + end + "?a=",
            "http://127.0.0.1" + end + "#a",
            "http://127.0.0.1" + end + "../x/",
            "http://127.0.0.1" + end + "%0d%0aX:/",
            "http://127.0.0.1" + end + "a b/",
            "http://127.0.0.1:" + trapPort() + "/tenrec",
            "http://127.0.0.1:" + trapPort(),
            "http://[fe80::1%25eth0]:8080/tenrec/",
            "http://x_y:8080/tenrec/",
            "http://127.0.0.1" + end + "a".repeat(300) + "/"));
  }

  /** What answers each request so, and never reads more. */
  private int answering(int status, Map<String, String> headers, String body) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            headers.forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    server.start();
    kept(() -> server.stop(0));
    return server.getAddress().getPort();
  }

  @Test
  void redirect_andWhatIsNoConsole_areNotFollowed() throws Exception {
    Console console = started(console().instances(LOOPBACK, OF_INSTANCES));
    String trapped = "http://127.0.0.1:" + trapPort() + "/tenrec/stream";
    Map<String, String> stream = Map.of("Content-Type", "text/event-stream");
    Map<Integer, String> words =
        Map.of(
            answering(302, Map.of("Location", trapped), ""),
            "answers with 302",
            answering(307, Map.of("Location", trapped), ""),
            "answers with 307",
            answering(200, Map.of("Content-Type", "text/html", "Refresh", trapped), "x"),
            "is no console",
            answering(401, stream, ""),
            "wants another token",
            answering(500, stream, ""),
            "answers with 500");
    for (Map.Entry<Integer, String> each : words.entrySet()) {
      register("y-" + each.getKey(), "http://127.0.0.1:" + each.getKey() + "/tenrec/");
    }
    for (Map.Entry<Integer, String> each : words.entrySet()) {
      HttpResponse<String> answer = get(console, "stream?instance=y-" + each.getKey());
      assertThat(answer.statusCode()).as(each.getValue()).isEqualTo(502);
      assertThat(answer.body()).contains(each.getValue()).doesNotContain(OF_INSTANCES);
    }
    assertThat(isSprung()).isFalse();
  }

  @Test
  void advice_thatNoAdviserGives_isNotHandedOn() throws Exception {
    Console console = started(console().instances(LOOPBACK));
    Map<String, Integer> all =
        Map.of(
            proposed("command", "GetQuote", "circuitBreaker.requestVolumeThreshold", "5"),
            200,
            proposed("threadpool", "Quotes", "coreSize", "24"),
            200,
            proposed("command", "GetQuote", "circuitBreaker.forceOpen", "true"),
            502,
            proposed("command", "Payment", "circuitBreaker.requestVolumeThreshold", "5"),
            502,
            proposed("threadpool", "Quotes", "coreSize", "-1"),
            502,
            proposed("threadpool", "Quotes", "coreSize", "${env.SECRET}"),
            502,
            proposed("command", "Payment", "circuitBreaker.requestVolumeThreshold", "5")
                .replace("GetQuote", "Payment"), // another command's, in itself as it should be
            502,
            "{\"key\": \"GetQuote\", \"proposals\": [7]}",
            502,
            "no JSON",
            502);
    for (Map.Entry<String, Integer> each : all.entrySet()) {
      int port = answering(200, Map.of("Content-Type", "application/json"), each.getKey());
      String id = "z-" + port;
      register(id, "http://127.0.0.1:" + port + "/tenrec/");
      String part = "advice?instance=" + id + "&key=GetQuote";
      await() // what was read of the store is a second old at most
          .atMost(PATIENCE)
          .until(() -> get(console, part).statusCode() != 404);
      HttpResponse<String> answer = get(console, part);
      assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(each.getValue());
      if (each.getValue() == 502) {
        assertThat(answer.body())
            .isEqualTo("the instance " + id + " advises what no adviser does\n");
      }
    }
  }

  private static String proposed(String scope, String key, String property, String value) {
    return "{\"key\": \"GetQuote\", \"watchedMillis\": 60000, \"proposals\": [{\"scope\": \""
        + scope
        + "\", \"key\": \""
        + key
        + "\", \"property\": \""
        + property
        + "\", \"present\": \"1\", \"proposed\": \""
        + value
        + "\", \"reason\": \"so\"}], \"withheld\": [], \"warnings\": []}";
  }

  /**
   * An instance whose console does with each connection what a test wants, on a thread of its own.
   */
  private void playing(String id, Playing what) throws Exception {
    ServerSocket server = kept(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
    Thread playing =
        new Thread(
            () -> {
              List<Socket> all = new ArrayList<>();
              try {
                while (true) {
                  Socket come = server.accept();
                  all.add(come);
                  Thread each = new Thread(() -> play(what, come));
                  each.setDaemon(true);
                  each.start();
                }
              } catch (IOException closed) {
                all.forEach(
                    each -> {
                      try {
                        each.close();
                      } catch (IOException gone) {
                        // it is
                      }
                    });
              }
            });
    playing.setDaemon(true);
    playing.start();
    register(id, "http://127.0.0.1:" + server.getLocalPort() + "/tenrec/");
  }

  private interface Playing {
    void play(OutputStream out) throws IOException;
  }

  private static void play(Playing what, Socket come) {
    try {
      what.play(come.getOutputStream());
    } catch (IOException gone) {
      // the page has left
    }
  }

  private static final byte[] HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;charset=UTF-8\r\n\r\n".getBytes(UTF_8);

  @Test
  void instance_thatFallsSilent_endsItsStreamWithAWord() throws Exception {
    playing(
        "shop-8",
        out -> {
          out.write(HEAD);
          out.write("data: 1\n\ndata: half of".getBytes(UTF_8));
          out.flush(); // and no more, though the connection stays
        });
    Console console = started(console().instances(LOOPBACK).stalledAfter(Duration.ofSeconds(2)));
    await() // on a slow machine it may have been silent before it said anything
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              try (Lines lines = new Lines(console, "stream?instance=shop-8")) {
                assertThat(lines.next("data: 1")).isEqualTo("data: 1");
                assertThat(lines.end()).isEqualTo(GONE);
              }
            });
  }

  @Test
  void instance_thatSaysNothing_isNotWaitedForForEver() throws Exception {
    playing("shop-8", out -> {});
    Console console = started(console().instances(LOOPBACK).stalledAfter(Duration.ofMillis(300)));
    for (String part : List.of("stream?instance=shop-8", "command?instance=shop-8&id=1")) {
      await(part) // a client that is slow loses its connection as soon
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> get(console, part).statusCode() == 502);
    }
  }

  @Test
  void instances_thatAreLookedAt_areABoundedNumber() throws Exception {
    new Other(null);
    Console console = started(console().instances(LOOPBACK).maxClients(1));
    try (Lines first = new Lines(console, "stream?instance=shop-8")) {
      first.next("data: ");
      HttpResponse<String> second = get(console, "stream?instance=shop-8");
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.body()).contains("as many instances are looked at as may be");
      try (Lines own = new Lines(console, "stream")) {
        assertThat(own.status()).as("the page's own").isEqualTo(200);
      }
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (Lines again = new Lines(console, "stream?instance=shop-8")) {
                return again.status() == 200;
              }
            });
  }

  @Test
  void reader_thatStalls_losesItsPlace() throws Exception {
    byte[] much = ("data: " + "m".repeat(60_000) + "\n\n").getBytes(UTF_8);
    AtomicInteger asked = new AtomicInteger();
    playing(
        "shop-8",
        out -> {
          asked.incrementAndGet();
          out.write(HEAD);
          while (true) { // until it is not taken any more
            out.write(much);
          }
        });
    Console console =
        started(console().instances(LOOPBACK).maxClients(1).stalledAfter(Duration.ofSeconds(2)));
    await() // on a slow machine its request may come too late, and the connection is closed
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> stall(console) == 'H' && asked.get() > 0);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              try (Lines again = new Lines(console, "stream?instance=shop-8")) {
                return again.status() == 200;
              }
            });
  }

  /** Asks for the stream and takes one byte of it, which is returned, and then no more. */
  private int stall(Console console) throws IOException {
    Socket stalling = kept(new Socket());
    stalling.setReceiveBufferSize(1_024);
    stalling.setSoTimeout((int) PATIENCE.toMillis());
    stalling.connect(console.address());
    stalling
        .getOutputStream()
        .write(
            ("GET /tenrec/stream?instance=shop-8 HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer "
                    + READER
                    + "\r\n\r\n")
                .getBytes(UTF_8));
    return stalling.getInputStream().read();
  }

  @Test
  void builder_thatCannotBe_isRefusedInWords() {
    for (String network :
        List.of("localhost", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/8 ", "", "a.b/8")) {
      assertThatThrownBy(() -> console().instances(List.of(network)))
          .as(network)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "networks: '" + network + "' is none; expected one as 10.2.0.0/16 or fd12::/64");
    }
    assertThatThrownBy(() -> console().instances(List.of()))
        .hasMessageStartingWith("networks: expected one");
    assertThatThrownBy(() -> console().instances(LOOPBACK, "short"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Console.builder(tenrec).instances(LOOPBACK).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("fleet: expected one");
    Console.Builder givingAway =
        console().operator(OF_INSTANCES, viewer).instances(LOOPBACK, OF_INSTANCES);
    assertThatThrownBy(givingAway::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("instances: expected another token")
        .hasMessageNotContaining(OF_INSTANCES);
  }
}
