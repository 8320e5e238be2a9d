// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import java.net.URLDecoder;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The page's files, its stream, one command's story and advice, and a fleet if there is one,
 * whichever server asks. Only reading, but for what a fleet's operators order.
 */
public final class Pages {

  private static final String STREAM = "stream";
  private static final String COMMAND = "command";
  private static final String ADVICE = "advice";
  private static final String FLEET = "fleet";
  private static final String JSON = "application/json";

  /** Of an order. */
  public static final int LONGEST_BODY = 64 * 1024;

  /** A page of another site cannot send it without being asked for, which is refused. */
  static final String WRITES = "Tenrec-Console";

  private static final Pattern ID = Pattern.compile("id=(\\d{1,9})");
  private static final Pattern KEY = Pattern.compile("key=([^&]+)");

  /** Of another instance, by its id; with what the part itself is asked. */
  private static final Pattern INSTANCE =
      Pattern.compile(
          "instance=([A-Za-z0-9._-]{1,100})(?:&(id=\\d{1,9}|key=[A-Za-z0-9%.!~*'()_-]{1,2000}))?");

  private static final Pattern IS_JSON =
      Pattern.compile("application/json(\\s*;.*)?", Pattern.CASE_INSENSITIVE);

  /** Nothing inline, nothing from elsewhere, in no frame. */
  static final Map<String, String> GUARDS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final Assets assets = new Assets();
  private final IntFunction<byte @Nullable []> story;
  private final IntFunction<byte @Nullable []> advice;
  private final Function<String, byte @Nullable []> adviceByKey;
  private final @Nullable Desk desk;
  private final boolean opensInstances;

  /**
   * Answers from these.
   *
   * @param story of the command with this id, as JSON; null if there is none
   * @param advice on the command with this id, as JSON; null if there is none
   * @param adviceByKey on the command with this key, likewise
   * @param desk of a fleet; null if there is none
   * @param opensInstances whether the server hands on what the consoles of its instances say
   */
  public Pages(
      IntFunction<byte @Nullable []> story,
      IntFunction<byte @Nullable []> advice,
      Function<String, byte @Nullable []> adviceByKey,
      @Nullable Desk desk,
      boolean opensInstances) {
    this.story = story;
    this.advice = advice;
    this.adviceByKey = adviceByKey;
    this.desk = desk;
    this.opensInstances = opensInstances;
  }

  /** All there is, by names below the page's own address; the page itself is the empty one. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(assets.byName().keySet());
    names.add(STREAM);
    names.add(COMMAND);
    names.add(ADVICE);
    if (desk != null) {
      names.add(FLEET);
    }
    return names;
  }

  /**
   * Whether the answer to a request for this part may wait, for a fleet's store or for another
   * instance.
   */
  public boolean mayWait(String name) {
    return desk != null && (name.equals(FLEET) || (opensInstances && isOfCommands(name)));
  }

  private static boolean isOfCommands(String name) {
    return name.equals(STREAM) || name.equals(COMMAND) || name.equals(ADVICE);
  }

  /**
   * What this request is answered with.
   *
   * @param name below the page's own address
   * @param header has the first value of a header, or null
   * @param user as whom the server has authenticated the request; null if as nobody
   * @param body of the request; may be cut beyond {@link #LONGEST_BODY} and one byte
   */
  public Reply reply(
      String method,
      String name,
      @Nullable String query,
      Function<String, @Nullable String> header,
      @Nullable String user,
      byte[] body) {
    if (desk != null && name.equals(FLEET) && method.equals("POST")) {
      return ordered(desk, header, user, body);
    }
    if (!method.equals("GET")) {
      return Reply.words(405, "GET only", Map.of("Allow", "GET"));
    }
    if (!name.isEmpty() && isFromElsewhere(header)) {
      return Reply.words(403, "only the page itself reads this");
    }
    if (isOfCommands(name) && query != null && query.startsWith("instance=")) {
      return ofInstance(name, query);
    }
    Assets.Asset asset = assets.byName().get(name);
    if (asset != null) {
      return Reply.of(200, asset.type(), asset.content());
    }
    if (name.equals(STREAM)) {
      return Reply.stream(StreamResponse.CONTENT_TYPE);
    }
    if (desk != null && name.equals(FLEET)) {
      return Reply.of(200, JSON, desk.look(user));
    }
    if (!name.equals(COMMAND) && !name.equals(ADVICE)) {
      return Reply.words(404, "the page has no such part");
    }
    byte[] found = name.equals(COMMAND) ? of(story, query) : advice(query);
    return found == null
        ? Reply.words(404, "there is no such command, or nothing reads the stream")
        : Reply.of(200, JSON, found);
  }

  private Reply ofInstance(String name, String query) {
    Matcher asked = INSTANCE.matcher(query);
    if (!opensInstances || !asked.matches() || name.equals(STREAM) != (asked.group(2) == null)) {
      return Reply.words(404, "no instance is shown here by this address");
    }
    return Reply.ofInstance(
        asked.group(1), name.equals(STREAM) ? name : name + "?" + asked.group(2));
  }

  /** The address of an instance's console; null if it has registered none, or is not there. */
  public @Nullable String console(String instance) {
    return desk == null ? null : desk.console(instance);
  }

  /**
   * Whether an adviser can have said this, as JSON: of another instance, of which nothing is known.
   *
   * @param part what it was asked for, with its query
   */
  public boolean isAdvice(String part, byte[] said) {
    if (desk == null) {
      return true;
    }
    Matcher key = KEY.matcher(part.substring(part.indexOf('?') + 1));
    try {
      return desk.isAdvice(key.matches() ? URLDecoder.decode(key.group(1), UTF_8) : null, said);
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static Reply ordered(
      Desk desk, Function<String, @Nullable String> header, @Nullable String user, byte[] body) {
    String site = header.apply("Sec-Fetch-Site");
    if (isFromElsewhere(header) || (site != null && !site.equals("same-origin"))) {
      return Reply.words(403, "only the page itself, or a script, may change anything");
    }
    String type = header.apply("Content-Type");
    if (type == null || !IS_JSON.matcher(type).matches()) {
      return Reply.words(415, "expected " + JSON);
    }
    if (header.apply(WRITES) == null) {
      return Reply.words(403, "expected the header " + WRITES + ", with any value");
    }
    if (body.length > LONGEST_BODY) {
      return Reply.words(413, "expected at most " + LONGEST_BODY + " bytes");
    }
    if (user == null) {
      return Reply.words(
          401,
          "log in, or show an operator's token, to change anything",
          Map.of("WWW-Authenticate", "Bearer"));
    }
    if (!desk.mayChange(user)) {
      return Reply.words(403, "this user may look, and change nothing");
    }
    Desk.Done done = desk.act(user, body);
    return Reply.of(done.status(), JSON, done.json());
  }

  private static byte @Nullable [] of(IntFunction<byte @Nullable []> byId, @Nullable String query) {
    Matcher id = ID.matcher(query == null ? "" : query);
    return id.matches() ? byId.apply(Integer.parseInt(id.group(1))) : null;
  }

  private byte @Nullable [] advice(@Nullable String query) {
    Matcher key = KEY.matcher(query == null ? "" : query);
    if (!key.matches()) {
      return of(advice, query);
    }
    try {
      return adviceByKey.apply(URLDecoder.decode(key.group(1), UTF_8));
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  /**
   * A page elsewhere cannot read an answer, but it could take the stream's places. Browsers say
   * where a request comes from by the one header, over plain HTTP to other machines by the other.
   */
  private static boolean isFromElsewhere(Function<String, @Nullable String> header) {
    String site = header.apply("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return true;
    }
    String origin = header.apply("Origin");
    String host = header.apply("Host");
    return origin != null
        && (host == null
            || !origin.toLowerCase(Locale.ROOT).endsWith("://" + host.toLowerCase(Locale.ROOT)));
  }
}
