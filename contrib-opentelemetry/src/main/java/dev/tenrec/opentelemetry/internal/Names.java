// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.api.common.AttributeKey;
import java.util.UUID;

/** The attributes there are. */
public final class Names {

  /** Of the instrumentation, as a scope of OpenTelemetry's. */
  public static final String SCOPE = "dev.tenrec";

  public static final AttributeKey<String> COMMAND = AttributeKey.stringKey("tenrec.command.name");
  public static final AttributeKey<String> GROUP = AttributeKey.stringKey("tenrec.command.group");
  public static final AttributeKey<String> EVENT = AttributeKey.stringKey("tenrec.event");
  public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("tenrec.outcome");
  public static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  public static final AttributeKey<String> STATE = AttributeKey.stringKey("tenrec.state");
  public static final AttributeKey<String> TO = AttributeKey.stringKey("tenrec.to");
  public static final AttributeKey<String> REASON = AttributeKey.stringKey("tenrec.reason");
  public static final AttributeKey<String> KIND = AttributeKey.stringKey("tenrec.kind");
  public static final AttributeKey<String> POOL = AttributeKey.stringKey("tenrec.pool.name");
  public static final AttributeKey<String> SEMAPHORE =
      AttributeKey.stringKey("tenrec.semaphore.name");
  public static final AttributeKey<String> RATE_LIMITER =
      AttributeKey.stringKey("tenrec.ratelimiter.name");
  public static final AttributeKey<String> RETRY_BUDGET =
      AttributeKey.stringKey("tenrec.retrybudget.name");
  public static final AttributeKey<String> COLLAPSER =
      AttributeKey.stringKey("tenrec.collapser.name");

  /** Longer keys are cut: each point repeats them, and collectors turn away what is too large. */
  private static final int LONGEST = 500;

  private Names() {}

  /** The key itself if it is not too long; else its beginning, and a hash that keeps it its own. */
  public static String value(String key) {
    if (key.length() <= LONGEST) {
      return key;
    }
    int end = Character.isHighSurrogate(key.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return key.substring(0, end) + "~" + UUID.nameUUIDFromBytes(key.getBytes(UTF_8));
  }
}
