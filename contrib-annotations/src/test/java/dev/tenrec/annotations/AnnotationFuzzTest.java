// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Classes with commands that are made up, each from a seed of its own, which a failure names:
 * {@code -Dtenrec.seed=<it>} plays that one first.
 */
class AnnotationFuzzTest {

  private static final long SEED = Long.getLong("tenrec.seed", 20_261_123L);

  /** The same each time: as a key, an array is equal to itself alone. */
  private static final byte[] BYTES = new byte[3];

  private static final int IN_EACH_BUILD = 100;
  private static final int LONG = 2_000;

  /** Held, or the level is forgotten with it: each refusal is a warning of its own. */
  private static final Logger CONTEXTS =
      (Logger) LoggerFactory.getLogger("org.springframework.context");

  @TempDir Path directory;

  @BeforeEach
  void silence() {
    CONTEXTS.setLevel(Level.OFF);
  }

  @AfterEach
  void speak() {
    CONTEXTS.setLevel(null);
  }

  /** Makes a class up. */
  private interface Maker<M extends MadeUp> {
    M made(long seed, int number);
  }

  /** Looks at what one does that is accepted. */
  private interface Look<M extends MadeUp> {
    void at(M made, Class<?> type, Object bean, Tenrec tenrec) throws Exception;
  }

  @Test
  void anyDeclaration_isACommandThatWorks_orIsRefusedInWords() throws Exception {
    assertSome(play(SEED, MadeUpClass::new, AnnotationFuzzTest::lookAtCommand));
  }

  @Test
  void anyDeclarationOfBatches_works_orIsRefusedInWords() throws Exception {
    assertSome(play(SEED, MadeUpBatch::new, AnnotationFuzzTest::lookAtBatch));
  }

  /** Or those that are accepted would not have been looked at, or those that are refused. */
  private static void assertSome(int accepted) {
    assertThat(accepted).isBetween(IN_EACH_BUILD / 10, IN_EACH_BUILD * 9 / 10);
  }

  @Test
  @Tag("long")
  void anyDeclaration_ofVeryMany_isACommandThatWorks_orIsRefusedInWords() throws Exception {
    for (int played = 0; played < LONG; played += IN_EACH_BUILD) {
      int accepted = play(SEED + played, MadeUpClass::new, AnnotationFuzzTest::lookAtCommand);
      assertThat(accepted).isPositive();
    }
  }

  @Test
  @Tag("long")
  void anyDeclarationOfBatches_ofVeryMany_works_orIsRefusedInWords() throws Exception {
    for (int played = 0; played < LONG; played += IN_EACH_BUILD) {
      int accepted = play(SEED + played, MadeUpBatch::new, AnnotationFuzzTest::lookAtBatch);
      assertThat(accepted).isPositive();
    }
  }

  /** Plays those of a build; returns how many of them are accepted. */
  private <M extends MadeUp> int play(long seed, Maker<M> maker, Look<M> look) throws Exception {
    List<M> all = new ArrayList<>();
    for (int i = 0; i < IN_EACH_BUILD; i++) {
      all.add(maker.made(seed + i, i));
    }
    List<String> sources = all.stream().map(MadeUp::source).toList();
    Path classes = compiled(all, sources, directory.resolve("seed" + seed));
    int accepted = 0;
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, AnnotationFuzzTest.class.getClassLoader())) {
      for (int i = 0; i < all.size(); i++) {
        try {
          accepted += works(all.get(i), loader.loadClass(all.get(i).name()), look) ? 1 : 0;
        } catch (Throwable failed) {
          throw new AssertionError(
              "with -Dtenrec.seed=" + (seed + i) + ": " + failed + "\n" + sources.get(i), failed);
        }
      }
    }
    return accepted;
  }

  private static Path compiled(List<? extends MadeUp> all, List<String> sources, Path directory)
      throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler).as("a JDK's compiler").isNotNull();
    assertThat(directory.toFile().mkdirs()).isTrue();
    List<SimpleJavaFileObject> files = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String source = sources.get(i);
      files.add(
          new SimpleJavaFileObject(
              URI.create("string:///" + all.get(i).name().replace('.', '/') + ".java"),
              SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignored) {
              return source;
            }
          });
    }
    List<String> options =
        List.of(
            "-proc:none",
            "-parameters",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            directory.toString());
    assertThat(compiler.getTask(null, null, null, options, null, files).call()).isTrue();
    return directory;
  }

  /** Whether it is accepted, after a look at what it does then; if not, it says why. */
  private static <M extends MadeUp> boolean works(M made, Class<?> type, Look<M> look)
      throws Exception {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.setClassLoader(type.getClassLoader()); // where proxies belong
      context.register(Contexts.plain(), type);
      context.refresh();
      look.at(made, type, context.getBean(type), context.getBean(Tenrec.class));
      return true;
    } catch (CommandDeclarationException refused) {
      assertThat(refused.mistakes()).isNotEmpty();
      for (Mistake mistake : refused.mistakes()) {
        assertThat(mistake.where()).contains(made.name());
        assertThat(mistake.found()).isNotBlank();
        assertThat(mistake.expected()).isNotBlank();
        assertThat(refused).hasMessageContaining(mistake.found());
      }
      return false;
    }
  }

  private static void lookAtCommand(MadeUpClass made, Class<?> type, Object bean, Tenrec tenrec)
      throws Exception {
    Method command = method(type, MadeUpClass.COMMAND);
    answersAndKeeps(made, command, bean, tenrec);
    assertThat(tenrec.retryBudgets()).hasSize(made.sharesBudget() ? 1 : 0);
    System.setProperty(MadeUp.FAILS, "true");
    try (RequestContext request = tenrec.openRequest()) {
      if (made.hasFallback()) {
        Object unused = answered(bean, command);
        awaitCounted(tenrec, EventType.FALLBACK_SUCCESS, 1);
      } else {
        failsAsItself(bean, command);
      }
    } finally {
      System.clearProperty(MadeUp.FAILS);
    }
    await().until(() -> counted(tenrec, EventType.FAILURE) > 0);
  }

  private static void lookAtBatch(MadeUpBatch made, Class<?> type, Object bean, Tenrec tenrec)
      throws Exception {
    Method single = method(type, MadeUpBatch.SINGLE);
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(String.valueOf(answered(bean, single))).isIn("answer", "[answer]");
    }
    System.setProperty(MadeUp.FAILS, "true");
    try (RequestContext request = tenrec.openRequest()) {
      if (made.hasFallback()) {
        assertThat(String.valueOf(answered(bean, single))).isIn("instead", "[instead]");
      } else {
        assertThatThrownBy(() -> answered(bean, single)).hasStackTraceContaining(MadeUp.FAILURE);
      }
    } finally {
      System.clearProperty(MadeUp.FAILS);
    }
  }

  private static Method method(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void answersAndKeeps(MadeUpClass made, Method command, Object bean, Tenrec tenrec)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(answered(bean, command)).isEqualTo(made.answer());
      awaitCounted(tenrec, EventType.SUCCESS, 1);
      assertThat(answered(bean, command)).isEqualTo(made.answer());
      int runs = made.sharesRuns() ? 1 : 2;
      awaitCounted(tenrec, EventType.SUCCESS, runs);
      awaitCounted(tenrec, EventType.RESPONSE_FROM_CACHE, 2 - runs);
      if (made.removes()) {
        Method removal = method(command.getDeclaringClass(), MadeUpClass.REMOVAL);
        Object unused = removal.invoke(bean, arguments(removal));
        assertThat(answered(bean, command)).isEqualTo(made.answer());
        awaitCounted(tenrec, EventType.SUCCESS, runs + 1);
      }
    }
  }

  /** Waits: a caller may go on without a thread that is held up before it counts. */
  private static void awaitCounted(Tenrec tenrec, EventType event, long times) {
    await()
        .untilAsserted(() -> assertThat(counted(tenrec, event)).as("%s", event).isEqualTo(times));
  }

  private static long counted(Tenrec tenrec, EventType event) {
    return tenrec.commands().stream().mapToLong(each -> each.cumulativeCount(event)).sum();
  }

  /** Or with what one of its fallbacks says, where it has some that need not answer. */
  private static void failsAsItself(Object bean, Method command) throws Exception {
    Object answer;
    try {
      answer = answered(bean, command);
    } catch (Exception failed) {
      assertThat(failed).hasStackTraceContaining(MadeUp.FAILURE);
      return;
    }
    assertThat(String.valueOf(answer)).isIn("instead", "[instead]", "7", "null");
  }

  /** What a caller gets of it: a value, or a list of items. */
  private static @Nullable Object answered(Object bean, Method command) throws Exception {
    command.setAccessible(true);
    Object returned;
    try {
      returned = command.invoke(bean, arguments(command));
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() instanceof Exception cause ? cause : thrown;
    }
    return awaited(returned);
  }

  private static Object[] arguments(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(AnnotationFuzzTest::argument)
        .toArray(Object[]::new);
  }

  private static Object argument(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return 3;
    }
    if (type == long.class) {
      return 3L;
    }
    if (type == byte[].class) {
      return BYTES;
    }
    return type == List.class
        ? List.of("three")
        : type == Map.class ? Map.of("three", 3L) : "three";
  }

  private static @Nullable Object awaited(@Nullable Object returned) throws Exception {
    if (returned instanceof CompletionStage<?> stage) {
      return awaited(stage.toCompletableFuture());
    } else if (returned instanceof Future<?> future) {
      return awaited(future);
    } else if (returned instanceof Single<?> single) {
      return single.blockingGet();
    } else if (returned instanceof Maybe<?> maybe) {
      return maybe.blockingGet();
    } else if (returned instanceof Completable completable) {
      completable.blockingAwait();
      return null;
    } else if (returned instanceof Flowable<?> items) {
      return items.toList().blockingGet();
    } else if (returned instanceof Mono<?> mono) {
      return mono.block();
    } else if (returned instanceof Flux<?> items) {
      return items.collectList().block();
    }
    return returned;
  }

  private static @Nullable Object awaited(Future<?> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }
}
