// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the annotations' loggers write while this is open, from the level info on. */
public final class LoggedLines implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.tenrec.annotations");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
      };

  /** Begins to listen. */
  public LoggedLines() {
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
