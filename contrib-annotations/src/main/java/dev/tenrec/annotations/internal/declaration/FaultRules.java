// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Which exceptions are the caller's fault, which another attempt follows, and whether Tenrec's own
 * have a stack trace. A setting of the command's key counts over its annotation, that over a
 * setting for all; lists are not merged.
 *
 * @param settings what is said outside of annotations
 * @param key of the command
 */
public record FaultRules(StartUpSettings settings, String key) {

  /** Classes of exceptions, by name, with commas between them. */
  public static final String IGNORE_EXCEPTIONS = "ignoreExceptions";

  /** A bean that is a predicate of exceptions, by name. */
  public static final String IGNORE_IF = "ignoreIf";

  /** Classes of exceptions, by name, with commas between them. */
  public static final String RETRY_ON = "retryOn";

  /** A flag. */
  public static final String STACK_TRACES = "stackTraces";

  /** The names of all these settings, below the key of a command. */
  public static final List<String> NAMES =
      List.of(IGNORE_EXCEPTIONS, IGNORE_IF, RETRY_ON, STACK_TRACES);

  /**
   * Sets them on a builder.
   *
   * @param annotated the types that the annotations name
   * @param retries whether calls are attempted again
   * @throws InvalidSettingException if a setting names no class, no bean, is no flag, or says what
   *     to retry of a command that does not
   */
  public void applyTo(
      CommandOptions<?> options, List<Class<? extends Throwable>> annotated, boolean retries) {
    StartUpSettings.Written retryOn = settings.find(key, RETRY_ON);
    if (retryOn != null && !retries) {
      throw refused(retryOn, "must be of a command with attempts; its code says whether it has");
    }
    List<Class<? extends Throwable>> types = types(IGNORE_EXCEPTIONS, annotated);
    if (!types.isEmpty()) {
      CommandOptions<?> unused =
          options.ignoreIf(thrown -> types.stream().anyMatch(type -> type.isInstance(thrown)));
    }
    StartUpSettings.Written bean = nearest(IGNORE_IF);
    if (bean != null) {
      CommandOptions<?> unused = options.ignoreIf(predicate(bean));
    }
    StartUpSettings.Written traces = nearest(STACK_TRACES);
    if (traces != null) {
      boolean filled = CommandProperties.FALLBACK_ENABLED.read(traces.property(), traces.value());
      CommandOptions<?> unused = options.stackTraces(filled);
    }
  }

  /**
   * Which failures another attempt follows.
   *
   * @param annotated the types that the annotation names
   * @return empty for all of them
   * @throws InvalidSettingException if a setting names no class
   */
  List<Class<? extends Throwable>> retried(List<Class<? extends Throwable>> annotated) {
    return types(RETRY_ON, annotated);
  }

  private List<Class<? extends Throwable>> types(
      String name, List<Class<? extends Throwable>> annotated) {
    StartUpSettings.Written own = settings.find(key, name);
    if (own != null) {
      return classes(own);
    }
    StartUpSettings.Written global = settings.find(Property.GLOBAL, name);
    return !annotated.isEmpty() || global == null ? annotated : classes(global);
  }

  private StartUpSettings.@Nullable Written nearest(String name) {
    StartUpSettings.Written own = settings.find(key, name);
    return own != null ? own : settings.find(Property.GLOBAL, name);
  }

  private static List<Class<? extends Throwable>> classes(StartUpSettings.Written written) {
    List<Class<? extends Throwable>> classes = new ArrayList<>();
    for (String name : written.value().split(",", -1)) {
      if (!name.isBlank()) {
        classes.add(type(written, name.strip()));
      }
    }
    return List.copyOf(classes);
  }

  private static Class<? extends Throwable> type(StartUpSettings.Written written, String name) {
    Class<?> type;
    try {
      type = ClassUtils.forName(name, ClassUtils.getDefaultClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw refused(written, "must be names of exceptions' classes, and there is no " + name);
    }
    if (!Throwable.class.isAssignableFrom(type)) {
      throw refused(written, "must be names of exceptions' classes, and " + name + " is none");
    }
    return type.asSubclass(Throwable.class);
  }

  @SuppressWarnings("unchecked") // what is no Throwable is not given to it
  private Predicate<Throwable> predicate(StartUpSettings.Written written) {
    if (settings.bean(written.value().strip()) instanceof Predicate<?> predicate) {
      return (Predicate<Throwable>) predicate;
    }
    throw refused(
        written, "must be the name of a bean that is a java.util.function.Predicate<Throwable>");
  }

  private static InvalidSettingException refused(StartUpSettings.Written written, String rule) {
    return new InvalidSettingException(written.property(), written.value(), rule);
  }
}
