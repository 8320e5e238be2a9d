// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JContainer;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JRightPadded;
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

  private static final String FUNC1 = "rx.functions.Func1";
  private static final String FUNC2 = "rx.functions.Func2";
  private static final String PREDICATE = "io.reactivex.rxjava3.functions.Predicate";
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

  /** After {@code toBlocking()}, those that ask for one item. */
  private static final Set<String> WAITING = Set.of("single", "first", "last");

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
      JavaType.Method method = call.getMethodType();
      if (method == null || !isOfRxOrBelow(method)) {
        return visited;
      }
      if (isBlocking(method)) {
        return blocking(call, visited, method);
      }
      String name = call.getSimpleName();
      if (name.equals("toBlocking")) {
        return isSelectOf(getCursor().getParentTreeCursor(), call)
            ? visited
            : Marks.within(visited, RxOperators.NO_BLOCKING);
      }
      if (name.equals("from")) {
        return from(visited, method);
      }
      if (name.equals("count") && isWaitedFor(call)) {
        return visited;
      }
      String advice = RxOperators.adviceFor(method);
      if (advice != null) {
        return Marks.within(visited, advice);
      }
      if (RxOperators.isOf(method, "rx.Observable")) {
        visited = ofObservable(call, visited, method);
      } else if (name.equals("subscribe") && takesObserver(method.getParameterTypes())) {
        return Marks.within(visited, "toObservable() before it: it takes an observer of its own");
      }
      String renamed = RxOperators.renamed(method, name);
      return renamed == null ? visited : named(visited, renamed);
    }

    /** Types of the application's own have their methods by those they extend. */
    private static boolean isOfRxOrBelow(JavaType.Method method) {
      return method.getDeclaringType().getFullyQualifiedName().startsWith("rx.")
          || RxOperators.renamed(method, method.getName()) != null;
    }

    private static boolean isBlocking(JavaType.Method method) {
      return TypeUtils.isOfClassType(method.getDeclaringType(), "rx.observables.BlockingObservable")
          || TypeUtils.isOfClassType(method.getDeclaringType(), "rx.singles.BlockingSingle");
    }

    /** A call of what {@code toBlocking()} answered. */
    private J.MethodInvocation blocking(
        J.MethodInvocation call, J.MethodInvocation visited, JavaType.Method method) {
      if (!(call.getSelect() instanceof J.MethodInvocation original)
          || !original.getSimpleName().equals("toBlocking")
          || !(visited.getSelect() instanceof J.MethodInvocation toBlocking)) {
        return Marks.within(
            visited, "RxJava 3 has no BlockingObservable, but blocking..() methods");
      }
      String name = BLOCKING.get(call.getSimpleName());
      if (name == null) {
        return Marks.within(visited, RxOperators.NO_BLOCKING);
      }
      J.MethodInvocation moved;
      if (RxOperators.isSelecting(method)) {
        moved = named(selected(visited, toBlocking), name);
      } else {
        moved = visited.getPadding().withSelect(toBlocking.getPadding().getSelect());
        if (isWaiting(call)
            && original.getSelect() instanceof J.MethodInvocation one
            && one.getMethodType() != null
            && isOne(one.getMethodType())) {
          moved = named(moved, "blockingGet");
          return one.getSimpleName().equals("count") ? behind(moved, "intValue") : moved;
        }
        moved = named(moved, name);
      }
      return call.getSimpleName().equals("singleOrDefault") ? withDefault(call, moved) : moved;
    }

    private static J.MethodInvocation withDefault(
        J.MethodInvocation call, J.MethodInvocation moved) {
      return call.getArguments().get(0) instanceof J.Literal literal && literal.getValue() == null
          ? Marks.within(moved, "null is no default in RxJava 3")
          : moved;
    }

    /** Whether its answer is a Single, or was made one. */
    private static boolean isOne(JavaType.Method method) {
      return RxOperators.ofOne(method) != null
          || method.getName().equals("count") && RxOperators.isOf(method, "rx.Observable");
    }

    private static boolean isWaiting(J.MethodInvocation call) {
      return WAITING.contains(call.getSimpleName())
          && call.getArguments().stream().allMatch(J.Empty.class::isInstance);
    }

    /** Whether {@code toBlocking().single()} and its like stand behind it. */
    private boolean isWaitedFor(J.MethodInvocation call) {
      Cursor behind = getCursor().getParentTreeCursor();
      return isSelectOf(behind, call)
          && behind.getValue() instanceof J.MethodInvocation toBlocking
          && toBlocking.getSimpleName().equals("toBlocking")
          && isSelectOf(behind.getParentTreeCursor(), toBlocking)
          && behind.getParentTreeCursor().getValue() instanceof J.MethodInvocation last
          && isWaiting(last);
    }

    private static boolean isSelectOf(Cursor behind, J.MethodInvocation call) {
      return behind.getValue() instanceof J.MethodInvocation next
          && next.getSelect() != null
          && next.getSelect().getId().equals(call.getId());
    }

    private static J.MethodInvocation from(J.MethodInvocation call, JavaType.Method method) {
      List<JavaType> parameters = method.getParameterTypes();
      if (!TypeUtils.isOfClassType(method.getDeclaringType(), "rx.Observable")
          && !TypeUtils.isOfClassType(method.getDeclaringType(), "rx.Single")) {
        return call;
      }
      if (parameters.size() == 2) {
        return Marks.within(call, "fromFuture(..) and subscribeOn(..)");
      }
      JavaType from = parameters.get(0);
      return named(
          call,
          from instanceof JavaType.Array
              ? "fromArray"
              : TypeUtils.isOfClassType(from, "java.util.concurrent.Future")
                  ? "fromFuture"
                  : "fromIterable");
    }

    private J.MethodInvocation ofObservable(
        J.MethodInvocation call, J.MethodInvocation visited, JavaType.Method method) {
      String name = call.getSimpleName();
      List<JavaType> parameters = method.getParameterTypes();
      if (name.equals("subscribe")) {
        return subscribed(visited, parameters);
      }
      if (name.equals("startWith")) {
        return startedWith(visited, parameters);
      }
      if (name.equals("onErrorResumeNext")
          && TypeUtils.isOfClassType(parameters.get(0), "rx.Observable")) {
        return named(visited, "onErrorResumeWith");
      }
      if (name.equals("toSortedList")
          && !call.getArguments().stream()
              .allMatch(one -> one instanceof J.Empty || isFunction(one))) {
        return Marks.within(visited, "toSortedList(..) takes a Comparator, and is a Single");
      }
      J.MethodInvocation moved =
          RxOperators.isTesting(method) ? tested(visited, parameters) : visited;
      if (RxOperators.isSelecting(method)) {
        moved = selected(moved, null);
        if (name.equals("takeFirst")) {
          return named(moved, "take").withArguments(List.of(one()));
        }
      }
      String single = RxOperators.ofOne(method);
      if (single == null) {
        return moved;
      }
      moved = named(moved, single);
      if (name.equals("reduce") && parameters.size() == 1) {
        moved = behind(moved, "toSingle");
      }
      if (!isWaitedFor(call)) {
        moved = behind(moved, "toObservable");
      }
      return name.endsWith("OrDefault") && !name.startsWith("elementAt")
          ? withDefault(call, moved)
          : moved;
    }

    /** An observer is subscribed without an answer, unless it is the answer itself. */
    private J.MethodInvocation subscribed(J.MethodInvocation call, List<JavaType> parameters) {
      if (!takesObserver(parameters)
          || getCursor().getParentTreeCursor().getValue() instanceof J.Block) {
        return call;
      }
      return call.getArguments().get(0) instanceof J.NewClass made
              && made.getClazz() != null
              && TypeUtils.isOfClassType(made.getClazz().getType(), DISPOSABLE_OBSERVER)
          ? named(call, "subscribeWith")
          : Marks.within(
              call,
              "subscribe(Observer) returns nothing: subscribeWith(..) of a DisposableObserver");
    }

    private static boolean takesObserver(List<JavaType> parameters) {
      return parameters.size() == 1 && TypeUtils.isAssignableTo("rx.Observer", parameters.get(0));
    }

    private static J.MethodInvocation startedWith(
        J.MethodInvocation call, List<JavaType> parameters) {
      if (TypeUtils.isOfClassType(parameters.get(0), "rx.Observable")) {
        return call;
      }
      if (TypeUtils.isOfClassType(parameters.get(0), "java.lang.Iterable")) {
        return named(call, "startWithIterable");
      }
      return named(call, parameters.size() == 1 ? "startWithItem" : "startWithArray");
    }

    /** Functions that answer a Boolean have become predicates. */
    private J.MethodInvocation tested(J.MethodInvocation call, List<JavaType> parameters) {
      int last = parameters.size() - 1;
      boolean ofTwo = last >= 0 && TypeUtils.isOfClassType(parameters.get(last), FUNC2);
      boolean ofOne =
          last >= 0
              && TypeUtils.isOfClassType(parameters.get(last), FUNC1)
              && !call.getSimpleName().equals("distinctUntilChanged");
      if (!ofOne && !ofTwo) {
        return call;
      }
      List<Expression> arguments = new ArrayList<>(call.getArguments());
      arguments.set(last, predicate(arguments.get(last)));
      return call.withArguments(arguments);
    }

    /** {@code filter(predicate)} in the place of the predicate; it may have a place already. */
    private J.MethodInvocation selected(
        J.MethodInvocation call, J.@Nullable MethodInvocation place) {
      List<Expression> arguments = new ArrayList<>(call.getArguments());
      Expression last = arguments.remove(arguments.size() - 1);
      Expression predicate = predicate(last.withPrefix(last.getPrefix().withWhitespace("")));
      J.MethodInvocation filter =
          (place == null
                  ? invocation(call.getPadding().getSelect(), "filter")
                  : named(place, "filter"))
              .withArguments(List.of(predicate));
      return call.withSelect(filter).withArguments(arguments.isEmpty() ? none() : arguments);
    }

    private static boolean isFunction(Expression expression) {
      return expression instanceof J.Lambda || expression instanceof J.MemberReference;
    }

    private Expression predicate(Expression function) {
      if (isFunction(function)) {
        return function;
      }
      if (function instanceof J.NewClass made
          && made.getBody() != null
          && made.getClazz() != null
          && TypeUtils.isOfClassType(made.getClazz().getType(), FUNC1)) {
        return predicateOfOne(made, made.getBody(), made.getClazz());
      }
      if (function instanceof J.Identifier
          || function instanceof J.FieldAccess
          || function instanceof J.MethodInvocation
          || function instanceof J.NewClass) {
        return new J.MemberReference(
            UUID.randomUUID(),
            function.getPrefix(),
            Markers.EMPTY,
            JRightPadded.build(function.withPrefix(Space.EMPTY)),
            null,
            JLeftPadded.build(identifier("apply", null)),
            null,
            null,
            null);
      }
      return Marks.within(function, "a Predicate");
    }

    private Expression predicateOfOne(J.NewClass made, J.Block body, TypeTree type) {
      maybeAddImport(PREDICATE, null, false);
      maybeRemoveImport(FUNC1);
      TypeTree predicate = renamedType(type, PREDICATE);
      if (predicate instanceof J.ParameterizedType parameterized
          && parameterized.getTypeParameters() != null) {
        predicate =
            parameterized.withTypeParameters(parameterized.getTypeParameters().subList(0, 1));
      }
      return made.withClazz(predicate)
          .withBody(body.withStatements(body.getStatements().stream().map(Calls::test).toList()));
    }

    /** {@code Boolean apply(T)} is {@code boolean test(T)}. */
    private static Statement test(Statement member) {
      if (!(member instanceof J.MethodDeclaration method)
          || !method.getSimpleName().equals("apply")
          || method.getReturnTypeExpression() == null) {
        return member;
      }
      return method
          .withName(method.getName().withSimpleName("test"))
          .withReturnTypeExpression(
              new J.Primitive(
                  UUID.randomUUID(),
                  method.getReturnTypeExpression().getPrefix(),
                  Markers.EMPTY,
                  JavaType.Primitive.Boolean));
    }

    private static J.Identifier identifier(String name, @Nullable JavaType type) {
      return new J.Identifier(
          UUID.randomUUID(), Space.EMPTY, Markers.EMPTY, List.of(), name, type, null);
    }

    private static List<Expression> none() {
      return List.of(new J.Empty(UUID.randomUUID(), Space.EMPTY, Markers.EMPTY));
    }

    private static Expression one() {
      return new J.Literal(
          UUID.randomUUID(), Space.EMPTY, Markers.EMPTY, 1, "1", null, JavaType.Primitive.Int);
    }

    private static J.MethodInvocation invocation(
        @Nullable JRightPadded<Expression> select, String name) {
      return new J.MethodInvocation(
          UUID.randomUUID(),
          Space.EMPTY,
          Markers.EMPTY,
          select,
          null,
          identifier(name, null),
          JContainer.build(none().stream().map(JRightPadded::build).toList()),
          null);
    }

    /** A call without arguments behind another. */
    private static J.MethodInvocation behind(J.MethodInvocation call, String name) {
      return invocation(JRightPadded.build(call.withPrefix(Space.EMPTY)), name)
          .withPrefix(call.getPrefix());
    }

    @Override
    public J.MemberReference visitMemberReference(
        J.MemberReference reference, ExecutionContext ctx) {
      J.MemberReference visited = super.visitMemberReference(reference, ctx);
      JavaType.Method method = reference.getMethodType();
      if (method == null || !isOfRxOrBelow(method)) {
        return visited;
      }
      String renamed = RxOperators.renamed(method, method.getName());
      if (renamed != null) {
        return visited
            .withReference(visited.getReference().withSimpleName(renamed))
            .withMethodType(method.withName(renamed));
      }
      String advice = RxOperators.adviceForName(method);
      return advice == null ? visited : Marks.within(visited, advice);
    }

    private static J.MethodInvocation named(J.MethodInvocation call, String name) {
      JavaType.Method method = call.getMethodType();
      JavaType.Method renamed = method == null ? null : method.withName(name);
      return call.withName(call.getName().withSimpleName(name).withType(renamed))
          .withMethodType(renamed);
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
      String renamed = method == null ? null : RxOperators.renamed(method, visited.getSimpleName());
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
          identifier(name.substring(name.lastIndexOf('.') + 1), JavaType.ShallowClass.build(name));
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
