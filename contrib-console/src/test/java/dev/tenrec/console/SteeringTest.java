// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.console.internal.steering.FleetDesk;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.FreePorts;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fleet on the page: what it shows, what each user may change, and what is refused. */
class SteeringTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String READER = "reader-0123456789";
  private static final String ALICE = "alice-0123456789";
  private static final String BOB = "bob-000123456789";
  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  private final MemoryStore engine = new MemoryStore();
  private final FleetStore session = engine.connect("instance");
  private final FleetOperator viewer = FleetOperator.of(session);
  private final FleetOperator alice = FleetOperator.of(engine.connect("alice"));
  private FleetMember member;
  private Tenrec tenrec;
  private Console console;

  @BeforeEach
  void start() throws Exception {
    member = FleetMember.builder(session, "shop-7").zone("a").start();
    tenrec = Tenrec.builder().remoteSource(member).build();
    var unused =
        tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    member.observe(tenrec);
    await().until(() -> !viewer.members().isEmpty());
    console =
        Console.builder(tenrec)
            .token(READER)
            .fleet(viewer)
            .operator(ALICE, alice)
            .operator(BOB, FleetOperator.of(engine.connect("bob")))
            .start();
  }

  @AfterEach
  void stop() {
    console.close();
    tenrec.close();
    member.close();
    session.close();
  }

  private HttpRequest.Builder request(Console at, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(at.uri().resolve("fleet")).timeout(PatientWaits.patience());
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private JsonNode look(Console at, String token) throws Exception {
    HttpResponse<String> answer =
        HTTP.send(request(at, token).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private HttpResponse<String> order(String token, String json) throws Exception {
    return HTTP.send(
        request(console, token)
            .header("Content-Type", "application/json")
            .header("Tenrec-Console", "1")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** An order of alice's with an id of its own, and these fields besides. */
  private HttpResponse<String> alice(String id, String action, String more) throws Exception {
    return order(
        ALICE,
        "{\"action\":\"" + action + "\",\"reason\":\"why not\",\"id\":\"" + id + "\"" + more + "}");
  }

  private static String set(String layer, String value) {
    return ",\"layer\":\"" + layer + "\",\"set\":{\"" + TIMEOUT + "\":\"" + value + "\"}";
  }

  private String timeout() {
    return tenrec.resolvedSettings().effective().stream()
        .filter(each -> each.property().equals("execution.isolation.thread.timeoutInMilliseconds"))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void fleet_onThePage_isSettingsInstancesAndHistory() throws Exception {
    alice.change("pricing is slow").set(FleetLayer.FLEET, TIMEOUT, "800").write();
    alice
        .change("try")
        .set(FleetLayer.CANARY, TIMEOUT, "700")
        .canary(List.of("shop-7"), 0, Duration.ofHours(1))
        .write();
    await()
        .untilAsserted(
            () -> {
              JsonNode seen = look(console, READER);
              assertThat(seen.at("/manifest/version").asInt()).isEqualTo(2);
              assertThat(seen.at("/members/0/id").asText()).isEqualTo("shop-7");
              assertThat(seen.at("/members/0/version").asInt()).isEqualTo(2);
              assertThat(seen.at("/members/0/canary").asText()).isEqualTo("in 2");
              assertThat(seen.at("/members/0/refusing").isArray()).isTrue();
              assertThat(seen.at("/layers/0/layer").asText()).isEqualTo("fleet");
              assertThat(seen.at("/layers/0/document/settings").get(TIMEOUT).get("value").asText())
                  .isEqualTo("800");
              assertThat(seen.at("/layers/1/document/canary/members/0").asText())
                  .isEqualTo("shop-7");
              assertThat(seen.at("/history/1/author").asText()).isEqualTo("alice");
              assertThat(seen.at("/history/1/reason").asText()).isEqualTo("pricing is slow");
              assertThat(seen.get("prefix").asText()).isEqualTo("tenrec");
            });
    assertThat(look(console, READER).get("you").isNull()).as("a reader").isTrue();
    assertThat(look(console, ALICE).get("you").asText()).isEqualTo("alice");
    assertThat(look(console, BOB).get("you").asText()).isEqualTo("bob");
  }

  @Test
  void change_ofAnOperator_isHisOwnWithItsReasonAndOneHoweverOftenItIsSent() throws Exception {
    String order =
        "{\"action\":\"set\",\"reason\":\"pricing is slow\",\"id\":\"c-1\",\"expect\":0"
            + set("fleet", "800")
            + "}";
    HttpResponse<String> first = order(BOB, order);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    JsonNode change = JSON.readTree(first.body());
    assertThat(change.get("version").asInt()).isEqualTo(1);
    assertThat(change.get("author").asText()).isEqualTo("bob");
    assertThat(change.get("reason").asText()).isEqualTo("pricing is slow");
    assertThat(order(BOB, order).body()).as("sent again").isEqualTo(first.body());
    assertThat(alice.history(10)).hasSize(1);
    await().until(() -> timeout().equals("800"));
  }

  @Test
  void change_ofASharedBudget_isInForceWhileItRuns() throws Exception {
    String percent = "tenrec.retrybudget.Warehouse.percent";
    var unused =
        tenrec
            .command("GetStock", (String s) -> s)
            .isolation(Isolation.semaphore(5))
            .retry(Retry.attempts(2).budget(10, 1).sharedBudget("Warehouse"))
            .build();
    String layer = ",\"layer\":\"fleet\",\"set\":{\"" + percent + "\":";

    HttpResponse<String> refused = alice("c-1", "set", layer + "\"101\"}");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains(percent);
    assertThat(alice("c-2", "set", layer + "\"5\"}").statusCode()).isEqualTo(200);

    await()
        .untilAsserted(
            () -> {
              EffectiveSetting setting = tenrec.retryBudgets().get(0).settings().get(0);
              assertThat(setting.value()).isEqualTo("5");
              assertThat(setting.level()).isEqualTo(SettingLevel.INSTANCE);
              assertThat(setting.origin().author()).isEqualTo("alice");
            });
  }

  @Test
  void orders_ofEachKind_doWhatTheirNameSays() throws Exception {
    JsonNode dryRun = JSON.readTree(alice("d-1", "dry-run", set("fleet", "800")).body());
    assertThat(dryRun.at("/differences/0/after/value").asText()).isEqualTo("800");
    assertThat(dryRun.get("effects").toString()).contains("concerns 1 instances");
    assertThat(alice.history(10)).as("a dry run writes nothing").isEmpty();

    String canary =
        set("canary", "700")
            + ",\"share\":5,\"members\":[\"shop-7\"],\"lastsSeconds\":600"
            + ",\"guard\":{\"leastCalls\":100,\"errorPercent\":5}";
    assertThat(alice("c-1", "canary", canary).statusCode()).isEqualTo(200);
    assertThat(alice.state().of(FleetLayer.CANARY).canary().guard().errorPercent()).isEqualTo(5);
    assertThat(alice("c-2", "rollback", "").statusCode()).isEqualTo(200);
    assertThat(alice.state().of(FleetLayer.CANARY).canary()).isNull();
    assertThat(alice("c-3", "canary", canary).statusCode()).isEqualTo(200);
    assertThat(alice("c-4", "promote", "").statusCode()).isEqualTo(200);
    assertThat(alice.state().of(FleetLayer.FLEET).settings().get(TIMEOUT).value()).isEqualTo("700");
    assertThat(alice("c-5", "undo", ",\"version\":4").statusCode()).isEqualTo(200);
    assertThat(alice.state().of(FleetLayer.FLEET).settings()).isEmpty();

    String limited = set("instance/shop-7", "600") + ",\"forSeconds\":600";
    assertThat(alice("c-6", "set", limited).statusCode()).isEqualTo(200);
    FleetLayer own = FleetLayer.instance("shop-7");
    assertThat(alice.state().of(own).settings().get(TIMEOUT).forMillis()).isEqualTo(600_000);
    String clear = ",\"layer\":\"instance/shop-7\",\"clear\":[\"" + TIMEOUT + "\"]";
    assertThat(alice("c-7", "set", clear).statusCode()).isEqualTo(200);
    assertThat(alice.state().of(own).settings()).isEmpty();

    assertThat(alice("c-8", "freeze", "").statusCode()).isEqualTo(200);
    assertThat(alice("c-9", "set", set("fleet", "800")).statusCode()).isEqualTo(423);
    assertThat(alice("c-10", "thaw", "").statusCode()).isEqualTo(200);
  }

  @Test
  void order_thatCannotBe_isRefusedInWordsAndWritesNothing() throws Exception {
    Map<String, Integer> orders =
        Map.of(
            "",
            400,
            "null",
            400,
            "[]",
            400,
            "{\"action\":\"set\"",
            400,
            "{\"action\":\"set\",\"id\":\"x\"" + set("fleet", "800") + "}",
            400,
            "{\"action\":\"set\",\"reason\":\" \",\"id\":\"x\"" + set("fleet", "800") + "}",
            400,
            "{\"action\":\"set\",\"reason\":\"why\"" + set("fleet", "800") + "}",
            400,
            "{\"action\":\"set\",\"reason\":\"a\\nb\",\"id\":\"x\"" + set("fleet", "8") + "}",
            400);
    for (Map.Entry<String, Integer> each : orders.entrySet()) {
      assertThat(order(ALICE, each.getKey()).statusCode())
          .as(each.getKey())
          .isEqualTo(each.getValue());
    }
    assertThat(alice("x", "set", set("fleet", "800") + ",\"author\":\"carol\"").statusCode())
        .as("an author")
        .isEqualTo(400);
    assertThat(alice("x", "set", set("fleet", "soon")).body()).contains("instances would refuse");
    assertThat(alice("x", "set", set("fleet", "soon")).statusCode()).isEqualTo(422);
    assertThat(alice("x", "set", set("nowhere", "8")).statusCode()).isEqualTo(422);
    assertThat(alice("x", "set", ",\"layer\":\"fleet\"").statusCode()).isEqualTo(422);
    assertThat(alice("x", "set", set("fleet", "8") + ",\"expect\":7").statusCode()).isEqualTo(409);
    assertThat(alice("x", "promote", "").statusCode()).isEqualTo(422);
    assertThat(alice("x", "undo", "").statusCode()).isEqualTo(422);
    assertThat(alice("x", "drop", "").statusCode()).isEqualTo(422);
    engine.goAway();
    HttpResponse<String> away = alice("x", "set", set("fleet", "800"));
    assertThat(away.statusCode()).isEqualTo(503);
    assertThat(away.body()).contains("send it again with the same id");
    await().until(() -> look(console, READER).path("away").asText().contains("away"));
    engine.comeBack();
    assertThat(alice.history(10)).isEmpty();
  }

  @Test
  void order_withANullForAText_isRefusedInWords() throws Exception {
    String canary = ",\"lastsSeconds\":600,\"members\":[\"shop-7\",null]";
    Map<String, String> orders =
        Map.of(
            ",\"set\":{\"" + TIMEOUT + "\":null}",
            "set: " + TIMEOUT + ": null, expected a text; to take a key out, name it in clear",
            ",\"clear\":[null]",
            "clear: null at 0, expected a text",
            canary,
            "members: null at 1, expected a text");
    for (Map.Entry<String, String> each : orders.entrySet()) {
      HttpResponse<String> answer = alice("x", "set", ",\"layer\":\"fleet\"" + each.getKey());
      assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(400);
      assertThat(JSON.readTree(answer.body()).path("error").asText()).isEqualTo(each.getValue());
    }
    assertThat(alice.history(10)).isEmpty();
  }

  @Test
  void order_ofAnyKind_thatExpectsAnotherVersion_isRefused() throws Exception {
    assertThat(alice("c-1", "set", set("fleet", "800")).statusCode()).isEqualTo(200);
    String canary = set("canary", "700") + ",\"members\":[\"shop-7\"],\"lastsSeconds\":600";
    assertThat(alice("c-2", "canary", canary).statusCode()).isEqualTo(200);
    int orders = 0;
    for (String action : List.of("promote", "rollback", "undo", "freeze", "thaw", "set")) {
      String more = action.equals("undo") ? ",\"version\":1" : "";
      more = action.equals("set") ? set("fleet", "900") : more;
      HttpResponse<String> refused = alice("x-" + orders++, action, more + ",\"expect\":1");
      assertThat(refused.statusCode()).as(action).isEqualTo(409);
      assertThat(refused.body()).contains("expected version 1, but there is version 2 by alice");
    }
    assertThat(alice("c-3", "promote", ",\"expect\":2").statusCode()).isEqualTo(200);
    assertThat(alice("c-4", "undo", ",\"version\":3,\"expect\":3").statusCode()).isEqualTo(200);
    assertThat(alice.history(10)).hasSize(4);
  }

  /** The status of the answer to these lines. */
  private int raw(String body, String... lines) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout((int) PatientWaits.patience().toMillis());
      socket.connect(console.address());
      List<String> all = new ArrayList<>(List.of("POST /tenrec/fleet HTTP/1.1"));
      all.addAll(List.of(lines));
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      all.add("Content-Length: " + bytes.length);
      socket
          .getOutputStream()
          .write((String.join("\r\n", all) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(bytes);
      String line =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return Integer.parseInt(line.split(" ", 3)[1]);
    }
  }

  @Test
  void change_thatIsNotByAnOperatorFromThePageOrAScript_isRefused() throws Exception {
    String order =
        "{\"action\":\"set\",\"reason\":\"why\",\"id\":\"x\"" + set("fleet", "800") + "}";
    String host = "Host: localhost";
    String type = "Content-Type: application/json";
    String sent = "Tenrec-Console: 1";
    String may = "Authorization: Bearer " + ALICE;
    assertThat(raw(order, host, type, sent)).as("no token").isEqualTo(401);
    assertThat(raw(order, host, type, sent, "Authorization: Bearer " + READER)).isEqualTo(401);
    assertThat(raw(order, host, type, sent, "Authorization: Bearer x" + ALICE)).isEqualTo(401);
    assertThat(raw(order, "Host: rebound.example", type, sent, may)).isEqualTo(403);
    assertThat(raw(order, host, type, may)).as("no header of the page's").isEqualTo(403);
    for (String wrong :
        List.of("text/plain", "application/x-www-form-urlencoded", "application/jsonx")) {
      assertThat(raw(order, host, "Content-Type: " + wrong, sent, may)).as(wrong).isEqualTo(415);
    }
    assertThat(raw(order, host, sent, may)).as("no type").isEqualTo(415);
    for (String site : List.of("cross-site", "same-site", "none")) {
      assertThat(raw(order, host, type, sent, may, "Sec-Fetch-Site: " + site)).isEqualTo(403);
    }
    for (String origin : List.of("http://elsewhere.example", "null", "http://localhost:1")) {
      assertThat(raw(order, host, type, sent, may, "Origin: " + origin)).isEqualTo(403);
    }
    assertThat(raw(" ".repeat(ConsolePage.LONGEST_BODY + 1), host, type, sent, may)).isEqualTo(413);
    assertThat(alice.history(10)).isEmpty();
    assertThat(raw(order, host, type + "; charset=utf-8", sent, may)).isEqualTo(200);
    assertThat(alice.history(10)).hasSize(1);
  }

  @Test
  void page_withoutOperators_changesNothing() throws Exception {
    try (Console reading = Console.builder(tenrec).fleet(viewer).start()) {
      assertThat(look(reading, null).get("you").isNull()).isTrue();
      HttpResponse<String> answer =
          HTTP.send(
              request(reading, null)
                  .header("Content-Type", "application/json")
                  .header("Tenrec-Console", "1")
                  .POST(HttpRequest.BodyPublishers.ofString("{}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(401);
    }
    try (Console plain = Console.start(tenrec, 0)) {
      HttpResponse<String> answer = Watched.get(plain.uri().resolve("fleet"));
      assertThat(answer.statusCode()).as("no fleet").isEqualTo(404);
    }
    ConsolePage page = ConsolePage.builder(tenrec).fleet(viewer).build();
    ConsoleAnswer answer =
        page.answer(
            "POST",
            "fleet",
            null,
            Map.of("Content-Type", "application/json", "Tenrec-Console", "1")::get,
            "alice",
            new byte[0]);
    assertThat(answer.status()).as("a user that is no operator").isEqualTo(403);
    assertThat(page.names()).contains("fleet");
    page.close();
  }

  /** The status and the words of an order that is sent to the desk of alice's. */
  private ConsoleAnswer atTheDesk(String action, String more) {
    ConsolePage page = ConsolePage.builder(tenrec).fleet(viewer, user -> alice).build();
    String order = "{\"action\":\"" + action + "\",\"reason\":\"why\",\"id\":\"x\"" + more + "}";
    ConsoleAnswer answer =
        page.answer(
            "POST",
            "fleet",
            null,
            Map.of("Content-Type", "application/json", "Tenrec-Console", "1")::get,
            "alice",
            order.getBytes(StandardCharsets.UTF_8));
    page.close();
    return answer;
  }

  @Test
  void time_beyondAllBounds_isRefusedInWords() {
    for (long seconds : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_001, 0, -1}) {
      ConsoleAnswer limited = atTheDesk("set", set("fleet", "8") + ",\"forSeconds\":" + seconds);
      assertThat(limited.status()).as("for " + seconds).isEqualTo(422);
      assertThat(words(limited)).contains("forSeconds: expected");
      ConsoleAnswer canary =
          atTheDesk("canary", set("canary", "8") + ",\"share\":5,\"lastsSeconds\":" + seconds);
      assertThat(canary.status()).as("lasts " + seconds).isEqualTo(422);
      assertThat(words(canary)).contains("lastsSeconds: expected");
    }
    assertThat(alice.history(10)).isEmpty();
  }

  private static String words(ConsoleAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void order_thatDoesNotSayWhere_neverGetsIntoACanaryThatIsRunning() {
    alice
        .change("try")
        .set(FleetLayer.CANARY, TIMEOUT, "700")
        .canary(List.of("shop-7"), 0, Duration.ofHours(1))
        .write();
    String nowhere = ",\"set\":{\"" + TIMEOUT + "\":\"800\"}";
    for (String action : List.of("set", "dry-run")) {
      ConsoleAnswer answer = atTheDesk(action, nowhere);
      assertThat(answer.status()).as(action).isEqualTo(422);
      assertThat(words(answer)).contains("layer: expected");
    }
    for (String more : List.of("", ",\"share\":5", ",\"members\":[\"shop-7\"]")) {
      ConsoleAnswer answer = atTheDesk("canary", set("canary", "800") + more);
      assertThat(answer.status()).as(more).isEqualTo(422);
      assertThat(words(answer)).contains("lastsSeconds: expected");
    }
    ConsoleAnswer endless = atTheDesk("dry-run", set("canary", "800") + ",\"share\":5");
    assertThat(endless.status()).isEqualTo(422);
    assertThat(words(endless)).contains("lastsSeconds: expected");
    for (String more :
        List.of(
            ",\"share\":5",
            ",\"members\":[\"shop-7\"]",
            ",\"lastsSeconds\":60",
            ",\"guard\":{\"leastCalls\":100,\"errorPercent\":5}")) {
      ConsoleAnswer answer = atTheDesk("set", set("canary", "800") + more);
      assertThat(answer.status()).as(more).isEqualTo(422);
      assertThat(words(answer)).contains("of a canary only");
    }
    assertThat(alice.history(10)).hasSize(1);
    assertThat(atTheDesk("set", set("canary", "800")).status()).as("that says so").isEqualTo(200);
  }

  /** A session to which some calls are not answered. */
  private static FleetStore failing(FleetStore store, Predicate<Method> fails) {
    return (FleetStore)
        Proxy.newProxyInstance(
            FleetStore.class.getClassLoader(),
            new Class<?>[] {FleetStore.class},
            (proxy, method, arguments) -> {
              if (fails.test(method)) {
                throw new StoreUnavailableException("the store has just gone");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static JsonNode looked(ConsolePage page, String user) throws Exception {
    ConsoleAnswer answer = page.answer("GET", "fleet", null, name -> null, user, new byte[0]);
    assertThat(answer.status()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  void store_thatGoesAwayWhileItIsRead_isAwayAndNothingIsShownByHalves() throws Exception {
    FleetStore half = failing(session, method -> method.getName().equals("names"));
    try (ConsolePage page =
        ConsolePage.builder(tenrec).fleet(FleetOperator.of(half), user -> alice).build()) {
      JsonNode seen = looked(page, "alice");
      assertThat(seen.get("away").asText()).isEqualTo("the store has just gone");
      assertThat(seen.has("manifest")).as("a part of it").isFalse();
      assertThat(seen.has("layers")).isFalse();
    }
  }

  @Test
  void look_thatBeganBeforeAChange_isShownToNobodyWhoLooksAfterIt() throws Exception {
    CountDownLatch settingsRead = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    FleetStore slow =
        failing(
            session,
            method -> {
              if (method.getName().equals("names") && settingsRead.getCount() > 0) {
                settingsRead.countDown();
                return !inTime(changed);
              }
              return false;
            });
    FleetDesk desk = // for which time stands still
        new FleetDesk(FleetOperator.of(slow), user -> alice, false, new ManualTime());
    FutureTask<byte[]> early = new FutureTask<>(() -> desk.look(null));
    Thread reader = new Thread(early, "reader");
    reader.setDaemon(true);
    reader.start();
    try {
      assertThat(inTime(settingsRead)).isTrue();
      String order =
          "{\"action\":\"set\",\"reason\":\"why\",\"id\":\"x\"" + set("fleet", "8") + "}";
      assertThat(desk.act("alice", order.getBytes(StandardCharsets.UTF_8)).status()).isEqualTo(200);
    } finally {
      changed.countDown();
    }
    JsonNode old = JSON.readTree(early.get(PatientWaits.seconds(), TimeUnit.SECONDS));
    assertThat(old.at("/manifest/version").asInt()).as("what there was").isZero();
    JsonNode seen = JSON.readTree(desk.look("alice"));
    assertThat(seen.at("/manifest/version").asInt()).isEqualTo(1);
  }

  private static boolean inTime(CountDownLatch latch) {
    try {
      return latch.await(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void operator_whoseStoreIsAway_isAnsweredAndIsWhoHeWas() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    FleetOperator his = FleetOperator.of(failing(engine.connect("alice"), method -> away.get()));
    try (ConsolePage page = ConsolePage.builder(tenrec).fleet(viewer, user -> his).build()) {
      assertThat(looked(page, "alice").get("you").isNull()).as("nobody knows him yet").isTrue();
      away.set(false);
      assertThat(looked(page, "alice").get("you").asText()).isEqualTo("alice");
      away.set(true);
      assertThat(looked(page, "alice").get("you").asText()).isEqualTo("alice");
    }
  }

  @Test
  void builder_thatCannotBe_isRefusedInWords() {
    assertThatThrownBy(() -> Console.builder(tenrec).operator(ALICE, alice).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("fleet: expected one");
    assertThatThrownBy(
            () -> Console.builder(tenrec).fleet(viewer).token(ALICE).operator(ALICE, alice).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageNotContaining(ALICE);
    assertThatThrownBy(() -> Console.builder(tenrec).operator(ALICE, alice).operator(ALICE, alice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining(ALICE);
    assertThatThrownBy(() -> Console.builder(tenrec).operator("short", alice))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** While it is set, a step of the server's start finds no thread, as where there are no more. */
  private static final class NoThread extends InheritableThreadLocal<String> {

    private final List<String> made = new CopyOnWriteArrayList<>();

    @Override
    protected String childValue(String step) {
      if (StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> is(step, frame)))) {
        throw new OutOfMemoryError("no thread");
      }
      made.add(step);
      return step;
    }

    private static boolean is(String step, StackWalker.StackFrame frame) {
      return frame.getClassName().endsWith(".ServingThreads") && frame.getMethodName().equals(step);
    }
  }

  @Test
  void start_thatFindsNoThread_givesThePortBack() throws Exception {
    int port = FreePorts.take(1).get(0);
    NoThread noThread = new NoThread();
    for (String step : List.of("<init>", "start")) {
      noThread.set(step);
      try {
        assertThatThrownBy(() -> Console.start(tenrec, port))
            .as(step)
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage("no thread");
      } finally {
        noThread.remove();
      }
    }
    assertThat(noThread.made)
        .as("nor has the JDK's server a thread and a socket where ours finds none")
        .doesNotContain("<init>");
    Console.start(tenrec, port).close();
  }

  @Test
  void document_thatDoesNotFit_isNamed_andStopsNoOther() throws Exception {
    FleetLayer zone = FleetLayer.zone("a");
    alice.change("1").set(zone, TIMEOUT, "500").write();
    String older = engine.connect("x").read("config/zone/a").text();
    alice.change("2").set(zone, TIMEOUT, "600").write();
    String misfit =
        "the document zone/a is missing, older or damaged: the manifest names its version 2";
    int version = 2;
    for (String text : Arrays.asList(null, "{not json", older)) {
      engine.tamper("config/zone/a", text);
      HttpResponse<String> other = alice("o-" + version, "set", set("fleet", "70" + version));
      assertThat(other.statusCode()).as(other.body()).isEqualTo(200);
      version++;
      JsonNode seen = look(console, READER);
      assertThat(seen.at("/manifest/version").asInt()).isEqualTo(version);
      assertThat(seen.at("/misfits/0").asText()).isEqualTo(misfit);
      assertThat(seen.at("/members/0/id").asText()).isEqualTo("shop-7");
      HttpResponse<String> refused = alice("r-" + version, "set", set("zone/a", "650"));
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).contains(misfit);
    }
    alice.change("anew").set(zone, TIMEOUT, "650").anew().write();
    await().untilAsserted(() -> assertThat(look(console, READER).get("misfits")).isEmpty());
    assertThat(alice("z-1", "set", set("zone/a", "660")).statusCode()).isEqualTo(200);
    await().until(() -> timeout().equals("660"));
  }

  @Test
  void report_thatIsNone_isAnAlarmOfItsInstance_andHidesNoOther() throws Exception {
    FleetStore stranger = engine.connect("stranger");
    stranger.announce("applied/bad-1", "{");
    stranger.announce("applied/bad-2", "{}");
    stranger.announce("applied/bad-3", "{\"id\":\"shop-7\",\"version\":999}");
    await()
        .untilAsserted(
            () -> {
              JsonNode members = look(console, READER).get("members");
              assertThat(members.findValuesAsText("id"))
                  .containsExactly("bad-1", "bad-2", "bad-3", "shop-7");
              for (int i = 0; i < 3; i++) {
                assertThat(members.get(i).get("alarm").asText())
                    .startsWith("the report of bad-" + (i + 1));
              }
              assertThat(members.get(3).get("version").asInt()).isZero();
            });
    stranger.close();
  }
}
