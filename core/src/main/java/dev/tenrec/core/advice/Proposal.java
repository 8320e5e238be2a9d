// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import java.util.List;

/**
 * A setting that should be another.
 *
 * @param scope {@code command} or {@code threadpool}
 * @param key of the command or pool
 * @param property its name, as {@code maxQueueSize}
 * @param present the value in force, as text
 * @param proposed the value that it should have, as text
 * @param reason why, with the figures it comes from
 */
public record Proposal(
    String scope, String key, String property, String present, String proposed, String reason) {

  private static final List<Property<?>> PROPOSED =
      List.of(
          CommandProperties.TIMEOUT_ENABLED,
          CommandProperties.TIMEOUT,
          CommandProperties.SEMAPHORE_MAX_CONCURRENT,
          CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT,
          CommandProperties.FALLBACK_MAX_CONCURRENT,
          CommandProperties.REQUEST_VOLUME_THRESHOLD,
          PoolProperties.CORE_SIZE,
          PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE,
          PoolProperties.MAXIMUM_SIZE,
          PoolProperties.MAX_QUEUE_SIZE,
          PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD);

  /**
   * Whether an adviser can have said this of a command: it proposes this property, of this command
   * or of a pool, and the property's rule takes the value. For what another process claims that its
   * adviser has said.
   *
   * @param command the key of the command that it was asked about
   */
  public boolean isOf(String command) {
    return PROPOSED.stream()
        .anyMatch(
            each ->
                each.scope().equals(scope)
                    && each.name().equals(property)
                    && (!scope.equals(CommandProperties.TIMEOUT.scope()) || key.equals(command))
                    && takes(each, proposed));
  }

  private static boolean takes(Property<?> property, String value) {
    try {
      Object unused = property.read(property.name(), value);
      return true;
    } catch (InvalidSettingException bad) {
      return false;
    }
  }

  /** The property's whole name under a prefix: {@code tenrec.threadpool.Quotes.coreSize}. */
  public String name(String prefix) {
    return prefix + "." + scope + "." + key + "." + property;
  }

  @Override
  public String toString() {
    return property + ": " + present + " -> " + proposed + " (" + reason + ")";
  }
}
