// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

/** What is inside a description speaks of the innermost command. */
@DslMarker
@Target(AnnotationTarget.CLASS)
@Retention(AnnotationRetention.BINARY)
public annotation class CommandDsl
