// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

/** Limits a description's functions to the innermost command. */
@DslMarker
@Target(AnnotationTarget.CLASS)
@Retention(AnnotationRetention.BINARY)
public annotation class CommandDsl
