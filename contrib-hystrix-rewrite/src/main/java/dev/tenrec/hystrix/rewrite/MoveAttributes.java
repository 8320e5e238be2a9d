// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.AnnotationMatcher;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * What javanica's annotations have and Tenrec's do not: leaves out what says the default, marks the
 * rest. It runs before names change.
 */
public final class MoveAttributes extends Recipe {

  private static final String ANNOTATION = "@com.netflix.hystrix.contrib.javanica.annotation.";
  private static final AnnotationMatcher COMMAND =
      new AnnotationMatcher(ANNOTATION + "HystrixCommand");
  private static final AnnotationMatcher DEFAULTS =
      new AnnotationMatcher(ANNOTATION + "DefaultProperties");
  private static final AnnotationMatcher COLLAPSER =
      new AnnotationMatcher(ANNOTATION + "HystrixCollapser");

  /** By their names in RxJava 1 and, where types have moved before, in RxJava 3. */
  private static final Set<String> STREAMS =
      Set.of(
          "rx.Observable",
          "rx.Single",
          "rx.Completable",
          "io.reactivex.rxjava3.core.Observable",
          "io.reactivex.rxjava3.core.Single",
          "io.reactivex.rxjava3.core.Completable");

  private static final String SCOPE = "com.netflix.hystrix.HystrixCollapser$Scope";

  /** For OpenRewrite. */
  public MoveAttributes() {}

  @Override
  public String getDisplayName() {
    return "Move the attributes of javanica's annotations";
  }

  @Override
  public String getDescription() {
    return "Leaves out attributes that say what Tenrec does anyway, moves the scope of a collapser,"
        + " and marks the others.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return FromHystrix.only(new Attributes());
  }

  private static final class Attributes extends JavaIsoVisitor<ExecutionContext> {

    /** What javanica did where an annotation says nothing. */
    @Override
    public J.MethodDeclaration visitMethodDeclaration(
        J.MethodDeclaration method, ExecutionContext ctx) {
      J.MethodDeclaration visited = super.visitMethodDeclaration(method, ctx);
      for (J.Annotation annotation : method.getLeadingAnnotations()) {
        if (COMMAND.matches(annotation)
            && isStream(method)
            && !says(annotation, "observableExecutionMode")) {
          visited =
              Marks.before(
                  visited,
                  "cold, once per subscription, where EAGER was the default; for a hot one return a"
                      + " CompletableFuture");
        }
        if (COLLAPSER.matches(annotation)
            && !says(annotation, "collapserKey")
            && !keyIsThatOfTheBatch(annotation, Optional.of(method.getSimpleName()))) {
          visited =
              Marks.before(
                  visited,
                  "its key was \""
                      + method.getSimpleName()
                      + "\", and is now the commandKey of the batch method: settings go by that");
        }
      }
      return visited;
    }

    private static boolean isStream(J.MethodDeclaration method) {
      TypeTree answer = method.getReturnTypeExpression();
      return answer != null
          && STREAMS.stream().anyMatch(type -> TypeUtils.isAssignableTo(type, answer.getType()));
    }

    private static boolean says(J.Annotation annotation, String attribute) {
      List<Expression> arguments = annotation.getArguments();
      return arguments != null
          && arguments.stream()
              .anyMatch(
                  one ->
                      one instanceof J.Assignment assignment
                          && lastName(assignment.getVariable()).equals(attribute));
    }

    @Override
    public J.Annotation visitAnnotation(J.Annotation annotation, ExecutionContext ctx) {
      J.Annotation visited = super.visitAnnotation(annotation, ctx);
      boolean collapser = COLLAPSER.matches(annotation);
      List<Expression> arguments = visited.getArguments();
      if (arguments == null
          || !collapser && !COMMAND.matches(annotation) && !DEFAULTS.matches(annotation)) {
        return visited;
      }
      List<Expression> moved = new ArrayList<>();
      for (Expression argument : arguments) {
        Expression kept = argument instanceof J.Assignment attribute ? moved(attribute) : argument;
        if (kept != null) {
          moved.add(moved.isEmpty() ? kept.withPrefix(firstOf(arguments, kept)) : kept);
        }
      }
      return isSame(moved, arguments)
          ? visited
          : visited.withArguments(moved.isEmpty() ? null : moved);
    }

    /** By identity: trees are equal by their id, whatever is in them. */
    private static boolean isSame(List<Expression> moved, List<Expression> arguments) {
      return moved.size() == arguments.size()
          && IntStream.range(0, moved.size()).allMatch(i -> moved.get(i) == arguments.get(i));
    }

    /** Where the first argument stood; its comments stay its own. */
    private static Space firstOf(List<Expression> arguments, Expression kept) {
      return kept.getPrefix().withWhitespace(arguments.get(0).getPrefix().getWhitespace());
    }

    /** Null if it is to be left out. */
    private @Nullable Expression moved(J.Assignment attribute) {
      String name = ((J.Identifier) attribute.getVariable()).getSimpleName();
      switch (name) {
        case "raiseHystrixExceptions":
          if (isEmpty(attribute.getAssignment())) {
            return null;
          }
          return Marks.within(
              attribute, "nothing is wrapped: callers get the method's exception, or Tenrec's");
        case "observableExecutionMode":
          if (lastName(attribute.getAssignment()).equals("LAZY")) {
            maybeRemoveImport(
                "com.netflix.hystrix.contrib.javanica.annotation.ObservableExecutionMode");
            maybeRemoveImport(
                "com.netflix.hystrix.contrib.javanica.annotation.ObservableExecutionMode.LAZY");
            return null;
          }
          return Marks.within(
              attribute, "cold, once per subscription; for a hot one return a CompletableFuture");
        case "collapserKey":
          return keyIsThatOfTheBatch(attribute)
              ? null
              : Marks.within(attribute, "the key is the commandKey of the batch method");
        case "scope":
          String scope = lastName(attribute.getAssignment());
          maybeRemoveImport(SCOPE);
          maybeRemoveImport("com.netflix.hystrix.HystrixCollapser.Scope." + scope);
          maybeRemoveImport("com.netflix.hystrix.HystrixCollapser");
          return attribute.withAssignment(
              scope(scope).withPrefix(attribute.getAssignment().getPrefix()));
        default:
          return attribute;
      }
    }

    private static boolean isEmpty(Expression value) {
      return value instanceof J.NewArray array
          && (array.getInitializer() == null
              || array.getInitializer().stream().allMatch(J.Empty.class::isInstance));
    }

    private static String lastName(Expression value) {
      if (value instanceof J.FieldAccess access) {
        return access.getSimpleName();
      }
      return value instanceof J.Identifier name ? name.getSimpleName() : "";
    }

    /** Whether the batch method has this key by name. */
    private boolean keyIsThatOfTheBatch(J.Assignment key) {
      J.Annotation collapser = getCursor().firstEnclosing(J.Annotation.class);
      return collapser != null && keyIsThatOfTheBatch(collapser, literal(key.getAssignment()));
    }

    private boolean keyIsThatOfTheBatch(J.Annotation collapser, Optional<Object> key) {
      J.ClassDeclaration type = getCursor().firstEnclosing(J.ClassDeclaration.class);
      if (type == null || key.isEmpty()) {
        return false;
      }
      Optional<Object> batch = value(collapser, "batchMethod");
      return type.getBody().getStatements().stream()
          .filter(J.MethodDeclaration.class::isInstance)
          .map(J.MethodDeclaration.class::cast)
          .filter(method -> batch.equals(Optional.of(method.getSimpleName())))
          .flatMap(method -> method.getLeadingAnnotations().stream())
          .filter(COMMAND::matches)
          .anyMatch(command -> value(command, "commandKey").equals(key));
    }

    private static Optional<Object> value(J.Annotation annotation, String attribute) {
      List<Expression> arguments = annotation.getArguments();
      return arguments == null
          ? Optional.empty()
          : arguments.stream()
              .filter(J.Assignment.class::isInstance)
              .map(J.Assignment.class::cast)
              .filter(one -> lastName(one.getVariable()).equals(attribute))
              .flatMap(one -> literal(one.getAssignment()).stream())
              .findFirst();
    }

    private static Optional<Object> literal(Expression value) {
      return value instanceof J.Literal literal
          ? Optional.ofNullable(literal.getValue())
          : Optional.empty();
    }

    /** {@code Collapsed.Scope.GLOBAL}; the import is that of the annotation. */
    private static Expression scope(String name) {
      JavaType collapsed = JavaType.ShallowClass.build("dev.tenrec.annotations.Collapsed");
      JavaType scope = JavaType.ShallowClass.build("dev.tenrec.annotations.Collapsed$Scope");
      return access(access(identifier("Collapsed", collapsed), "Scope", scope), name, scope);
    }

    private static J.Identifier identifier(String name, JavaType type) {
      return new J.Identifier(
          UUID.randomUUID(), Space.EMPTY, Markers.EMPTY, List.of(), name, type, null);
    }

    private static J.FieldAccess access(Expression target, String name, JavaType type) {
      return new J.FieldAccess(
          UUID.randomUUID(),
          Space.EMPTY,
          Markers.EMPTY,
          target,
          JLeftPadded.build(identifier(name, type)),
          type);
    }
  }
}
