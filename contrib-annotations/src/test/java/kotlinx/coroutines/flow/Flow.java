// SPDX-License-Identifier: Apache-2.0
package kotlinx.coroutines.flow;

/** Stands for Kotlin's, which is known by its name. */
public interface Flow<T> {}
