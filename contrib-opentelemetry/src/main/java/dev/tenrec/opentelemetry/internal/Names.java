// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import io.opentelemetry.api.common.AttributeKey;

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
  public static final AttributeKey<String> COLLAPSER =
      AttributeKey.stringKey("tenrec.collapser.name");

  private Names() {}
}
