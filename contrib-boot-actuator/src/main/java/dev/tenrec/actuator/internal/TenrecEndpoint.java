// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * {@code /actuator/tenrec}: reads for everybody that it is exposed to, writes where {@code
 * management.endpoint.tenrec.access} is {@code unrestricted}. Boot turns everything else away
 * before it comes here.
 */
@WebEndpoint(id = "tenrec", defaultAccess = Access.READ_ONLY)
public final class TenrecEndpoint {

  private static final int NO_CONTENT = 204;
  private static final int CONFLICT = 409;
  private static final int UNPROCESSABLE = 422;

  /** What is written ends in journal and log: it is short, and one line. */
  private static final int LONGEST = 1_000;

  private static final String HOW = " (one line of at most " + LONGEST + " characters)";

  /** No name of one ends in another's. */
  private static final List<Property<?>> PROPERTIES =
      Stream.of(
              CommandProperties.all(),
              PoolProperties.all(),
              SemaphoreProperties.all(),
              RateLimiterProperties.all(),
              RetryBudgetProperties.all(),
              CollapserProperties.all())
          .<Property<?>>flatMap(List::stream)
          .toList();

  private final Tenrec tenrec;
  private final Sections sections;

  /** Of this Tenrec. */
  public TenrecEndpoint(Tenrec tenrec) {
    this.tenrec = tenrec;
    this.sections = new Sections(tenrec);
  }

  /** How many there are of what. */
  @ReadOperation
  public Map<String, Object> overview() {
    return sections.overview();
  }

  /**
   * A section, or one of its keys, as a parameter: so that a key may hold anything.
   *
   * @return with null, which is "not found", if there is no such thing
   */
  @ReadOperation
  public @Nullable Object section(@Selector String section, @Nullable String key) {
    return key == null ? sections.all(section) : sections.one(section, key);
  }

  /** One key of a section, as a part of the path. */
  @ReadOperation
  public @Nullable Object ofKey(@Selector String section, @Selector String key) {
    return sections.one(section, key);
  }

  /**
   * Changes something: {@code circuits} closes the circuit of {@code key} and says {@code why};
   * {@code settings} sets {@code property} to {@code value} in memory; {@code metrics} resets those
   * of {@code key}, or all.
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> write(
      @Selector String section,
      @Nullable String key,
      @Nullable String why,
      @Nullable String property,
      @Nullable String value) {
    return switch (section) {
      case "circuits" -> closeCircuit(key, why);
      case "settings" -> set(property, value);
      case "metrics" -> reset(key);
      default -> notFound("there is nothing to write at '" + section + "'");
    };
  }

  /** Takes a property out of memory again. */
  @DeleteOperation
  public WebEndpointResponse<Map<String, Object>> clear(
      @Selector String section, @Nullable String property) {
    if (!section.equals("settings")) {
      return notFound("there is nothing to delete at '" + section + "'");
    }
    if (property == null || !isPlain(property)) {
      return wrong("property: expected the full key of a property");
    }
    return inMemory(property, () -> tenrec.clear(property));
  }

  private WebEndpointResponse<Map<String, Object>> closeCircuit(
      @Nullable String key, @Nullable String why) {
    if (key == null || why == null || !isPlain(why)) {
      return wrong("key and why: expected the command's key, and what the journal is to say" + HOW);
    }
    if (!isThere(key)) {
      return notFound("there is no such command");
    }
    return new WebEndpointResponse<>(Map.of("closed", tenrec.closeCircuit(key, why)));
  }

  private WebEndpointResponse<Map<String, Object>> reset(@Nullable String key) {
    if (key == null) {
      tenrec.resetMetrics();
    } else if (isThere(key)) {
      tenrec.resetMetrics(key);
    } else {
      return notFound("there is no such command");
    }
    return new WebEndpointResponse<>(NO_CONTENT);
  }

  private WebEndpointResponse<Map<String, Object>> set(
      @Nullable String property, @Nullable String value) {
    if (property == null || value == null || !isPlain(property) || !isPlain(value)) {
      return wrong("property and value: expected the full key of a property, and a text" + HOW);
    }
    return inMemory(property, () -> tenrec.set(property, value));
  }

  /** Makes a change, and says what became of it. */
  private WebEndpointResponse<Map<String, Object>> inMemory(String property, Runnable change) {
    try {
      change.run();
    } catch (IllegalStateException elsewhere) {
      return new WebEndpointResponse<>(
          Map.of("error", Objects.requireNonNullElse(elsewhere.getMessage(), "")), CONFLICT);
    }
    // not the journal: it says nothing of a refused value that is set once more
    for (Refusal refusal : tenrec.resolvedSettings().refusals()) {
      if (isOf(property, refusal)) {
        return new WebEndpointResponse<>(
            Map.of("error", "refused, the last good value stays in force", "rule", refusal.rule()),
            UNPROCESSABLE);
      }
    }
    return new WebEndpointResponse<>(NO_CONTENT);
  }

  /**
   * Whether this property was refused, however it is written: a refusal has Tenrec's own spelling,
   * in which the instance's key is as it was written.
   */
  private static boolean isOf(String property, Refusal refusal) {
    return unspelt(property).equals(unspelt(refusal.key()))
        && property.contains(instanceOf(refusal.key()));
  }

  /** The instance's key in a full one; empty if that is no property of anything. */
  private static String instanceOf(String fullKey) {
    for (Property<?> property : PROPERTIES) {
      String scope = "." + property.scope() + ".";
      int begin = fullKey.indexOf(scope) + scope.length();
      int end = fullKey.length() - property.name().length() - 1;
      if (fullKey.contains(scope) && fullKey.endsWith("." + property.name()) && begin < end) {
        return fullKey.substring(begin, end);
      }
    }
    return "";
  }

  /** Without that in which spellings of one property differ. */
  private static String unspelt(String property) {
    return property.replaceAll("[-_.\\[\\]]", "").toLowerCase(Locale.ROOT);
  }

  private static boolean isPlain(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST
        && text.chars().noneMatch(Character::isISOControl);
  }

  private boolean isThere(String key) {
    return tenrec.commands().stream().anyMatch(command -> command.key().equals(key));
  }

  private static WebEndpointResponse<Map<String, Object>> notFound(String error) {
    return new WebEndpointResponse<>(Map.of("error", error), WebEndpointResponse.STATUS_NOT_FOUND);
  }

  private static WebEndpointResponse<Map<String, Object>> wrong(String error) {
    return new WebEndpointResponse<>(
        Map.of("error", error), WebEndpointResponse.STATUS_BAD_REQUEST);
  }
}
