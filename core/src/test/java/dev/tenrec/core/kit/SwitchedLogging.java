// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.simple.SimpleServiceProvider;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The tests' logging back end: slf4j-simple, and before each line what a test has switched on. It
 * is named by the system property {@code slf4j.provider}, which the build sets.
 */
public final class SwitchedLogging implements SLF4JServiceProvider {

  /** What happens to a line; may throw, and may block. */
  @FunctionalInterface
  public interface Switch {

    /**
     * Before a line is written, on the thread that logs it.
     *
     * @param logger whose line it is
     * @return whether it is written
     */
    boolean onLine(String logger);
  }

  private static final String PROPERTY = "slf4j.provider";

  private static final Switch QUIET = logger -> true;

  /** Written by the test that switches, read by every thread that logs. */
  private static volatile Switch now = QUIET;

  private final SimpleServiceProvider simple = new SimpleServiceProvider();
  private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
  private final ILoggerFactory factory = name -> loggers.computeIfAbsent(name, this::logger);

  /**
   * Fails unless lines come by here. A test that is to have loggers throw or block would have
   * nothing to show otherwise, and must not be skipped for that: no build would notice.
   */
  public static void requireInstalled() {
    Logger present = LoggerFactory.getLogger(SwitchedLogging.class);
    if (!(present instanceof Switched)) {
      throw new AssertionError(
          "SLF4J logs by "
              + present.getClass().getName()
              + ". Run this with "
              + PROPERTY
              + "="
              + SwitchedLogging.class.getName()
              + ", as core/pom.xml has surefire do; now it is "
              + System.getProperty(PROPERTY));
    }
  }

  /**
   * From information upwards, from now on, until the returned switch is closed. One test at a time.
   */
  public static AutoCloseable on(Switch lines) {
    now = Objects.requireNonNull(lines);
    return () -> now = QUIET;
  }

  private Logger logger(String name) {
    return new Switched(name, simple.getLoggerFactory().getLogger(name));
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return factory;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return simple.getMarkerFactory();
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return simple.getMDCAdapter();
  }

  @Override
  public String getRequestedApiVersion() {
    return simple.getRequestedApiVersion();
  }

  @Override
  public void initialize() {
    simple.initialize();
  }

  private static final class Switched extends LegacyAbstractLogger {

    private final transient Logger simple;

    public Switched(String name, Logger simple) {
      this.name = name;
      this.simple = simple;
    }

    @Override
    public boolean isTraceEnabled() {
      return simple.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
      return simple.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
      return now != QUIET || simple.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
      return now != QUIET || simple.isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
      return now != QUIET || simple.isErrorEnabled();
    }

    @Override
    protected String getFullyQualifiedCallerName() {
      return Switched.class.getName();
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String pattern, Object[] arguments, Throwable thrown) {
      if (!now.onLine(name)) {
        return;
      }
      String line = MessageFormatter.basicArrayFormat(pattern, arguments);
      switch (level) {
        case ERROR -> simple.error(line, thrown);
        case WARN -> simple.warn(line, thrown);
        case INFO -> simple.info(line, thrown);
        case DEBUG -> simple.debug(line, thrown);
        case TRACE -> simple.trace(line, thrown);
      }
    }
  }
}
