// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.ref.WeakReference;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/**
 * Invalid input and denied access that advice behind a command throws before the method's body
 * begins. They are the caller's fault: the dependency was not asked.
 *
 * <p>Two interceptors stand around such advice. The one before it, {@link #before}, opens a frame
 * on the thread of the work; the one after it, {@link #atBody}, marks that frame. What is thrown
 * through an unmarked frame came before the body. Reactive advice returns before the body begins,
 * and its Mono or Flux may end without it: then the invocation is marked, and what it ends by is
 * looked at.
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

  /** The {@link DeferredBody} of an invocation. */
  private static final String DEFERRED = AdviceRefusals.class.getName() + ".deferred";

  private static final boolean REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Flux", AdviceRefusals.class.getClassLoader());

  /** The innermost frame of this thread. */
  private static final ThreadLocal<@Nullable Frame> FRAME = new ThreadLocal<>();

  /** What was refused last on this thread. Weak, for the thread may live on without a call. */
  private static final ThreadLocal<@Nullable WeakReference<Throwable>> REFUSED =
      new ThreadLocal<>();

  private AdviceRefusals() {}

  /** Written and read by the thread of the work. */
  private static final class Frame {

    private final @Nullable Frame around;
    private final MethodInvocation invocation;
    private boolean bodyBegan;

    Frame(@Nullable Frame around, MethodInvocation invocation) {
      this.around = around;
      this.invocation = invocation;
    }
  }

  /** Of a body that begins with a subscription, if it does. */
  private static final class DeferredBody {

    /** Written by the thread on which the body begins, read by the one on which it ends. */
    private volatile boolean began;
  }

  /**
   * Whether the work on this thread has just ended by such a refusal. To be asked before all other
   * rules of the command: what one of them accepts first would be left for the command around it.
   */
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
      if (frame != null && frame.invocation == invocation) {
        frame.bodyBegan = true;
      } else if (REACTOR && deferred(invocation) instanceof DeferredBody body) {
        body.began = true;
      } else if (frame != null) { // advice in between goes on with a copy
        frame.bodyBegan = true;
      } else if (invocation instanceof ProxyMethodInvocation proxied) {
        proxied.setUserAttribute(ELSEWHERE, true); // advice in between has changed the thread
      }
      return invocation.proceed();
    };
  }

  private static @Nullable Object watched(MethodInvocation invocation) throws Throwable {
    Frame frame = new Frame(FRAME.get(), invocation);
    FRAME.set(frame);
    try {
      Object answer = invocation.proceed();
      return REACTOR && !frame.bodyBegan && answer != null ? watched(invocation, answer) : answer;
    } catch (Throwable thrown) {
      if (!frame.bodyBegan && !beganElsewhere(invocation)) {
        note(thrown);
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

  /** What advice returned before the body has begun; a subscription may be refused as well. */
  private static Object watched(MethodInvocation invocation, Object answer) {
    if (!(invocation instanceof ProxyMethodInvocation proxied) || beganElsewhere(invocation)) {
      return answer;
    }
    DeferredBody body = new DeferredBody();
    proxied.setUserAttribute(DEFERRED, body);
    return MonoDoor.onError(
        answer,
        thrown -> {
          if (!body.began) {
            note(thrown);
          }
        });
  }

  private static @Nullable Object deferred(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
        ? proxied.getUserAttribute(DEFERRED)
        : null;
  }

  /** To be asked for by {@link #isRefusal} on this thread. */
  private static void note(Throwable thrown) {
    if (isRefusing(thrown)) {
      REFUSED.set(new WeakReference<>(thrown));
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
