// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the agent makes of a class. */
class DelayAgentTest {

  /** Has one of each kind: a constructor, an abstract method, several exits, a throw. */
  public abstract static class Signs implements UnaryOperator<Long> {

    private final long zero;

    protected Signs() {
      this.zero = Long.parseLong("0");
    }

    abstract long other();

    @Override
    public Long apply(Long number) {
      if (number > zero) {
        return 1L;
      } else if (number < zero) {
        return -1L;
      }
      throw new IllegalArgumentException("neither");
    }
  }

  /** One that can be made. */
  public static final class ShortSigns extends Signs {

    @Override
    long other() {
      return 0;
    }
  }

  private static byte[] delayed(Class<?> type) throws IOException {
    try (InputStream in =
        type.getResourceAsStream(type.getName().replaceAll(".*\\.", "") + ".class")) {
      return DelayAgent.delayed(in.readAllBytes());
    }
  }

  private static Map<String, Integer> placesIn(byte[] bytes) {
    Map<String, Integer> places = new TreeMap<>();
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String descriptor, String signature, String[] thrown) {
                places.put(method + descriptor, 0);
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String name, String called, boolean isInterface) {
                    if (owner.endsWith("/Delays") && name.equals("at")) {
                      places.merge(method + descriptor, 1, Integer::sum);
                    }
                  }
                };
              }
            },
            0);
    return places;
  }

  @Test
  void delayed_hasOnePlaceAtTheEntryAndOneAtEachExit_butNotBeforeAConstructor() throws Exception {
    assertThat(placesIn(delayed(Signs.class)))
        .containsEntry("<init>()V", 1)
        .containsEntry("apply(Ljava/lang/Long;)Ljava/lang/Long;", 3)
        .containsEntry("other()J", 0);
  }

  /** The JVM verifies both classes, and they do the same as before. */
  @Test
  @SuppressWarnings("unchecked")
  void delayed_always_doesTheSame() throws Exception {
    ClassLoader loader =
        new ClassLoader(DelayAgentTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.endsWith("Signs") ? findClass(name) : super.loadClass(name, resolve);
          }

          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            try {
              byte[] bytes = delayed(Class.forName(name));
              return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    Class<?> type = Class.forName(ShortSigns.class.getName(), true, loader);
    assertThat(type).isNotEqualTo(ShortSigns.class);
    UnaryOperator<Long> signs = (UnaryOperator<Long>) type.getDeclaredConstructor().newInstance();
    for (long number = 1; number < 10_000; number++) {
      assertThat(signs.apply(number)).isEqualTo(1);
      assertThat(signs.apply(-number)).isEqualTo(-1);
    }
    assertThatThrownBy(() -> signs.apply(0L)).isInstanceOf(IllegalArgumentException.class);
  }
}
