// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.context.RequestLog;
import java.time.Duration;

/**
 * A request that was closed.
 *
 * @param log what its commands had done by then
 * @param openFor from its opening to its closing
 */
public record FinishedRequest(RequestLog log, Duration openFor) {}
