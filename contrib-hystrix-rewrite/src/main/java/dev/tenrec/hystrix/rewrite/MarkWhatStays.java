// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Writes a comment where a source uses what has no counterpart in Tenrec. It runs before names
 * change.
 */
public final class MarkWhatStays extends ScanningRecipe<Set<String>> {

  private static final Set<String> NOT_TO_EXTEND =
      Set.of(
          "com.netflix.hystrix.HystrixCommandProperties",
          "com.netflix.hystrix.HystrixThreadPoolProperties",
          "com.netflix.hystrix.HystrixCollapserProperties",
          "com.netflix.hystrix.HystrixCommandMetrics",
          "com.netflix.hystrix.HystrixCircuitBreaker");

  private static final Set<String> FIELDS =
      Set.of("metrics", "properties", "commandKey", "commandGroup", "circuitBreaker", "threadPool");

  private static final String STRATEGY =
      "com.netflix.hystrix.strategy.concurrency.HystrixConcurrencyStrategy";

  private static final Set<String> POOLS = Set.of("getThreadPool", "getBlockingQueue");

  /** What subclasses of commands could override there; without its annotation it would compile. */
  private static final Set<String> OF_COMMANDS =
      Set.of(
          "commandIsScalar",
          "decomposeException",
          "getExceptionFromThrowable",
          "getFallbackMethodName",
          "isFallbackUserDefined",
          "isRequestCachingEnabled",
          "shouldNotBeWrapped",
          "shouldOutputOnNextEvents");

  private static final Map<MethodMatcher, String> METHODS = methods();

  private static Map<MethodMatcher, String> methods() {
    Map<MethodMatcher, String> methods = new LinkedHashMap<>();
    String circuit = "the engine alone says what it saw: leave it out";
    methods.put(new MethodMatcher("com.netflix.hystrix.HystrixCircuitBreaker mark*(..)"), circuit);
    methods.put(
        new MethodMatcher("com.netflix.hystrix.HystrixCircuitBreaker attemptExecution()"), circuit);
    methods.put(
        new MethodMatcher("com.netflix.hystrix.HystrixThreadPoolMetrics getThreadPool()"),
        "there is no ThreadPoolExecutor; use the gauges beside it");
    methods.put(
        new MethodMatcher(
            "com.netflix.hystrix.HystrixCollapserProperties.Setter withCollapsingEnabled(..)"),
        "it had no use: leave it out");
    methods.put(
        new MethodMatcher("com.netflix.hystrix.Hystrix*Metrics getInstance(*, *, ..)"),
        "getInstance with the key alone");
    methods.put(
        new MethodMatcher(
            "com.netflix.hystrix.HystrixCircuitBreaker.Factory getInstance(*, *, ..)"),
        "getInstance with the key alone");
    for (String plugin : Set.of("PropertiesStrategy", "DynamicProperties")) {
      methods.put(
          new MethodMatcher("com.netflix.hystrix.strategy.HystrixPlugins *" + plugin + "(..)"),
          "no counterpart: HystrixTenrec.builder().source(..)");
    }
    return methods;
  }

  /** For OpenRewrite. */
  public MarkWhatStays() {}

  @Override
  public String getDisplayName() {
    return "Mark what has no counterpart in Tenrec";
  }

  @Override
  public String getDescription() {
    return "Writes a comment, with what to do, where a source uses a type or a method of Hystrix, "
        + "javanica or RxJava 1 that these recipes do not move.";
  }

  /** Which types the sources declare themselves: those in Hystrix's packages are moved with it. */
  @Override
  public Set<String> getInitialValue(ExecutionContext ctx) {
    return new HashSet<>();
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getScanner(Set<String> declared) {
    return new JavaIsoVisitor<>() {
      @Override
      public J.CompilationUnit visitCompilationUnit(
          J.CompilationUnit unit, ExecutionContext context) {
        for (J.ClassDeclaration type : unit.getClasses()) {
          JavaType.FullyQualified known = type.getType();
          if (known != null) {
            declared.add(known.getFullyQualifiedName());
          }
        }
        return unit;
      }
    };
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor(Set<String> declared) {
    return FromHystrix.only(new Marker(declared));
  }

  private static final class Marker extends JavaIsoVisitor<ExecutionContext> {

    private final Set<String> declared;

    Marker(Set<String> declared) {
      this.declared = declared;
    }

    @Override
    public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext ctx) {
      J.CompilationUnit visited = super.visitCompilationUnit(unit, ctx);
      Map<String, String> left = new LinkedHashMap<>(); // advice, by type
      for (JavaType used : unit.getTypesInUse().getTypesInUse()) {
        JavaType.FullyQualified type = TypeUtils.asFullyQualified(used);
        String advice = type == null ? null : adviceFor(type.getFullyQualifiedName());
        if (type != null && advice != null) {
          left.put(type.getFullyQualifiedName(), advice);
        }
      }
      List<J.Import> imports = new ArrayList<>();
      for (J.Import named : visited.getImports()) {
        String advice = adviceFor(named);
        left.remove(named.getTypeName());
        imports.add(advice == null ? named : Marks.before(named, advice));
      }
      visited = visited.withImports(imports);
      if (left.isEmpty() || visited.getClasses().isEmpty()) {
        return visited;
      }
      List<J.ClassDeclaration> classes = new ArrayList<>(visited.getClasses());
      for (String advice : left.values().stream().distinct().sorted().toList()) {
        boolean imported = imports.stream().anyMatch(named -> advice.equals(adviceFor(named)));
        if (!imported) {
          classes.set(0, Marks.before(classes.get(0), advice));
        }
      }
      return visited.withClasses(classes);
    }

    private @Nullable String adviceFor(String type) {
      return declared.contains(Counterparts.owner(type)) ? null : Counterparts.adviceFor(type);
    }

    /** An import of all types of a package says nothing of any: their uses are looked at. */
    private @Nullable String adviceFor(J.Import named) {
      return named.getTypeName().endsWith("*") ? null : adviceFor(named.getTypeName());
    }

    @Override
    public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration type, ExecutionContext ctx) {
      J.ClassDeclaration visited = super.visitClassDeclaration(type, ctx);
      TypeTree parent = visited.getExtends();
      JavaType.FullyQualified extended =
          parent == null ? null : TypeUtils.asFullyQualified(parent.getType());
      if (extended != null && NOT_TO_EXTEND.contains(extended.getFullyQualifiedName())) {
        return Marks.before(
            visited,
            extended.getClassName()
                + " cannot be extended: HystrixTenrec.builder() has what it was extended for");
      }
      return visited;
    }

    @Override
    public J.MethodDeclaration visitMethodDeclaration(
        J.MethodDeclaration method, ExecutionContext ctx) {
      J.MethodDeclaration visited = super.visitMethodDeclaration(method, ctx);
      JavaType.Method signature = visited.getMethodType();
      if (signature != null
          && visited.getSimpleName().equals("getCacheKey")
          && TypeUtils.isAssignableTo(
              "com.netflix.hystrix.HystrixObservableCommand", signature.getDeclaringType())) {
        return Marks.before(
            visited, "streams have no request cache: a HystrixCommand whose answer is a list");
      }
      String advice = signature == null ? null : adviceFor(signature);
      return advice == null ? visited : Marks.before(visited, advice);
    }

    /** What a class of the user's overrides that is not there. */
    private static @Nullable String adviceFor(JavaType.Method signature) {
      if (OF_COMMANDS.contains(signature.getName())
          && TypeUtils.isAssignableTo(
              "com.netflix.hystrix.AbstractCommand", signature.getDeclaringType())) {
        return "nothing asks this of a command: leave it out";
      }
      return POOLS.contains(signature.getName())
              && TypeUtils.isAssignableTo(STRATEGY, signature.getDeclaringType())
          ? "pools and queues are Tenrec's own: leave it out"
          : null;
    }

    @Override
    public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext ctx) {
      J.MethodInvocation visited = super.visitMethodInvocation(call, ctx);
      for (Map.Entry<MethodMatcher, String> left : METHODS.entrySet()) {
        if (left.getKey().matches(call)) {
          return Marks.within(visited, left.getValue());
        }
      }
      return visited;
    }

    @Override
    public J.Identifier visitIdentifier(J.Identifier name, ExecutionContext ctx) {
      J.Identifier visited = super.visitIdentifier(name, ctx);
      JavaType.Variable field = visited.getFieldType();
      JavaType.FullyQualified owner =
          field == null ? null : TypeUtils.asFullyQualified(field.getOwner());
      if (owner != null
          && owner.getFullyQualifiedName().equals("com.netflix.hystrix.AbstractCommand")
          && FIELDS.contains(visited.getSimpleName())) {
        return Marks.within(
            visited, "no field: getMetrics(), getProperties(), getCommandKey(), ..");
      }
      return visited;
    }
  }
}
