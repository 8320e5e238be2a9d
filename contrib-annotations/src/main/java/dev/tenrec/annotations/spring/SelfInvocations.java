// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

/** Placeholder until the scan below. */
final class SelfInvocations {

  private SelfInvocations() {}

  static void warn(Class<?> type) {}
}
