// SPDX-License-Identifier: Apache-2.0
package kotlin.coroutines;

/** Stands for Kotlin's: the last parameter of what a suspend function is compiled to. */
public interface Continuation<T> {}
