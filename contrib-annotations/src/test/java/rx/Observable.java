// SPDX-License-Identifier: Apache-2.0
package rx;

/** Stands for RxJava 1's, which is known by its name. */
public class Observable<T> {}
