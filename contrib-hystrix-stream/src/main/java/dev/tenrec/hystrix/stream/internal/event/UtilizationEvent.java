// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.metrics.view.PoolSnapshot;

/** One event: what every command and every pool has in flight. */
public final class UtilizationEvent {

  private UtilizationEvent() {}

  /** As bytes of the wire. */
  public static byte[] of(Tenrec tenrec) {
    return new EventWriter()
        .event(
            json -> {
              json.writeStartObject();
              json.writeStringField("type", "HystrixUtilization");
              json.writeObjectFieldStart("commands");
              for (CommandDetails command : tenrec.commands()) {
                json.writeObjectFieldStart(CleanName.of(command.key()));
                json.writeNumberField("activeCount", command.concurrency());
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeObjectFieldStart("threadpools");
              for (PoolDetails each : tenrec.pools()) {
                PoolSnapshot pool = each.snapshot();
                json.writeObjectFieldStart(CleanName.of(pool.key()));
                json.writeNumberField("activeCount", pool.active());
                json.writeNumberField("queueSize", pool.queued());
                json.writeNumberField("corePoolSize", pool.coreSize());
                json.writeNumberField("poolSize", pool.threads());
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeEndObject();
            })
        .bytes();
  }
}
