// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.SettingLevel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The four levels, highest first: the dynamic value of the instance, code, the dynamic global
 * value, the built-in default. And the rules between properties, which only what comes out of them
 * all can fulfil or break.
 */
final class Levels {

  private final Scope<?> scope;
  private final DynamicValues dynamic;

  Levels(Scope<?> scope, DynamicValues dynamic) {
    this.scope = scope;
    this.dynamic = dynamic;
  }

  /** Receives a property that has to keep its last good value. */
  @FunctionalInterface
  interface Reverted {
    void revert(Property<?> property, Values candidate, String rule);
  }

  /** What code and the built-in defaults alone give. */
  Values fixed(CodeSettings code) {
    return collect(null, code, null);
  }

  /** What all levels but the instance's give. */
  Values global(CodeSettings code) {
    return collect(null, code, dynamic.row(Property.GLOBAL));
  }

  /** What all levels give. */
  Values instance(String key, CodeSettings code) {
    return collect(dynamic.row(key), code, dynamic.row(Property.GLOBAL));
  }

  /**
   * The strongest level that has a value for this property.
   *
   * @param value what is in force
   * @return KEPT if that level's value is not in force, because it was refused together with
   *     others: then it is an earlier one or, at the start, that of a weaker level
   */
  SettingLevel levelOf(
      String key, CodeSettings code, Property<?> property, @Nullable Object value) {
    Object own = at(dynamic.row(key), property);
    if (own != null) {
      return own.equals(value) ? SettingLevel.INSTANCE : SettingLevel.KEPT;
    }
    Object coded = code.get(property);
    if (coded != null) {
      return coded.equals(value) ? SettingLevel.CODE : SettingLevel.KEPT;
    }
    Object global = at(dynamic.row(Property.GLOBAL), property);
    if (global != null) {
      return global.equals(value) ? SettingLevel.GLOBAL : SettingLevel.KEPT;
    }
    return Objects.equals(value, property.defaultValue())
        ? SettingLevel.DEFAULT
        : SettingLevel.KEPT;
  }

  private static @Nullable Object at(@Nullable Object @Nullable [] row, Property<?> property) {
    return row == null ? null : row[property.index()];
  }

  /**
   * The candidate, but with all properties of a rule it breaks taken from {@code lastGood}, which
   * breaks none. Ends, because each round takes over at least one property more, and once a rule's
   * properties are all taken over it holds.
   */
  Values settle(Values candidate, Values lastGood, Reverted reverted) {
    Values settled = candidate;
    boolean again = true;
    while (again) {
      again = false;
      for (CrossRule rule : scope.rules()) {
        if (!rule.holds().test(settled)) {
          Values broken = settled;
          for (Property<?> property : rule.properties()) {
            if (!broken.sameAt(property, lastGood)) {
              reverted.revert(property, broken, rule.words());
              again = true;
            }
          }
          settled = broken.with(rule.properties(), lastGood);
        }
      }
    }
    return settled;
  }

  private Values collect(
      @Nullable Object @Nullable [] own, CodeSettings code, @Nullable Object @Nullable [] global) {
    @Nullable Object[] slots = new @Nullable Object[scope.table().size()];
    for (Property<?> property : scope.table().properties()) {
      int index = property.index();
      Object value = own == null ? null : own[index];
      if (value == null) {
        value = code.get(property);
      }
      if (value == null && global != null) {
        value = global[index];
      }
      slots[index] = value == null ? property.defaultValue() : value;
    }
    return new Values(slots);
  }
}
