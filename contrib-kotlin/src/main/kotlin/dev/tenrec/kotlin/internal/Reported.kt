// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin.internal

import io.reactivex.rxjava3.core.Flowable
import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.TimeoutCancellationException

/**
 * What a caller gets of an exception. A call that was cancelled from elsewhere is no cancellation of
 * the caller's coroutine, which would end without a word by the exception that stands for it.
 */
internal fun reported(key: String, error: Throwable): Throwable =
    if (error is CancellationException && error !is TimeoutCancellationException) {
      IllegalStateException("the call of $key was cancelled, as by its Tenrec's closing", error)
    } else {
      error
    }

/** The same items, their error as it is reported. */
internal fun <R : Any> Flowable<R>.reporting(key: String): Flowable<R> =
    onErrorResumeNext { error -> Flowable.error(reported(key, error)) }
