// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What loggers write while this is open, from the level info on. */
public final class LoggedLines implements AutoCloseable {

  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
      };

  /** Begins to listen to the annotations' loggers. */
  public LoggedLines() {
    this("dev.tenrec.annotations");
  }

  /** Begins to listen to a logger and those below it. */
  public LoggedLines(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    appender.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  /** The lines that have this text. */
  public List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(null);
  }
}
