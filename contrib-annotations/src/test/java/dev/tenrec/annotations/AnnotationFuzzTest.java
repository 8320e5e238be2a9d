// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
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

  @Test
  void anyDeclaration_isACommandThatWorks_orIsRefusedInWords() throws Exception {
    int accepted = play(SEED, IN_EACH_BUILD);

    // or one of both would not have been looked at
    assertThat(accepted).isBetween(IN_EACH_BUILD / 10, IN_EACH_BUILD * 9 / 10);
  }

  @Test
  @Tag("long")
  void anyDeclaration_ofVeryMany_isACommandThatWorks_orIsRefusedInWords() throws Exception {
    for (int played = 0; played < LONG; played += IN_EACH_BUILD) {
      assertThat(play(SEED + played, IN_EACH_BUILD)).isPositive();
    }
  }

  /** Plays so many; returns how many of them are commands. */
  private int play(long seed, int count) throws Exception {
    List<MadeUpClass> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new MadeUpClass(seed + i, i));
    }
    List<String> sources = all.stream().map(MadeUpClass::source).toList();
    Path classes = compiled(all, sources, directory.resolve("seed" + seed));
    int accepted = 0;
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, AnnotationFuzzTest.class.getClassLoader())) {
      for (int i = 0; i < count; i++) {
        try {
          accepted += works(all.get(i), loader.loadClass(all.get(i).name())) ? 1 : 0;
        } catch (Throwable failed) {
          throw new AssertionError(
              "with -Dtenrec.seed=" + (seed + i) + ": " + failed + "\n" + sources.get(i), failed);
        }
      }
    }
    return accepted;
  }

  private static Path compiled(List<MadeUpClass> all, List<String> sources, Path directory)
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
  private static boolean works(MadeUpClass made, Class<?> type) throws Exception {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.setClassLoader(type.getClassLoader()); // where proxies belong
      context.register(Contexts.plain(), type);
      context.refresh();
      Tenrec tenrec = context.getBean(Tenrec.class);
      Object bean = context.getBean(type);
      assertThat(answered(bean, type)).isEqualTo(made.answer());
      assertThat(counted(tenrec, EventType.SUCCESS)).isEqualTo(1);
      assertThat(tenrec.retryBudgets()).hasSize(made.sharesBudget() ? 1 : 0);
      System.setProperty(MadeUpClass.FAILS, "true");
      try {
        if (made.hasFallback()) {
          Object unused = answered(bean, type);
          assertThat(counted(tenrec, EventType.FALLBACK_SUCCESS)).isEqualTo(1);
        } else {
          failsAsItself(bean, type);
        }
      } finally {
        System.clearProperty(MadeUpClass.FAILS);
      }
      assertThat(counted(tenrec, EventType.FAILURE)).isPositive();
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

  private static long counted(Tenrec tenrec, EventType event) {
    return tenrec.commands().stream().mapToLong(each -> each.cumulativeCount(event)).sum();
  }

  /** Or with what one of its fallbacks says, where it has some that need not answer. */
  private static void failsAsItself(Object bean, Class<?> type) throws Exception {
    Object answer;
    try {
      answer = answered(bean, type);
    } catch (Exception failed) {
      assertThat(failed).hasStackTraceContaining(MadeUpClass.FAILURE);
      return;
    }
    assertThat(String.valueOf(answer)).isIn("instead", "[instead]", "7", "null");
  }

  /** What a caller gets of it: a value, or a list of items. */
  private static @Nullable Object answered(Object bean, Class<?> type) throws Exception {
    Method command =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Command.class))
            .findFirst()
            .orElseThrow();
    command.setAccessible(true);
    Object[] arguments =
        Arrays.stream(command.getParameterTypes())
            .map(AnnotationFuzzTest::argument)
            .toArray(Object[]::new);
    Object returned;
    try {
      returned = command.invoke(bean, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() instanceof Exception cause ? cause : thrown;
    }
    return awaited(returned);
  }

  private static Object argument(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return 3;
    }
    if (type == long.class) {
      return 3L;
    }
    if (type == byte[].class) {
      return new byte[3];
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
