// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A dynamic value was refused. */
@Name("dev.tenrec.SettingRefused")
@Label("Setting refused")
@Category("Tenrec")
@Description("A dynamic value was refused")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class SettingRefusedEvent extends Event {

  @Label("Key")
  @Nullable String key;

  @Label("Value")
  @Nullable String value;

  @Label("Rule")
  @Nullable String rule;

  /** 0 if it is not known. */
  @Label("Version")
  long version;

  @Label("Author")
  @Nullable String author;
}
