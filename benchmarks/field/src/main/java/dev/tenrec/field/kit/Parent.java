// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

/**
 * The process that started this one. Maven does not pass signals on to what it runs: without this,
 * a program would go on for minutes after Maven has ended.
 */
final class Parent {

  /** Set to true where this program is to end when its parent does, however that ends. */
  static final String END_WITH_IT = "tenrec.field.endsWithParent";

  /** As if the signal had come to this process. */
  private static final int TERMINATED = 128 + 15;

  private Parent() {}

  /** Ends this program with its parent, in the same way as Ctrl-C does, if that is asked for. */
  static void watch() {
    if (Boolean.getBoolean(END_WITH_IT)) {
      ProcessHandle.current()
          .parent()
          .ifPresent(
              parent -> {
                var unused = parent.onExit().thenRunAsync(Parent::end, Parent::start);
              });
    }
  }

  private static void end() {
    System.exit(TERMINATED);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "parent-has-ended");
    thread.setDaemon(true);
    thread.start();
  }
}
