// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tenrec.core.config.Property;

/**
 * Any text as a value is read, and read again as it is written, or refused with its key's name; as
 * a key it has one spelling, and is taken apart as it was put together.
 */
class PropertyJazzer {

  @FuzzTest(maxDuration = "2m")
  void anyText_asAValueAndAsAKey(FuzzedDataProvider input) {
    Property<?> property = input.pickValue(PropertyFuzzTest.ALL);
    String key = input.consumeString(40);
    String text = input.consumeRemainingAsString();
    PropertyFuzzTest.value(property, text);
    PropertyFuzzTest.spelling("tenrec." + text);
    PropertyFuzzTest.apart(text, property);
    PropertyFuzzTest.inBrackets(property.scope(), key, text);
  }
}
