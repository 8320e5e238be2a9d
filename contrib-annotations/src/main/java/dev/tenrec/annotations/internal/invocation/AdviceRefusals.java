// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
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
 * and its Mono or Flux may end without it: then its invocation is noted, and what it ends by is
 * looked at. Of a call that several subscriptions or attempts make, each has a copy for invocation.
 */
public final class AdviceRefusals {

  /** By name, for the libraries may be absent; their subclasses are meant as well. */
  private static final Set<String> TYPES =
      Set.of(
          "jakarta.validation.ConstraintViolationException",
          "org.springframework.validation.method.MethodValidationException",
          "org.springframework.security.access.AccessDeniedException",
          "org.springframework.security.core.AuthenticationException");

  /** The {@link Bodies} of an invocation and its copies. */
  private static final String BODIES = AdviceRefusals.class.getName() + ".bodies";

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

  /** One that begins on a thread without its frame, if it does. */
  private static final class Body {

    /** Written by the thread on which the body begins, read by the one on which it ends. */
    private volatile boolean began;
  }

  /** Those of an invocation and its copies, which share their attributes. Thread-safe. */
  private static final class Bodies {

    /**
     * By the invocation that {@link #before} saw, which has no {@code equals}. Weak, for what a
     * method returned may be subscribed to for ever. Under this object's lock.
     */
    private final Map<MethodInvocation, Body> seen = new WeakHashMap<>(2);

    /** Whether one began of an invocation that was not seen. Under this object's lock. */
    private boolean othersBegan;

    synchronized Body of(MethodInvocation invocation) {
      return seen.computeIfAbsent(invocation, first -> new Body());
    }

    synchronized boolean knows(MethodInvocation invocation) {
      return seen.containsKey(invocation);
    }

    /** Of which of those that were seen advice made an unknown one does not show: of any. */
    synchronized void begin(MethodInvocation invocation) {
      Body body = seen.get(invocation);
      if (body != null) {
        body.began = true;
      } else {
        seen.values().forEach(each -> each.began = true);
        othersBegan = true;
      }
    }

    synchronized boolean began(MethodInvocation invocation) {
      Body body = seen.get(invocation);
      return body == null ? othersBegan : body.began;
    }
  }

  /**
   * To be called before copies of a call are made: from then on any thread may make one, and these
   * only read the attributes, which are not thread-safe.
   */
  static void expectCopies(MethodInvocation invocation) {
    if (invocation instanceof ProxyMethodInvocation proxied) {
      proxied.setUserAttribute(BODIES, new Bodies());
    }
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
      if (frame != null && isOf(frame, invocation)) {
        frame.bodyBegan = true;
      } else if (invocation instanceof ProxyMethodInvocation proxied) {
        bodiesOf(proxied).begin(invocation); // later, or advice in between has changed the thread
      }
      return invocation.proceed();
    };
  }

  private static boolean isOf(Frame frame, MethodInvocation invocation) {
    if (frame.invocation == invocation) {
      return true;
    }
    Bodies bodies = bodies(invocation); // else advice in between goes on with a copy of its own
    return bodies == null || !bodies.knows(invocation) && bodies == bodies(frame.invocation);
  }

  private static @Nullable Object watched(MethodInvocation invocation) throws Throwable {
    Frame frame = new Frame(FRAME.get(), invocation);
    Bodies ofCopies = bodies(invocation);
    if (ofCopies != null) {
      Body unused = ofCopies.of(invocation);
    }
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
    Body body = bodiesOf(proxied).of(invocation);
    return MonoDoor.onError(
        answer,
        thrown -> {
          if (!body.began) {
            note(thrown);
          }
        });
  }

  private static @Nullable Bodies bodies(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
            && proxied.getUserAttribute(BODIES) instanceof Bodies bodies
        ? bodies
        : null;
  }

  /** Made now, if it has none; then it has no copies but those of advice. */
  private static Bodies bodiesOf(ProxyMethodInvocation invocation) {
    Bodies present = bodies(invocation);
    if (present != null) {
      return present;
    }
    Bodies made = new Bodies();
    invocation.setUserAttribute(BODIES, made);
    return made;
  }

  /** To be asked for by {@link #isRefusal} on this thread. */
  private static void note(Throwable thrown) {
    if (isRefusing(thrown)) {
      REFUSED.set(new WeakReference<>(thrown));
    }
  }

  private static boolean beganElsewhere(MethodInvocation invocation) {
    Bodies bodies = bodies(invocation);
    return bodies != null && bodies.began(invocation);
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
