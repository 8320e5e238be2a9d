// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.servlet;

import dev.tenrec.hystrix.stream.internal.feed.Parts;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client of a container, written to when the container can take it: by the feed's thread, or by
 * the container's when there is room again. Neither waits for the client. When the connection
 * breaks, the container's thread waits until the feed's has left the response: a container gives a
 * response that is over to the next request.
 */
public final class AsyncClient implements Seat.Client, WriteListener, AsyncListener {

  /** How many threads want {@link #drain}; the one that raises it from 0 does it. */
  private final AtomicInteger wanting = new AtomicInteger();

  /**
   * Held by the thread that uses what the container gave, and by the one that learns of its end.
   */
  private final ReentrantLock using = new ReentrantLock();

  /** What the container gave, once it has called back the first time. */
  private record Connection(Parts parts, AsyncContext context, ServletOutputStream out) {}

  /**
   * Written by the container's thread, once; read by the draining threads, ordered by the
   * registration of the write listener.
   */
  private @Nullable Connection connection;

  /**
   * Written by the container's and the draining thread, read by the draining thread, ordered by
   * volatile access.
   */
  private volatile boolean writable;

  /** Written by the draining thread, read by the next one, ordered by {@link #wanting}. */
  private boolean unflushed;

  /** Whether the container is to be left alone; guarded by {@link #using}. */
  private boolean completed;

  /** Goes on after the servlet has returned. */
  public void begin(Parts parts, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean begun = false;
    try {
      AsyncContext context = request.startAsync(request, response);
      context.setTimeout(0);
      context.addListener(this);
      ServletOutputStream out = response.getOutputStream();
      connection = new Connection(parts, context, out);
      out.setWriteListener(this);
      begun = true;
    } finally {
      if (!begun) {
        parts.leave();
      }
    }
  }

  @Override
  public void onWritePossible() {
    writable = true;
    drain();
  }

  @Override
  public void onWaiting() {
    drain();
  }

  @Override
  public void onEnd() {
    drain();
  }

  private void drain() {
    if (wanting.getAndIncrement() != 0) {
      return;
    }
    int wanted = 1;
    do {
      Connection present = connection;
      if (present != null) {
        use(present);
      }
      wanted = wanting.addAndGet(-wanted);
    } while (wanted != 0);
  }

  private void use(Connection present) {
    using.lock();
    try {
      if (!completed) {
        write(present);
      }
    } finally {
      using.unlock();
    }
  }

  private void write(Connection to) {
    try {
      while (writable && !to.parts().isEnded()) {
        writable = false; // before asking: the container may call back at once
        if (!to.out().isReady()) {
          return;
        }
        writable = true;
        if (unflushed) {
          unflushed = false;
          to.out().flush();
          continue;
        }
        byte[] part = to.parts().poll();
        if (part == null) {
          break; // for the present, or for ever
        }
        to.out().write(part);
        unflushed = true;
      }
    } catch (IOException | RuntimeException gone) {
      to.parts().leave(); // what a container throws that has taken the response back is its own
    }
    if (to.parts().isEnded()) {
      complete(to);
    }
  }

  private void complete(Connection to) {
    if (completed) {
      return;
    }
    completed = true;
    try {
      to.context().complete();
    } catch (IllegalStateException over) {
      // the container was first
    }
  }

  @Override
  public void onError(Throwable error) {
    gone();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    Connection present = connection;
    if (present != null) {
      present.parts().leave();
      using.lock();
      try {
        completed = true;
      } finally {
        using.unlock();
      }
    }
  }

  @Override
  public void onError(AsyncEvent event) {
    gone();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    gone();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}

  private void gone() {
    Connection present = connection;
    if (present != null) {
      present.parts().leave();
      using.lock();
      try {
        complete(present);
      } finally {
        using.unlock();
      }
    }
  }
}
