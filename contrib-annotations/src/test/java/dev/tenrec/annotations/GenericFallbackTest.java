// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.core.Completable;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Fallbacks whose types are generic: the shapes that javanica takes and refuses, and some more. */
class GenericFallbackTest {

  /** Of anything. */
  static class Box<T> {}

  /** What is taken. */
  static final class Right {

    static class AnyAndAny {
      @Command(fallbackMethod = "other")
      public <T> T get() {
        throw new IllegalStateException("down");
      }

      private <T> T other() {
        return null;
      }
    }

    static class Bounded {
      @Command(fallbackMethod = "other")
      public <T extends Serializable> T get() {
        throw new IllegalStateException("down");
      }

      private <T extends Serializable> T other() {
        return null;
      }
    }

    static class BoundedByAnother {
      @Command(fallbackMethod = "other")
      public <T extends Serializable, U extends T> U get() {
        throw new IllegalStateException("down");
      }

      private <T extends Serializable, U extends T> U other() {
        return null;
      }
    }

    static class Wildcard {
      @Command(fallbackMethod = "other")
      public <T extends Serializable, U extends T> Box<? extends U> get() {
        throw new IllegalStateException("down");
      }

      private <T extends Serializable, U extends T> Box<? extends U> other() {
        return null;
      }
    }

    static class TwoBounds {
      @Command(fallbackMethod = "other")
      public <T extends Serializable & Comparable<T>, U extends T> Box<? extends U> get() {
        throw new IllegalStateException("down");
      }

      private <T extends Serializable & Comparable<T>, U extends T> Box<? extends U> other() {
        return null;
      }
    }

    static class BoundedByABox {
      @Command(fallbackMethod = "other")
      public <T extends Serializable & Comparable<T>, U extends Box<T>> Box<U> get() {
        throw new IllegalStateException("down");
      }

      private <T extends Serializable & Comparable<T>, U extends Box<T>> Box<U> other() {
        return null;
      }
    }

    static class BoxOfAny {
      @Command(fallbackMethod = "other")
      public <T> Box<T> get() {
        throw new IllegalStateException("down");
      }

      private <T> Box<T> other() {
        return null;
      }
    }

    static class Super {
      @Command(fallbackMethod = "other")
      public Box<? super Serializable> get() {
        throw new IllegalStateException("down");
      }

      private Box<? super Serializable> other() {
        return null;
      }
    }

    static class ArrayOfAny {
      @Command(fallbackMethod = "other")
      public <T> Box<T[]> get() {
        throw new IllegalStateException("down");
      }

      private <T> Box<T[]> other() {
        return null;
      }
    }

    static class OfTheClass<T> {
      @Command(fallbackMethod = "other")
      public Box<T> get() {
        throw new IllegalStateException("down");
      }

      private Box<T> other() {
        return null;
      }
    }

    static class OfTheClassBounded<T extends Serializable> {
      @Command(fallbackMethod = "other")
      public Box<T> get() {
        throw new IllegalStateException("down");
      }

      private Box<T> other() {
        return null;
      }
    }
  }

  /** What stops the start. */
  static final class Wrong {

    static class AnyAndText {
      @Command(fallbackMethod = "other")
      public <T> T get() {
        return null;
      }

      private String other() {
        return null;
      }
    }

    static class BoundedAndAny {
      @Command(fallbackMethod = "other")
      public <T extends Serializable> T get() {
        return null;
      }

      private <T> T other() {
        return null;
      }
    }

    static class OtherBound {
      @Command(fallbackMethod = "other")
      public <T extends Serializable> T get() {
        return null;
      }

      private <T extends Comparable<T>> T other() {
        return null;
      }
    }

    static class WildcardAndNone {
      @Command(fallbackMethod = "other")
      public <T extends Serializable, U extends T> Box<? extends U> get() {
        return null;
      }

      private <T extends Serializable, U extends T> Box<U> other() {
        return null;
      }
    }

    static class OneBoundOfTwo {
      @Command(fallbackMethod = "other")
      public <T extends Serializable & Comparable<T>, U extends T> Box<? extends U> get() {
        return null;
      }

      private <T extends Serializable, U extends T> Box<? extends U> other() {
        return null;
      }
    }

    static class OtherBoxAsABound {
      @Command(fallbackMethod = "other")
      public <T extends Serializable & Comparable<T>, U extends Box<T>> Box<U> get() {
        return null;
      }

      private <T extends Serializable & Comparable<T>, U extends Box<String>> Box<U> other() {
        return null;
      }
    }

    static class BoxOfAnyAndOfText {
      @Command(fallbackMethod = "other")
      public <T> Box<T> get() {
        return null;
      }

      private Box<String> other() {
        return null;
      }
    }

    static class SetAndList {
      @Command(fallbackMethod = "other")
      public <T> Set<T> get() {
        return null;
      }

      private <T> List<T> other() {
        return null;
      }
    }

    static class SetAndListInABox {
      @Command(fallbackMethod = "other")
      public <T> Box<Set<T>> get() {
        return null;
      }

      private <T> Box<List<T>> other() {
        return null;
      }
    }

    static class SetAndListDeeper {
      @Command(fallbackMethod = "other")
      public <T> Box<List<Set<T>>> get() {
        return null;
      }

      private <T> Box<List<List<T>>> other() {
        return null;
      }
    }

    static class OtherSuper {
      @Command(fallbackMethod = "other")
      public Box<? super Serializable> get() {
        return null;
      }

      private Box<? super Comparable<?>> other() {
        return null;
      }
    }

    static class AnyForText {
      @Command(fallbackMethod = "other")
      public List<String> get() {
        return null;
      }

      private <T> List<T> other() {
        return null;
      }
    }

    static class ArrayOfAnotherPlace {
      @Command(fallbackMethod = "other")
      public <T, U> Box<T[]> get() {
        return null;
      }

      private <T, U> Box<U[]> other() {
        return null;
      }
    }

    static class OfTheClassAndOfTheMethod<T> {
      @Command(fallbackMethod = "other")
      public Box<T> get() {
        return null;
      }

      private <T> Box<T> other() {
        return null;
      }
    }

    static class OfTheClassAndOfTheMethodBounded<T extends Serializable> {
      @Command(fallbackMethod = "other")
      public Box<T> get() {
        return null;
      }

      private <T extends Serializable> Box<T> other() {
        return null;
      }
    }
  }

  static Stream<Class<?>> right() {
    return Arrays.stream(Right.class.getDeclaredClasses());
  }

  static Stream<Class<?>> wrong() {
    return Arrays.stream(Wrong.class.getDeclaredClasses());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("right")
  void fallback_ofTheSameType_answers(Class<?> type) throws Exception {
    try (AnnotationConfigApplicationContext context = Contexts.of(type)) {
      Object bean = context.getBean(type);

      assertThat(type.getMethod("get").invoke(bean)).isNull();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void fallback_ofAnotherType_stopsTheStart(Class<?> type) {
    assertThatThrownBy(() -> Contexts.of(type).close())
        .as(type.getSimpleName())
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining(type.getName() + ".get()")
        .hasMessageContaining("which returns something else");
  }

  static class OfNothing {
    @Command(fallbackMethod = "other")
    public Completable get() {
      return Completable.error(new IllegalStateException("down"));
    }

    private void other() {}
  }

  @Test
  void fallback_ofACompletable_mayReturnNothing() {
    try (AnnotationConfigApplicationContext context = Contexts.of(OfNothing.class)) {
      context.getBean(OfNothing.class).get().blockingAwait();
    }
  }

  @Test
  void shapes_always_areAllTried() {
    assertThat(right()).hasSize(11);
    assertThat(wrong()).hasSize(15);
  }
}
