// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.feed.FeedSource;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a container may do to a response once it has said that the connection is over. */
class AsyncClientTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  private final FeedSource source =
      new FeedSource() {
        @Override
        public Runnable begin(Runnable onEnd) {
          return () -> {};
        }

        @Override
        public byte[] read() {
          return "reading".getBytes(UTF_8);
        }
      };
  private final Feed feed =
      new Feed(
          new FeedPlan(
              "feed", 1_000_000, 3, 2, PATIENCE.toNanos(), Ticker.system(), Waiter.system()),
          source);

  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger usedWhenOver = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();

  /** Its first write of a reading hangs until it is released. */
  private final ServletOutputStream out =
      new ServletOutputStream() {
        @Override
        public boolean isReady() {
          use();
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) {
          use();
        }

        @Override
        public void write(byte[] part) throws IOException {
          use();
          writing.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          use();
          throw new IOException("broken pipe");
        }

        @Override
        public void flush() {
          use();
        }
      };

  private void use() {
    if (over.get()) {
      usedWhenOver.incrementAndGet();
    }
  }

  private static <T> T only(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer = answers.get(method.getName());
              if (answer instanceof Runnable run) {
                run.run();
                return null;
              }
              return answer;
            }));
  }

  private AsyncClient begun() throws IOException {
    Runnable complete =
        () -> {
          use();
          completed.incrementAndGet();
        };
    AsyncContext context = only(AsyncContext.class, Map.of("complete", complete));
    AsyncClient client = new AsyncClient();
    Seat seat = feed.take(client);
    client.begin(
        seat,
        only(HttpServletRequest.class, Map.of("startAsync", context)),
        only(HttpServletResponse.class, Map.of("getOutputStream", out)));
    return client;
  }

  @AfterEach
  void close() {
    release.countDown();
    feed.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"onError of the context", "onError of the stream", "onComplete"})
  void connection_thatBreaksWhileAnotherThreadWrites_isLeftAloneOnceTheContainerGoesOn(String call)
      throws Exception {
    Map<String, Consumer<AsyncClient>> calls =
        Map.of(
            "onError of the context", c -> c.onError((AsyncEvent) null),
            "onError of the stream", c -> c.onError(new IOException("reset")),
            "onComplete", c -> c.onComplete(null));
    AsyncClient client = begun();
    Thread first = new Thread(client::onWritePossible, "container, writing");
    first.start();
    writing.await();
    Thread container =
        new Thread(
            () -> {
              calls.get(call).accept(client);
              over.set(true); // the response is another request's from here on
            },
            "container, reporting the end");
    container.start();
    await()
        .atMost(PATIENCE)
        .until(() -> container.getState() == Thread.State.WAITING || !container.isAlive());
    assertThat(over).isFalse();
    release.countDown();
    first.join();
    container.join();
    client.onWaiting();
    client.onEnd();
    client.onWritePossible();
    assertThat(usedWhenOver).hasValue(0);
    assertThat(completed).hasValue(1);
    assertThat(feed.clients()).isZero();
  }

  /** The feed's thread, the container's and any other one may have something to write at once. */
  @Test
  void writes_thatSeveralThreadsWant_neverInterleave() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    List<String> written = new CopyOnWriteArrayList<>();
    ServletOutputStream slow =
        new ServletOutputStream() {
          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public void setWriteListener(WriteListener listener) {}

          @Override
          public void write(int b) {
            throw new AssertionError("part by part");
          }

          @Override
          public void write(byte[] part) throws IOException {
            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
            writing.countDown();
            try {
              if (!release.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("not released");
              }
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            written.add(new String(part, UTF_8));
            inside.decrementAndGet();
          }

          @Override
          public void flush() {
            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
          }
        };
    AsyncContext context = only(AsyncContext.class, Map.of("complete", (Runnable) () -> {}));
    AsyncClient client = new AsyncClient();
    client.begin(
        feed.take(client),
        only(HttpServletRequest.class, Map.of("startAsync", context)),
        only(HttpServletResponse.class, Map.of("getOutputStream", slow)));
    new Thread(client::onWritePossible, "container").start();
    assertThat(writing.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    for (Runnable wish : List.<Runnable>of(client::onWaiting, client::onWritePossible)) {
      Thread another = new Thread(wish, "another");
      another.start();
      another.join(PATIENCE.toMillis());
      assertThat(another.isAlive()).as("leaves it to the one that writes").isFalse();
    }
    assertThat(written).isEmpty();
    assertThat(together).hasValue(1);
    release.countDown();
    await().atMost(PATIENCE).until(() -> written.size() > 10);
    assertThat(together).hasValue(1);
  }

  @Test
  void response_thatThrowsWhatItLikes_endsThisClientOnly() throws Exception {
    HttpServletResponse response =
        only(
            HttpServletResponse.class,
            Map.of(
                "getOutputStream",
                new ServletOutputStream() {
                  @Override
                  public boolean isReady() {
                    throw new UncheckedIOException(new IOException("taken back"));
                  }

                  @Override
                  public void setWriteListener(WriteListener listener) {}

                  @Override
                  public void write(int b) {}
                }));
    Runnable complete = completed::incrementAndGet;
    AsyncContext context = only(AsyncContext.class, Map.of("complete", complete));
    AsyncClient client = new AsyncClient();
    client.begin(
        feed.take(client), only(HttpServletRequest.class, Map.of("startAsync", context)), response);
    client.onWritePossible();
    // the feed's thread may be with the client just then, and be the one that finds out
    await().atMost(PATIENCE).until(() -> completed.get() == 1);
    assertThat(feed.clients()).isZero();
  }
}
