// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.advice.Advice;
import dev.tenrec.core.advice.Adviser;
import dev.tenrec.core.advice.Proposal;
import dev.tenrec.core.advice.Risk;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Adviser} says of commands that somebody has asked about. A command is watched from
 * the first time that it is asked about; the last few of them are. One answer is reckoned at a
 * time, and of one command once in some seconds, because it takes a processor for a moment.
 */
public final class Counsels {

  private static final int MOST = 50;
  private static final long FRESH_NANOS = 4_000_000_000L;

  private final Tenrec tenrec;
  private final Ticker ticker;

  /** The one asked about last comes last. Guarded by this. */
  private final Map<CommandDetails, Watch> watches = new LinkedHashMap<>(16, 0.75f, true);

  /** Of one command; read and written under the monitor of all. */
  private static final class Watch {

    private final Adviser adviser;
    private final long begunNanos;
    private byte @Nullable [] said;
    private long saidNanos;

    Watch(Adviser adviser, long begunNanos) {
      this.adviser = adviser;
      this.begunNanos = begunNanos;
    }
  }

  /** Of this Tenrec's commands. */
  public Counsels(Tenrec tenrec, Ticker ticker) {
    this.tenrec = tenrec;
    this.ticker = ticker;
  }

  /** As JSON, what is said of the command with this key; null if there is none. Any thread. */
  public byte @Nullable [] of(String key) {
    for (CommandDetails command : tenrec.commands()) {
      if (command.key().equals(key)) {
        return of(command);
      }
    }
    return null;
  }

  /** As JSON, what is said of this command. Any thread. */
  public synchronized byte[] of(CommandDetails command) {
    Watch watch = watches.get(command);
    if (watch == null) {
      watch = new Watch(Adviser.watch(command, tenrec::pools, ticker), ticker.nanoTime());
      watches.put(command, watch);
      if (watches.size() > MOST) {
        watches.remove(watches.keySet().iterator().next());
      }
    }
    byte[] said = watch.said;
    if (said == null || ticker.nanoTime() - watch.saidNanos >= FRESH_NANOS) {
      said = said(watch);
      watch.said = said;
      watch.saidNanos = ticker.nanoTime();
    }
    return said;
  }

  private byte[] said(Watch watch) {
    Advice advice = watch.adviser.advise();
    long millis = (ticker.nanoTime() - watch.begunNanos) / 1_000_000;
    return Json.of(
            json -> {
              json.writeStartObject();
              json.writeStringField("key", advice.key());
              json.writeNumberField("watchedMillis", millis);
              json.writeArrayFieldStart("proposals");
              for (Proposal proposal : advice.proposals()) {
                json.writeStartObject();
                json.writeStringField("scope", proposal.scope());
                json.writeStringField("key", proposal.key());
                json.writeStringField("property", proposal.property());
                json.writeStringField("present", proposal.present());
                json.writeStringField("proposed", proposal.proposed());
                json.writeStringField("reason", proposal.reason());
                json.writeEndObject();
              }
              json.writeEndArray();
              risk(json, "present", advice.present());
              risk(json, "proposed", advice.proposed());
              words(json, "withheld", advice.withheld());
              words(json, "warnings", advice.warnings());
              json.writeEndObject();
            })
        .getBytes(UTF_8);
  }

  private static void risk(JsonGenerator json, String name, @Nullable Risk risk)
      throws IOException {
    if (risk != null) {
      json.writeStringField(name, risk.toString());
    }
  }

  private static void words(JsonGenerator json, String name, List<String> words)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String each : words) {
      json.writeString(each);
    }
    json.writeEndArray();
  }
}
