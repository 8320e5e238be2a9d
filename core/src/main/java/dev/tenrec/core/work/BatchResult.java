// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers of a batch that also knows members which failed alone. As a map it has the answers only,
 * so that it can be returned wherever a batch returns its map:
 *
 * <pre>{@code
 * return BatchResult.of(found).failed(id, new UserGoneException(id));
 * }</pre>
 *
 * <p>A member that failed alone gets this exception; for the circuit breaker the batch is a
 * success. Not thread-safe.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
public final class BatchResult<A extends @Nullable Object, R extends @Nullable Object>
    extends AbstractMap<A, R> {

  private final Map<A, R> answers;
  private final Map<A, Throwable> failures = new HashMap<>();

  private BatchResult(Map<A, R> answers) {
    this.answers = answers;
  }

  /** No answer and no failure yet. */
  public static <A extends @Nullable Object, R extends @Nullable Object> BatchResult<A, R> empty() {
    return new BatchResult<>(new HashMap<>());
  }

  /** These answers, copied. */
  public static <A extends @Nullable Object, R extends @Nullable Object> BatchResult<A, R> of(
      Map<A, R> answers) {
    return new BatchResult<>(new HashMap<>(answers));
  }

  /**
   * Answers one member.
   *
   * @param argument what it asked with; may be null
   * @param answer what it gets; may be null
   */
  public BatchResult<A, R> answered(A argument, R answer) {
    answers.put(argument, answer);
    return this;
  }

  /**
   * Fails the members that ask for this argument, even if there is an answer for it as well.
   *
   * @param argument what they asked with; may be null
   * @param error what their callers get
   */
  public BatchResult<A, R> failed(A argument, Throwable error) {
    failures.put(argument, Objects.requireNonNull(error, "error"));
    return this;
  }

  /** The members that failed alone, with their errors; cannot be changed. */
  public Map<A, Throwable> failures() {
    return Collections.unmodifiableMap(failures);
  }

  /** The answers; cannot be changed. */
  @Override
  public Set<Map.Entry<A, R>> entrySet() {
    return Collections.unmodifiableMap(answers).entrySet();
  }

  @Override
  public boolean containsKey(@Nullable Object argument) {
    return answers.containsKey(argument);
  }

  @Override
  public @Nullable R get(@Nullable Object argument) {
    return answers.get(argument);
  }

  @Override
  public String toString() {
    return failures.isEmpty() ? super.toString() : super.toString() + ", failed " + failures;
  }
}
