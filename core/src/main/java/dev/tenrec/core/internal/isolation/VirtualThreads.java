// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** Virtual threads where the JVM has them (Java 21 and later), from byte code for Java 17. */
public final class VirtualThreads {

  private static final int NEEDED = 21;

  // (String name, Runnable work) -> a started Thread; null before Java 21, where the methods may be
  // there as a preview that throws
  private static final @Nullable MethodHandle START =
      Runtime.version().feature() >= NEEDED ? find() : null;

  private VirtualThreads() {}

  /** Whether this JVM has virtual threads. */
  public static boolean supported() {
    return START != null;
  }

  /**
   * Says clearly what is missing.
   *
   * @param what what asks for virtual threads, for the message
   * @throws IllegalStateException if this JVM has no virtual threads
   */
  public static void requireSupported(String what) {
    if (!supported()) {
      throw new IllegalStateException(
          what
              + ": virtual threads need Java "
              + NEEDED
              + ", this is "
              + Runtime.version().feature()
              + "; use threadPool or semaphore");
    }
  }

  /**
   * Starts a virtual thread called {@code tenrec-<name>}. It inherits no thread-locals.
   *
   * @throws IllegalStateException if this JVM has no virtual threads
   */
  public static Thread start(String name, Runnable work) {
    MethodHandle start = START;
    if (start == null) {
      requireSupported(name);
      throw new AssertionError("virtual threads are supported, but cannot be started");
    }
    try {
      return (Thread) start.invokeExact("tenrec-" + name, work);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("could not start a virtual thread for " + name, e);
    }
  }

  private static MethodHandle find() {
    try {
      Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle of = lookup.findStatic(Thread.class, "ofVirtual", methodType(builder));
      MethodHandle inherit =
          lookup.findVirtual(
              builder, "inheritInheritableThreadLocals", methodType(builder, boolean.class));
      MethodHandle name = lookup.findVirtual(builder, "name", methodType(builder, String.class));
      MethodHandle start =
          lookup.findVirtual(builder, "start", methodType(Thread.class, Runnable.class));
      MethodHandle bare =
          MethodHandles.foldArguments(MethodHandles.insertArguments(inherit, 1, false), of);
      MethodHandle named = MethodHandles.foldArguments(name, bare);
      return MethodHandles.collectArguments(start, 0, named);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
