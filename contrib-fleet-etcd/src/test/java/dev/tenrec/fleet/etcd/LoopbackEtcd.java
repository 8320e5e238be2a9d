// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * What a store needs of etcd's gateway, on this machine's loopback: keys with revisions, the two
 * kinds of condition, leases, watches with a history that can be compacted, and tokens. {@code
 * RealEtcdTest} holds the same against etcd itself. It can be broken in ways that etcd only breaks
 * by chance.
 */
final class LoopbackEtcd implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A connection that is closed without an answer. */
  private static final int HANG_UP = -1;

  private final HttpServer server;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

  /** All below are read and written under this object's monitor. */
  private final TreeMap<String, Pair> pairs = new TreeMap<>();

  private final List<Event> events = new ArrayList<>();
  private final Map<Long, Long> leases = new HashMap<>();
  private final Map<String, String> passwords = new HashMap<>();
  private final Set<String> tokens = new HashSet<>();
  private long revision = 1;
  private long compacted;
  private long lastLease = 100;
  private boolean away;
  private boolean leaderless;
  private boolean silent;
  private boolean hangsUpAfterWrites;

  private record Pair(
      String key, String value, long created, long modified, long version, long lease) {}

  /** A pair without a value was deleted. */
  private record Event(long revision, Pair pair) {}

  private record Watcher(String from, String to, BlockingQueue<Optional<String>> lines) {

    boolean has(String key) {
      return key.compareTo(from) >= 0 && key.compareTo(to) < 0;
    }
  }

  /** As etcd refuses: an HTTP status, with gRPC's code and words. */
  private static final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;
    private final int status;
    private final int code;

    Refusal(int status, int code, String message) {
      super(message);
      this.status = status;
      this.code = code;
    }
  }

  LoopbackEtcd() throws IOException {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), "http");
  }

  /** With TLS, by the certificate of this context. */
  static LoopbackEtcd secured(SSLContext context) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new LoopbackEtcd(server, "https");
  }

  private LoopbackEtcd(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(threads);
    server.createContext("/v3/", this::handle);
    server.start();
  }

  String member() {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized void addUser(String user, String password) {
    passwords.put(user, password);
  }

  int asked(String path) {
    return asked.computeIfAbsent(path, unused -> new AtomicInteger()).get();
  }

  /** From now on nothing is answered, and no watch goes on; or all is again. */
  void setAway(boolean isAway) {
    synchronized (this) {
      away = isAway;
    }
    dropWatches();
  }

  /** This member has lost the others: it ends watches that are opened, and goes on living. */
  synchronized void loseLeader() {
    leaderless = true;
  }

  void dropWatches() {
    watchers.forEach(watcher -> watcher.lines.add(Optional.empty()));
  }

  /** Watches that are open stay so, and hear nothing any more: their connections are dead. */
  void silenceWatches() {
    watchers.clear();
  }

  /** No request is answered; the connections stay. */
  synchronized void setSilent(boolean isSilent) {
    silent = isSilent;
    notifyAll();
  }

  /** Transactions are carried out, and their connections lost before the answer. */
  synchronized void setHangsUpAfterWrites(boolean hangsUp) {
    hangsUpAfterWrites = hangsUp;
  }

  synchronized void forgetTokens() {
    tokens.clear();
  }

  synchronized void compact() {
    compacted = revision;
    events.removeIf(event -> event.revision < compacted);
  }

  void expireLeases() {
    synchronized (this) {
      for (Long lease : List.copyOf(leases.keySet())) {
        endLease(lease);
      }
    }
  }

  /** As a store that was lost and set up anew. */
  void beginAnew() {
    synchronized (this) {
      pairs.clear();
      events.clear();
      leases.clear();
      revision = 1;
    }
    dropWatches();
  }

  /** As a person with etcd's own tool. */
  synchronized void put(String key, String value) {
    revision++;
    put(key, value, 0);
  }

  private void put(String key, String value, long lease) {
    Pair before = pairs.get(key);
    Pair pair =
        new Pair(
            key,
            value,
            before == null ? revision : before.created,
            revision,
            before == null ? 1 : before.version + 1,
            lease);
    pairs.put(key, pair);
    happened(pair);
  }

  private void delete(String key) {
    if (pairs.remove(key) != null) {
      happened(new Pair(key, null, 0, revision, 0, 0));
    }
  }

  private void happened(Pair pair) {
    Event event = new Event(revision, pair);
    events.add(event);
    for (Watcher watcher : watchers) {
      if (watcher.has(pair.key)) {
        watcher.lines.add(Optional.of(line(event)));
      }
    }
  }

  private void endLease(long lease) {
    leases.remove(lease);
    List<String> gone =
        pairs.values().stream().filter(pair -> pair.lease == lease).map(Pair::key).toList();
    if (!gone.isEmpty()) {
      revision++;
      gone.forEach(this::delete);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring("/v3/".length());
      asked.computeIfAbsent(path, unused -> new AtomicInteger()).incrementAndGet();
      JsonNode message = JSON.readTree(exchange.getRequestBody());
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      int status;
      ObjectNode answer;
      try {
        awaitVoice();
        if (path.equals("watch")) {
          watch(exchange, message.path("create_request"), token);
          return;
        }
        synchronized (this) {
          answer = answer(path, message, token);
          status = path.equals("kv/txn") && hangsUpAfterWrites ? HANG_UP : 200;
        }
      } catch (Refusal refusal) {
        status = refusal.status;
        answer =
            JSON.createObjectNode()
                .put("error", refusal.getMessage())
                .put("message", refusal.getMessage())
                .put("code", refusal.code);
      }
      if (status == HANG_UP) {
        return;
      }
      byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitVoice() throws InterruptedException {
    while (silent) {
      wait();
    }
  }

  private ObjectNode answer(String path, JsonNode message, String token) throws Refusal {
    if (away) {
      throw new Refusal(503, 14, "etcdserver: request timed out");
    }
    ObjectNode answer = JSON.createObjectNode();
    switch (path) {
      case "auth/authenticate" -> answer.put("token", authenticate(message));
      case "kv/range" -> range(message, token, answer);
      case "kv/txn" -> transact(message, token, answer);
      case "lease/grant" -> {
        leases.put(++lastLease, message.path("TTL").asLong());
        answer.put("ID", String.valueOf(lastLease)).put("TTL", message.path("TTL").asText());
      }
      case "lease/keepalive" -> {
        Long ttl = leases.get(message.path("ID").asLong());
        ObjectNode result = answer.putObject("result").put("ID", message.path("ID").asText());
        if (ttl != null) {
          result.put("TTL", ttl.toString());
        }
      }
      case "lease/revoke" -> {
        if (!leases.containsKey(message.path("ID").asLong())) {
          throw new Refusal(404, 5, "etcdserver: requested lease not found");
        }
        endLease(message.path("ID").asLong());
      }
      default -> throw new Refusal(404, 5, "Not Found");
    }
    answer.putObject("header").put("revision", String.valueOf(revision));
    return answer;
  }

  private String authenticate(JsonNode message) throws Refusal {
    if (passwords.isEmpty()) {
      throw new Refusal(412, 9, "etcdserver: authentication is not enabled");
    }
    if (!message.path("password").asText().equals(passwords.get(message.path("name").asText()))) {
      throw new Refusal(400, 3, "etcdserver: authentication failed, invalid user ID or password");
    }
    String token = UUID.randomUUID().toString();
    tokens.add(token);
    return token;
  }

  private void check(String token) throws Refusal {
    if (passwords.isEmpty()) {
      return;
    }
    if (token == null) {
      throw new Refusal(400, 3, "etcdserver: user name is empty");
    }
    if (!tokens.contains(token)) {
      throw new Refusal(401, 16, "etcdserver: invalid auth token");
    }
  }

  private void range(JsonNode message, String token, ObjectNode answer) throws Refusal {
    check(token);
    String from = EtcdKeys.decode(message.path("key"));
    boolean one = !message.has("range_end");
    String to = one ? from + "\0" : EtcdKeys.decode(message.path("range_end"));
    List<Pair> found = new ArrayList<>(pairs.subMap(from, to).values());
    if (message.path("sort_target").asText().equals("MOD")) {
      found.sort((a, b) -> Long.compare(b.modified, a.modified));
    }
    var kvs = answer.putArray("kvs");
    for (Pair pair : found) {
      if (!message.has("limit") || kvs.size() < message.path("limit").asInt()) {
        kvs.add(json(pair, message.path("keys_only").asBoolean()));
      }
    }
  }

  private void transact(JsonNode message, String token, ObjectNode answer) throws Refusal {
    check(token);
    for (JsonNode compare : message.path("compare")) {
      Pair pair =
          pairs.getOrDefault(EtcdKeys.decode(compare.path("key")), new Pair("", "", 0, 0, 0, 0));
      long is =
          switch (compare.path("target").asText()) {
            case "MOD" -> pair.modified - compare.path("mod_revision").asLong();
            case "CREATE" -> pair.created - compare.path("create_revision").asLong();
            case "LEASE" -> pair.lease - compare.path("lease").asLong();
            default -> throw new Refusal(400, 3, "unknown target");
          };
      if (is != 0) {
        return;
      }
    }
    Set<String> named = new HashSet<>();
    for (JsonNode operation : message.path("success")) {
      JsonNode put = operation.path("request_put");
      long lease = put.path("lease").asLong();
      if (lease != 0 && !leases.containsKey(lease)) {
        throw new Refusal(404, 5, "etcdserver: requested lease not found");
      }
      if (!named.add(operation.iterator().next().path("key").asText())) {
        throw new Refusal(400, 3, "etcdserver: duplicate key given in txn request");
      }
    }
    revision++;
    for (JsonNode operation : message.path("success")) {
      if (operation.has("request_put")) {
        JsonNode put = operation.path("request_put");
        put(
            EtcdKeys.decode(put.path("key")),
            EtcdKeys.decode(put.path("value")),
            put.path("lease").asLong());
      } else {
        delete(EtcdKeys.decode(operation.path("request_delete_range").path("key")));
      }
    }
    answer.put("succeeded", true);
  }

  private static ObjectNode json(Pair pair, boolean keyOnly) {
    ObjectNode node = JSON.createObjectNode();
    node.put("key", EtcdKeys.encode(pair.key)).put("mod_revision", String.valueOf(pair.modified));
    if (!keyOnly && pair.value != null) {
      node.put("value", EtcdKeys.encode(pair.value));
    }
    return node;
  }

  private static String line(Event event) {
    ObjectNode result = JSON.createObjectNode();
    result.putObject("header").put("revision", String.valueOf(event.revision));
    ObjectNode json = result.putArray("events").addObject();
    if (event.pair.value == null) {
      json.put("type", "DELETE");
    }
    json.set("kv", json(event.pair, false));
    return wrapped(result);
  }

  private static String wrapped(ObjectNode result) {
    ObjectNode line = JSON.createObjectNode();
    line.set("result", result);
    return line + "\n";
  }

  private void watch(HttpExchange exchange, JsonNode create, String token)
      throws Refusal, IOException, InterruptedException {
    Watcher watcher =
        new Watcher(
            EtcdKeys.decode(create.path("key")),
            EtcdKeys.decode(create.path("range_end")),
            new LinkedBlockingQueue<>());
    ObjectNode created = JSON.createObjectNode().put("created", true);
    synchronized (this) {
      if (away) {
        throw new Refusal(503, 14, "etcdserver: no leader");
      }
      created.putObject("header").put("revision", String.valueOf(revision));
      watcher.lines.add(Optional.of(wrapped(created)));
      long start = create.path("start_revision").asLong();
      try {
        check(token);
        if (leaderless) {
          ObjectNode line = JSON.createObjectNode();
          line.putObject("error").put("grpc_code", 14).put("message", "etcdserver: no leader");
          watcher.lines.add(Optional.of(line + "\n"));
          watcher.lines.add(Optional.empty());
        } else if (start > 0 && start < compacted) {
          watcher.lines.add(
              Optional.of(
                  wrapped(
                      JSON.createObjectNode()
                          .put("canceled", true)
                          .put("compact_revision", String.valueOf(compacted)))));
        } else {
          events.stream()
              .filter(event -> start > 0 && event.revision >= start)
              .filter(event -> watcher.has(event.pair.key))
              .forEach(event -> watcher.lines.add(Optional.of(line(event))));
          watchers.add(watcher);
        }
      } catch (Refusal refusal) {
        watcher.lines.clear();
        created
            .put("canceled", true)
            .put(
                "cancel_reason",
                "rpc error: code = Unauthenticated desc = " + refusal.getMessage());
        watcher.lines.add(Optional.of(wrapped(created)));
      }
    }
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody()) {
      Optional<String> line = watcher.lines.take();
      while (line.isPresent()) {
        body.write(line.get().getBytes(StandardCharsets.UTF_8));
        body.flush();
        line = watcher.lines.take();
      }
    } finally {
      watchers.remove(watcher);
    }
  }

  @Override
  public void close() {
    setSilent(false);
    dropWatches();
    server.stop(0);
    threads.shutdownNow();
  }
}
