// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** A key, or one that depends on the arguments: {@code Stock-#{#warehouse}}. */
public final class KeyTemplate {

  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final String text;
  private final @Nullable Expression expression;
  private final Method method;

  private KeyTemplate(String text, @Nullable Expression expression, Method method) {
    this.text = text;
    this.expression = expression;
    this.method = method;
  }

  /** A key that does not depend on the arguments. */
  static KeyTemplate literal(String text, Method method) {
    return new KeyTemplate(text, null, method);
  }

  /** Reads one; null, and a mistake, if it is none. */
  static @Nullable KeyTemplate read(
      String text, String attribute, Class<?> type, Method method, Mistakes mistakes) {
    if (!text.contains("#{")) {
      return literal(text, method);
    }
    String found = attribute + " = \"" + text + "\"";
    try {
      Expression parsed =
          new SpelExpressionParser().parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
      Set<String> known = variables(method);
      for (String used : used(parsed)) {
        if (!known.contains(used)) {
          mistakes.add(
              type,
              method,
              found + ", which names #" + used,
              "one of #" + String.join(", #", known));
          return null;
        }
      }
      return new KeyTemplate(text, parsed, method);
    } catch (ParseException e) {
      mistakes.add(type, method, found + ": " + e.getSimpleMessage(), "a SpEL expression in #{..}");
      return null;
    }
  }

  private static Set<String> variables(Method method) {
    Set<String> known = new java.util.LinkedHashSet<>();
    String[] names = NAMES.getParameterNames(method);
    int parameters = KotlinFunctions.parameterCount(method);
    if (names != null) {
      known.addAll(List.of(names).subList(0, parameters));
    }
    for (int i = 0; i < parameters; i++) {
      known.add("p" + i);
      known.add("a" + i);
    }
    return known;
  }

  private static Set<String> used(Expression parsed) {
    Set<String> names = new HashSet<>();
    List<Expression> parts = new ArrayList<>(List.of(parsed));
    if (parsed instanceof CompositeStringExpression composite) {
      parts.addAll(List.of(composite.getExpressions()));
    }
    for (Expression part : parts) {
      if (part instanceof SpelExpression spel) {
        collect(spel.getAST(), names);
      }
    }
    return names;
  }

  private static void collect(SpelNode node, Set<String> names) {
    if (node instanceof VariableReference) {
      String name = node.toStringAST().substring(1);
      if (!name.equals("this") && !name.equals("root")) {
        names.add(name);
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      collect(node.getChild(i), names);
    }
  }

  /** Whether the key does not depend on the arguments. */
  public boolean isLiteral() {
    return expression == null;
  }

  /**
   * The key for these arguments.
   *
   * @throws IllegalStateException if the expression fails, or says nothing or "default"
   */
  public String key(@Nullable Object[] arguments) {
    if (expression == null) {
      return text;
    }
    String key;
    try {
      key =
          expression.getValue(
              new MethodBasedEvaluationContext(arguments, method, arguments, NAMES), String.class);
    } catch (RuntimeException e) { // SpEL's, or what the expression calls
      throw new IllegalStateException(
          "the key " + text + " of " + method + " cannot be made for these arguments", e);
    }
    if (key == null || key.isBlank()) {
      throw new IllegalStateException("the key " + text + " of " + method + " is empty");
    }
    if (key.equals("default")) {
      throw new IllegalStateException(
          "the key "
              + text
              + " of "
              + method
              + " is \"default\" for these arguments, which stands for all keys in the names of"
              + " properties; a text beside the expression distinguishes them");
    }
    return key;
  }

  @Override
  public String toString() {
    return text;
  }
}
