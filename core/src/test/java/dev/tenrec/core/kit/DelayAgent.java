// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has {@link Delays} called at the entry and the normal exit of each method of Tenrec's own
 * classes: an agent of the JVM, for the profile {@code delays}. Its argument is the seed; without
 * one it draws it. It prints it, so that a run can be repeated, as far as threads allow.
 */
public final class DelayAgent implements ClassFileTransformer {

  private static final Pattern OURS = Pattern.compile("dev/tenrec/(core|metrics)/[\\w$/]+");

  private static final String DELAYS = Type.getInternalName(Delays.class);

  private DelayAgent() {}

  /** Called by the JVM, before any class of Tenrec is loaded. */
  public static void premain(String seed, Instrumentation jvm) {
    long chosen = seed == null || seed.isBlank() ? System.nanoTime() : Long.parseLong(seed.trim());
    Delays.begin(chosen);
    // standard output is the channel to Surefire
    System.err.println("With delays, repeated by -Ddelays.seed=" + chosen);
    jvm.addTransformer(new DelayAgent());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
    boolean delayed =
        loader == ClassLoader.getSystemClassLoader()
            && name != null
            && OURS.matcher(name).matches()
            && !isOfTests(domain.getCodeSource());
    return delayed ? delayed(bytes) : null;
  }

  /** {@code test-classes/}, or a jar {@code -tests.jar}. */
  private static boolean isOfTests(CodeSource source) {
    URL location = source == null ? null : source.getLocation();
    return location == null || location.getPath().matches(".*(/test-classes/|-tests\\.jar)");
  }

  /** A class that does the same, and has {@link Delays} called. */
  static byte[] delayed(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new DelayedClass(writer, reader.getClassName()), 0);
    return writer.toByteArray();
  }

  private static final class DelayedClass extends ClassVisitor {

    private final String name;

    DelayedClass(ClassVisitor out, String name) {
      super(Opcodes.ASM9, out);
      this.name = name;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] thrown) {
      MethodVisitor out = super.visitMethod(access, method, descriptor, signature, thrown);
      return new DelayedMethod(out, method, (name + "." + method + descriptor).hashCode());
    }
  }

  /** Methods without code have no visit of it, so nothing is put into them. */
  private static final class DelayedMethod extends MethodVisitor {

    private final boolean isConstructor;
    private final int place;

    DelayedMethod(MethodVisitor out, String name, int place) {
      super(Opcodes.ASM9, out);
      this.isConstructor = name.equals("<init>");
      this.place = place;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (!isConstructor) {
        visitPlace(place);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        visitPlace(~place);
      }
      super.visitInsn(opcode);
    }

    private void visitPlace(int which) {
      super.visitLdcInsn(which);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, DELAYS, "at", "(I)V", false);
    }

    /** The number of the place is on the stack in addition. */
    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(maxStack + 1, maxLocals);
    }
  }
}
