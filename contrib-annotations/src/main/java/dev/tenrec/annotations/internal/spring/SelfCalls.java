// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows the operand stack of one method as far as it takes to know which calls are made on {@code
 * this}. Where it cannot know (branches, rare instructions) it forgets: it misses a call rather
 * than name a wrong one.
 */
final class SelfCalls extends MethodVisitor {

  private final String owner;
  private final String caller;
  private final Set<String> guarded;
  private final Set<String> found;

  /** For each operand we know of, whether it is {@code this}; a long takes one place here. */
  private final Deque<Boolean> operands = new ArrayDeque<>();

  SelfCalls(String owner, String caller, Set<String> guarded, Set<String> found) {
    super(SpringAsmInfo.ASM_VERSION);
    this.owner = owner;
    this.caller = caller.startsWith("lambda$") ? caller.split("\\$", -1)[1] : caller;
    this.guarded = guarded;
    this.found = found;
  }

  @Override
  public void visitVarInsn(int opcode, int index) {
    if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
      operands.push(opcode == Opcodes.ALOAD && index == 0);
    } else {
      pop(1);
    }
  }

  @Override
  public void visitMethodInsn(
      int opcode, String type, String name, String descriptor, boolean isInterface) {
    pop(Type.getArgumentTypes(descriptor).length);
    boolean onThis = opcode != Opcodes.INVOKESTATIC && !operands.isEmpty() && operands.peek();
    if (opcode != Opcodes.INVOKESTATIC) {
      pop(1);
    }
    if (onThis && opcode != Opcodes.INVOKESPECIAL) {
      addIfGuarded(type, name, descriptor);
    }
    pushUnless(Type.getReturnType(descriptor));
  }

  private void addIfGuarded(String type, String name, String descriptor) {
    if (type.equals(owner) && guarded.contains(name + descriptor)) {
      String parameters =
          Arrays.stream(Type.getArgumentTypes(descriptor))
              .map(parameter -> parameter.getClassName().replaceAll(".*[.$]", ""))
              .collect(Collectors.joining(", "));
      boolean unused = found.add(caller + " calls " + name + "(" + parameters + ")");
    }
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    int captured = Type.getArgumentTypes(descriptor).length;
    pop(captured - 1); // of a method reference the object comes first
    boolean onThis = captured > 0 && !operands.isEmpty() && operands.peek();
    for (Object argument : arguments) {
      if (onThis && argument instanceof Handle called) {
        addIfGuarded(called.getOwner(), called.getName(), called.getDesc());
      }
    }
    pop(Math.min(captured, 1));
    pushUnless(Type.getReturnType(descriptor));
  }

  @Override
  public void visitFieldInsn(int opcode, String type, String name, String descriptor) {
    switch (opcode) {
      case Opcodes.GETSTATIC -> operands.push(false);
      case Opcodes.PUTSTATIC -> pop(1);
      case Opcodes.GETFIELD -> {
        pop(1);
        operands.push(false);
      }
      default -> pop(2);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode <= Opcodes.DCONST_1) { // constants, and nothing
      if (opcode != Opcodes.NOP) {
        operands.push(false);
      }
    } else if (opcode == Opcodes.DUP) {
      operands.push(!operands.isEmpty() && operands.peek());
    } else if (opcode == Opcodes.POP) {
      pop(1);
    } else if (opcode >= Opcodes.IADD && opcode <= Opcodes.DREM
        || opcode >= Opcodes.ISHL && opcode <= Opcodes.LXOR
        || opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD
        || opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG) {
      pop(2);
      operands.push(false);
    } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      pop(3);
    } else if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG
        || opcode >= Opcodes.I2L && opcode <= Opcodes.I2S
        || opcode == Opcodes.ARRAYLENGTH) {
      pop(1);
      operands.push(false);
    } else {
      operands.clear();
    }
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    if (opcode == Opcodes.NEWARRAY) {
      pop(1);
    }
    operands.push(false);
  }

  @Override
  public void visitLdcInsn(Object value) {
    operands.push(false);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    switch (opcode) {
      case Opcodes.NEW -> operands.push(false);
      case Opcodes.CHECKCAST -> {} // the object stays as it is
      default -> {
        pop(1);
        operands.push(false);
      }
    }
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    pop(dimensions);
    operands.push(false);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    operands.clear();
  }

  @Override
  public void visitLabel(Label label) {
    operands.clear();
  }

  @Override
  public void visitTableSwitchInsn(int least, int most, Label otherwise, Label... labels) {
    operands.clear();
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    operands.clear();
  }

  private void pushUnless(Type returned) {
    if (returned.getSort() != Type.VOID) {
      operands.push(false);
    }
  }

  private void pop(int count) {
    for (int i = 0; i < count && !operands.isEmpty(); i++) {
      operands.pop();
    }
  }
}
