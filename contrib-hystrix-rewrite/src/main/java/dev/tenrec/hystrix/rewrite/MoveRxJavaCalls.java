// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * Calls and anonymous classes of RxJava 1 that have one in RxJava 3 with the same meaning. It runs
 * before types change.
 */
public final class MoveRxJavaCalls extends Recipe {

  private static final String OBSERVABLE = "rx.Observable";
  private static final String SUBSCRIBER = "rx.Subscriber";
  private static final String EMITTER = "io.reactivex.rxjava3.core.ObservableEmitter";
  private static final String DISPOSABLE_OBSERVER =
      "io.reactivex.rxjava3.observers.DisposableObserver";

  /** After {@code toBlocking()}. */
  private static final Map<String, String> BLOCKING =
      Map.ofEntries(
          Map.entry("single", "blockingSingle"),
          Map.entry("singleOrDefault", "blockingSingle"),
          Map.entry("first", "blockingFirst"),
          Map.entry("firstOrDefault", "blockingFirst"),
          Map.entry("last", "blockingLast"),
          Map.entry("lastOrDefault", "blockingLast"),
          Map.entry("forEach", "blockingForEach"),
          Map.entry("toIterable", "blockingIterable"),
          Map.entry("subscribe", "blockingSubscribe"),
          Map.entry("toFuture", "toFuture"),
          Map.entry("value", "blockingGet"));

  /** A method that has another name, on a type or what extends it. */
  private record Renamed(String type, String name, String newName) {}

  /** Methods of the same meaning. OnSubscribe is an Action1, and comes before it. */
  private static final List<Renamed> RENAMED =
      List.of(
          new Renamed("rx.Observable$OnSubscribe", "call", "subscribe"),
          new Renamed("rx.Observer", "onCompleted", "onComplete"),
          new Renamed("rx.Subscription", "unsubscribe", "dispose"),
          new Renamed("rx.Subscription", "isUnsubscribed", "isDisposed"),
          new Renamed("rx.functions.Action0", "call", "run"),
          new Renamed("rx.functions.Action1", "call", "accept"),
          new Renamed("rx.functions.Func0", "call", "get"),
          new Renamed("rx.functions.Func1", "call", "apply"),
          new Renamed("rx.functions.Func2", "call", "apply"));

  /** For OpenRewrite. */
  public MoveRxJavaCalls() {}

  @Override
  public String getDisplayName() {
    return "Move calls of RxJava 1 to RxJava 3";
  }

  @Override
  public String getDescription() {
    return "Blocking ends, sources and anonymous observers, where a command of Hystrix is used.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return FromHystrix.only(new Calls());
  }

  private static final class Calls extends JavaIsoVisitor<ExecutionContext> {

    /** A subscriber has become what its place asks for, or is left, and marked. */
    @Override
    public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext ctx) {
      J.CompilationUnit visited = super.visitCompilationUnit(unit, ctx);
      List<J.Import> imports = new ArrayList<>();
      for (J.Import one : visited.getImports()) {
        if (!one.getTypeName().equals(SUBSCRIBER)) {
          imports.add(one);
        } else if (namesSubscriber(visited)) {
          imports.add(
              Marks.before(one, "an Observer, a DisposableObserver or an ObservableEmitter"));
        }
      }
      return visited.getImports().stream().anyMatch(one -> one.getTypeName().equals(SUBSCRIBER))
          ? visited.withImports(imports)
          : visited;
    }

    private static boolean namesSubscriber(J.CompilationUnit unit) {
      AtomicBoolean found = new AtomicBoolean();
      JavaIsoVisitor<AtomicBoolean> names =
          new JavaIsoVisitor<>() {
            @Override
            public J.Identifier visitIdentifier(J.Identifier name, AtomicBoolean named) {
              if (name.getSimpleName().equals("Subscriber")) {
                named.set(true);
              }
              return name;
            }
          };
      unit.getClasses().forEach(type -> names.visit(type, found));
      return found.get();
    }

    @Override
    public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext ctx) {
      J.MethodInvocation visited = super.visitMethodInvocation(call, ctx);
      JavaType.Method method = visited.getMethodType();
      if (method == null) {
        return visited;
      }
      if (visited.getSelect() instanceof J.MethodInvocation blocking
          && blocking.getSimpleName().equals("toBlocking")
          && isOfRx(blocking.getMethodType())) {
        String name = BLOCKING.get(visited.getSimpleName());
        return name == null
            ? Marks.within(visited, "RxJava 3 has no toBlocking(), but blocking..() methods")
            : named(visited.getPadding().withSelect(blocking.getPadding().getSelect()), name);
      }
      if (visited.getSimpleName().equals("from")
          && TypeUtils.isOfClassType(method.getDeclaringType(), OBSERVABLE)
          && method.getParameterTypes().size() == 1) {
        JavaType from = method.getParameterTypes().get(0);
        return named(
            visited,
            from instanceof JavaType.Array
                ? "fromArray"
                : TypeUtils.isOfClassType(from, "java.util.concurrent.Future")
                    ? "fromFuture"
                    : "fromIterable");
      }
      String renamed = renamed(method, visited.getSimpleName());
      return renamed == null ? visited : named(visited, renamed);
    }

    private static boolean isOfRx(JavaType.@Nullable Method method) {
      return method != null && method.getDeclaringType().getFullyQualifiedName().startsWith("rx.");
    }

    private static J.MethodInvocation named(J.MethodInvocation call, String name) {
      JavaType.Method method = call.getMethodType();
      JavaType.Method renamed = method == null ? null : method.withName(name);
      return call.withName(call.getName().withSimpleName(name).withType(renamed))
          .withMethodType(renamed);
    }

    private static @Nullable String renamed(JavaType.Method method, String name) {
      for (Renamed one : RENAMED) {
        if (one.name().equals(name)
            && TypeUtils.isAssignableTo(one.type(), method.getDeclaringType())) {
          return one.newName();
        }
      }
      return null;
    }

    @Override
    public J.NewClass visitNewClass(J.NewClass made, ExecutionContext ctx) {
      J.NewClass visited = super.visitNewClass(made, ctx);
      TypeTree type = visited.getClazz();
      if (visited.getBody() == null || type == null) {
        return visited;
      }
      if (TypeUtils.isOfClassType(type.getType(), "rx.Observer")
          || TypeUtils.isOfClassType(type.getType(), "rx.Subscriber")) {
        maybeRemoveImport("rx.Observer");
        maybeAddImport(DISPOSABLE_OBSERVER, null, false);
        return visited.withClazz(renamedType(type, DISPOSABLE_OBSERVER));
      }
      return visited;
    }

    @Override
    public J.MethodDeclaration visitMethodDeclaration(
        J.MethodDeclaration declared, ExecutionContext ctx) {
      J.MethodDeclaration visited = super.visitMethodDeclaration(declared, ctx);
      JavaType.Method method = visited.getMethodType();
      String renamed = method == null ? null : renamed(method, visited.getSimpleName());
      if (method == null || renamed == null) {
        return visited;
      }
      if (renamed.equals("subscribe")) {
        visited =
            visited.withParameters(visited.getParameters().stream().map(this::emitter).toList());
      }
      return visited
          .withName(visited.getName().withSimpleName(renamed).withType(method.withName(renamed)))
          .withMethodType(method.withName(renamed));
    }

    /** {@code Subscriber<? super T>} is an {@code ObservableEmitter<T>}. */
    private Statement emitter(Statement parameter) {
      if (!(parameter instanceof J.VariableDeclarations variable)
          || variable.getTypeExpression() == null
          || !TypeUtils.isOfClassType(variable.getTypeExpression().getType(), "rx.Subscriber")) {
        return parameter;
      }
      maybeAddImport(EMITTER, null, false);
      return variable.withTypeExpression(renamedType(variable.getTypeExpression(), EMITTER));
    }

    private static TypeTree renamedType(TypeTree type, String name) {
      J.Identifier identifier =
          new J.Identifier(
              UUID.randomUUID(),
              Space.EMPTY,
              Markers.EMPTY,
              List.of(),
              name.substring(name.lastIndexOf('.') + 1),
              JavaType.ShallowClass.build(name),
              null);
      if (type instanceof J.ParameterizedType parameterized) {
        List<Expression> arguments = parameterized.getTypeParameters();
        return parameterized
            .withClazz(identifier.withPrefix(parameterized.getClazz().getPrefix()))
            .withTypeParameters(
                arguments == null ? null : arguments.stream().map(Calls::bound).toList())
            .withType(identifier.getType());
      }
      return identifier.withPrefix(type.getPrefix());
    }

    private static Expression bound(Expression argument) {
      if (argument instanceof J.Wildcard wildcard) {
        NameTree bound = wildcard.getBoundedType();
        if (bound instanceof Expression expression) {
          return expression.withPrefix(argument.getPrefix());
        }
      }
      return argument;
    }
  }
}
