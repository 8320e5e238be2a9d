// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import org.jspecify.annotations.Nullable;

/**
 * What can be invoked.
 *
 * @param <R> what it answers
 */
public interface HystrixInvokable<R extends @Nullable Object> {}
