// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

/** Whether a class, or one above it and below a root, declares a method without parameters. */
final class DeclaresMethod extends ClassValue<Boolean> {

  private final Class<?> root;
  private final String method;

  DeclaresMethod(Class<?> root, String method) {
    this.root = root;
    this.method = method;
  }

  @Override
  protected Boolean computeValue(Class<?> type) {
    for (Class<?> at = type; at != null && at != root; at = at.getSuperclass()) {
      try {
        Object unused = at.getDeclaredMethod(method);
        return true;
      } catch (NoSuchMethodException declaredFurtherUp) {
        // look there
      }
    }
    return false;
  }
}
