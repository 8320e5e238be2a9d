// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import org.springframework.core.ResolvableType;

/**
 * Whether what one generic method returns will do for another, to the last type argument. Spring's
 * {@link ResolvableType} takes what it cannot resolve for anything.
 */
final class TypeArguments {

  private TypeArguments() {}

  /**
   * Whether a value of the second type is one of the first, where the raw types are assignable. A
   * variable of a method agrees with one of the same place and bounds only: its caller chooses what
   * it stands for.
   */
  static boolean agree(ResolvableType wanted, ResolvableType given) {
    if (isOfMethod(wanted.getType())) {
      return isOfMethod(given.getType())
          && agree((TypeVariable<?>) wanted.getType(), (TypeVariable<?>) given.getType());
    }
    ResolvableType[] ours = wanted.getGenerics();
    if (ours.length == 0) {
      return true;
    }
    ResolvableType[] theirs = given.as(wanted.toClass()).getGenerics();
    if (theirs.length != ours.length) { // a raw type
      return false;
    }
    for (int i = 0; i < ours.length; i++) {
      if (!isSameArgument(ours[i], theirs[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameArgument(ResolvableType ours, ResolvableType theirs) {
    if (ours.getType() instanceof WildcardType) {
      return true; // its bounds were looked at
    }
    if (isOfMethod(ours.getType())) {
      return agree(ours, theirs);
    }
    if (isOfMethod(theirs.getType())) {
      return true; // a method that answers for any type answers for this one
    }
    return ours.toClass() == theirs.toClass() && agree(ours, theirs);
  }

  private static boolean isOfMethod(Type type) {
    return type instanceof TypeVariable<?> variable
        && variable.getGenericDeclaration() instanceof Method;
  }

  private static boolean agree(TypeVariable<?> ours, TypeVariable<?> theirs) {
    Type[] bounds = ours.getBounds();
    Type[] others = theirs.getBounds();
    if (bounds.length != others.length || indexOf(ours) != indexOf(theirs)) {
      return false;
    }
    for (int i = 0; i < bounds.length; i++) {
      if (ResolvableType.forType(bounds[i]).toClass()
          != ResolvableType.forType(others[i]).toClass()) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(TypeVariable<?> variable) {
    TypeVariable<?>[] all = variable.getGenericDeclaration().getTypeParameters();
    for (int i = 0; i < all.length; i++) {
      if (all[i].equals(variable)) {
        return i;
      }
    }
    return -1;
  }
}
