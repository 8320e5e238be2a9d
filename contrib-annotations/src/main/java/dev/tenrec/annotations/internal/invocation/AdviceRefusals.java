// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.ref.WeakReference;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Invalid input and denied access that advice behind a command throws before the method's body
 * begins. They are the caller's fault: the dependency was not asked.
 *
 * <p>Two interceptors stand around such advice. The one before it, {@link #before}, opens a frame
 * on the thread of the work; the one after it, {@link #atBody}, marks that frame. What is thrown
 * through an unmarked frame came before the body.
 */
public final class AdviceRefusals {

  /** By name, for the libraries may be absent; their subclasses are meant as well. */
  private static final Set<String> TYPES =
      Set.of(
          "jakarta.validation.ConstraintViolationException",
          "org.springframework.validation.method.MethodValidationException",
          "org.springframework.security.access.AccessDeniedException",
          "org.springframework.security.core.AuthenticationException");

  /** Marks an invocation whose body begins on a thread without a frame. */
  private static final String ELSEWHERE = AdviceRefusals.class.getName() + ".elsewhere";

  /** The innermost frame of this thread. */
  private static final ThreadLocal<@Nullable Frame> FRAME = new ThreadLocal<>();

  /** What was refused last on this thread. Weak, for the thread may live on without a call. */
  private static final ThreadLocal<@Nullable WeakReference<Throwable>> REFUSED =
      new ThreadLocal<>();

  private AdviceRefusals() {}

  /** Written and read by the thread of the work. */
  private static final class Frame {

    private final @Nullable Frame around;
    private boolean bodyBegan;

    Frame(@Nullable Frame around) {
      this.around = around;
    }
  }

  /** Whether the work on this thread has just ended by such a refusal. */
  static boolean isRefusal(Throwable thrown) {
    WeakReference<Throwable> refused = REFUSED.get();
    if (refused == null || refused.get() != thrown) {
      return false;
    }
    REFUSED.remove();
    return true;
  }

  /** Stands between a command and the advice behind it. */
  public static MethodInterceptor before() {
    return AdviceRefusals::watched;
  }

  /** Stands behind all advice, right before the method. */
  public static MethodInterceptor atBody() {
    return invocation -> {
      Frame frame = FRAME.get();
      if (frame != null) {
        frame.bodyBegan = true;
      } else if (invocation instanceof ProxyMethodInvocation proxied) {
        proxied.setUserAttribute(ELSEWHERE, true); // advice in between has changed the thread
      }
      return invocation.proceed();
    };
  }

  private static @Nullable Object watched(MethodInvocation invocation) throws Throwable {
    Frame frame = new Frame(FRAME.get());
    FRAME.set(frame);
    try {
      return invocation.proceed();
    } catch (Throwable thrown) {
      if (!frame.bodyBegan && !beganElsewhere(invocation) && isRefusing(thrown)) {
        REFUSED.set(new WeakReference<>(thrown));
      }
      throw thrown;
    } finally {
      if (frame.around == null) {
        FRAME.remove();
      } else {
        FRAME.set(frame.around);
      }
    }
  }

  private static boolean beganElsewhere(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
        && proxied.getUserAttribute(ELSEWHERE) != null;
  }

  private static boolean isRefusing(Throwable thrown) {
    for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
      if (TYPES.contains(type.getName())) {
        return true;
      }
    }
    return false;
  }
}
