// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A setting has another value. */
@Name("dev.tenrec.SettingChange")
@Label("Setting changed")
@Category("Tenrec")
@Description("A setting has another value")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class SettingChangeEvent extends Event {

  @Label("Scope")
  @Nullable String scope;

  @Label("Key")
  @Nullable String key;

  @Label("Property")
  @Nullable String property;

  @Label("Old Value")
  @Nullable String oldValue;

  @Label("New Value")
  @Nullable String newValue;

  /** 0 if it is not known. */
  @Label("Version")
  long version;

  @Label("Author")
  @Nullable String author;
}
