// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.view.CommandSnapshot;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** Writes what the page of one command shows. */
public final class Story {

  /** Of a text that somebody else wrote, as a key or a value. */
  static final int LONGEST_TEXT = 2_000;

  private Story() {}

  /** As JSON. */
  public static byte[] of(Tenrec tenrec, CommandDetails command, InstantSource wallClock) {
    CommandSnapshot now = command.snapshot();
    return Json.of(
            json -> {
              json.writeStartObject();
              json.writeNumberField("t", wallClock.millis());
              json.writeStringField("key", Json.cut(now.key(), LONGEST_TEXT));
              json.writeNumberField("keyLength", now.key().length());
              json.writeStringField("state", now.circuitState().name());
              json.writeStringField("explanation", Json.cut(command.explain(), 4 * LONGEST_TEXT));
              counts(json, "rolling", now.counts().rolling());
              counts(json, "total", now.counts().cumulative());
              json.writeNumberField("slow", now.health().slow());
              json.writeNumberField("rejected", now.health().rejected());
              json.writeNumberField("wouldRefuse", now.totals().wouldRefuse());
              json.writeNumberField("abandoned", now.totals().abandoned());
              json.writeNumberField("maxConcurrency", now.rollingMaxConcurrency());
              slots(json, "execution", now.totals().execution());
              slots(json, "caller", now.totals().caller());
              transitions(json, command.transitions());
              json.writeArrayFieldStart("journal");
              for (JournalEntry entry : command.journal()) {
                entry(json, entry);
              }
              json.writeEndArray();
              settings(json, command.settings());
              Suggestion.write(json, tenrec, now);
              json.writeEndObject();
            })
        .getBytes(UTF_8);
  }

  private static void counts(JsonGenerator json, String name, EventCounts counts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (EventType event : EventType.values()) {
      if (counts.get(event) != 0) {
        json.writeNumberField(event.name(), counts.get(event));
      }
    }
    json.writeEndObject();
  }

  /** From, to (both in nanoseconds) and count, one after the other. */
  private static void slots(JsonGenerator json, String name, LatencyTotals latencies)
      throws IOException {
    json.writeFieldName(name);
    StringBuilder all = new StringBuilder("[");
    latencies.forEachSlot(
        (from, to, count) -> {
          all.append(all.length() == 1 ? "" : ",").append(from);
          all.append(',').append(to).append(',').append(count);
        });
    json.writeRawValue(all.append(']').toString());
  }

  private static void transitions(JsonGenerator json, List<Transition> transitions)
      throws IOException {
    json.writeArrayFieldStart("transitions");
    for (Transition transition : transitions) {
      json.writeStartObject();
      json.writeNumberField("at", transition.at().toEpochMilli());
      json.writeStringField("from", transition.from().name());
      json.writeStringField("to", transition.to().name());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void entry(JsonGenerator json, JournalEntry entry) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", entry.number());
    json.writeNumberField("at", entry.at().toEpochMilli());
    json.writeStringField("scope", entry.scope());
    json.writeStringField("key", Json.cut(entry.key(), CommandFigures.LONGEST_NAME));
    json.writeStringField("text", Json.cut(entry.text(), LONGEST_TEXT));
    json.writeEndObject();
  }

  private static void settings(JsonGenerator json, List<EffectiveSetting> settings)
      throws IOException {
    json.writeArrayFieldStart("settings");
    for (EffectiveSetting setting : settings) {
      json.writeStartObject();
      json.writeStringField("property", setting.property());
      String value = setting.value();
      json.writeStringField("value", value == null ? null : Json.cut(value, LONGEST_TEXT));
      json.writeStringField("level", setting.level().name());
      if (setting.origin() != null) {
        json.writeStringField("origin", Json.cut(setting.origin().toString(), LONGEST_TEXT));
      }
      if (setting.refusal() != null) {
        json.writeStringField("refused", Json.cut(setting.refusal().toString(), LONGEST_TEXT));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
