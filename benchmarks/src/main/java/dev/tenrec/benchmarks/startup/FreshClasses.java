// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.startup;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Makes subclasses of {@link TenMethods} that nobody has seen: what Spring knows of a class it has
 * met before would make the second start faster than any real one.
 */
public final class FreshClasses {

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final String SUPER = Type.getInternalName(TenMethods.class);

  private FreshClasses() {}

  /** So many. */
  public static List<Class<? extends TenMethods>> make(int count) {
    List<Class<? extends TenMethods>> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(one());
    }
    return made;
  }

  private static Class<? extends TenMethods> one() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        Opcodes.V17, Opcodes.ACC_PUBLIC, SUPER + NUMBER.incrementAndGet(), null, SUPER, null);
    MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, SUPER, "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(1, 1);
    constructor.visitEnd();
    writer.visitEnd();
    try {
      return MethodHandles.lookup().defineClass(writer.toByteArray()).asSubclass(TenMethods.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a class of this package cannot be defined here", e);
    }
  }
}
