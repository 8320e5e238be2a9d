// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.annotations.context.LaterKeys;
import java.util.Map;

/** Code may ask the factories for any id at any time. */
public final class AnyId implements LaterKeys {

  @Override
  public Map<String, String> groups() {
    return Map.of();
  }

  @Override
  public boolean mayBeMore() {
    return true;
  }
}
