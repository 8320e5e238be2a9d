// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.Mistake;
import dev.tenrec.annotations.internal.declaration.DeclaredCollapser;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.DeclaredRemoval;
import dev.tenrec.annotations.internal.declaration.FallbackMethod;
import dev.tenrec.annotations.internal.declaration.Fallbacks;
import dev.tenrec.annotations.internal.declaration.Signatures;
import dev.tenrec.annotations.internal.invocation.ProxyMethods;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.MethodMatchers;

/**
 * Finds annotated methods whose advice is not applied when a command calls them past the bean's
 * proxy: fallbacks, and batch methods that the proxy does not have. What a fallback was to remove
 * from a cache is such advice, too. Advice that matches methods without annotations, as an aspect
 * for all of a package, is not looked at.
 */
final class UnappliedAdvice {

  private static final Logger LOG = LoggerFactory.getLogger(UnappliedAdvice.class);

  private UnappliedAdvice() {}

  /** Warns of fallbacks, and returns what is wrong with batch methods. */
  static List<Mistake> find(Advised proxy, ClassCommands commands) {
    Class<?> type = commands.declared().type();
    Set<Method> removing =
        commands.declared().removals().stream()
            .map(DeclaredRemoval::method)
            .collect(Collectors.toSet());
    fallbacks(commands).stream()
        .filter(fallback -> !fallback.isCommand())
        .map(FallbackMethod::method)
        .distinct()
        .filter(method -> removing.contains(method) || isAdvised(proxy, method, type))
        .forEach(
            method ->
                LOG.warn(
                    "{} is called without its advice, {}: a command calls its fallback on the bean"
                        + " itself, not through the proxy. Make the fallback a command as well, or"
                        + " let it call a bean that has the advice",
                    Signatures.where(type, method),
                    annotations(method, removing.contains(method))));
    return commands.declared().collapsers().stream()
        .map(DeclaredCollapser::batch)
        .map(DeclaredCommand::method)
        .distinct()
        .filter(method -> ProxyMethods.visible(proxy.getClass(), method) == null)
        .filter(method -> isAdvised(proxy, method, type))
        .map(
            method ->
                new Mistake(
                    Signatures.where(type, method),
                    "a batch method with advice, "
                        + annotations(method, false)
                        + ", and a proxy that"
                        + " does not have the method, so that the advice is not applied",
                    "a method that is not final and that a subclass can override, with a proxy of"
                        + " the class (proxyTargetClass = true), or one in an interface"))
        .toList();
  }

  private static Set<FallbackMethod> fallbacks(ClassCommands commands) {
    Set<FallbackMethod> all = new LinkedHashSet<>();
    Stream.concat(
            commands.declared().commands().stream(),
            commands.declared().collapsers().stream().map(DeclaredCollapser::batch))
        .forEach(
            command -> {
              Fallbacks fallbacks = command.fallbacks();
              if (fallbacks != null) {
                all.addAll(fallbacks.bySpecificity());
              }
            });
    return all;
  }

  private static boolean isAdvised(Advised proxy, Method method, Class<?> type) {
    return method.getAnnotations().length > 0
        && !Modifier.isPrivate(method.getModifiers())
        && Arrays.stream(proxy.getAdvisors())
            .anyMatch(advisor -> isOther(advisor) && matches(advisor, method, type));
  }

  private static boolean isOther(Advisor advisor) {
    return !(advisor instanceof CommandAdvisor) && advisor != ExposeInvocationInterceptor.ADVISOR;
  }

  private static boolean matches(Advisor advisor, Method method, Class<?> type) {
    return advisor instanceof PointcutAdvisor pointed
        && !CommandAdvisor.isOfCommands(pointed.getPointcut())
        && MethodMatchers.matches(pointed.getPointcut().getMethodMatcher(), method, type, false);
  }

  /** Those of the method, and that by which it removes, which a method above it may have. */
  private static String annotations(Method method, boolean removes) {
    return Stream.concat(
            Arrays.stream(method.getAnnotations()).map(Annotation::annotationType),
            removes ? Stream.of(CacheRemove.class) : Stream.empty())
        .map(annotation -> "@" + annotation.getSimpleName())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
