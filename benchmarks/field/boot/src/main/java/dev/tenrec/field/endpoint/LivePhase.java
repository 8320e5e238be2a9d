// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

/**
 * A part of the run in which settings change.
 *
 * @param title what was in force
 * @param source where it came from
 * @param knownMillis from the change until the pool had its new size; NaN if nothing was changed
 * @param feltMillis from the change until more threads were at work than in the phase before, or,
 *     if there should be fewer, no more than there should be; NaN if nothing was changed, or if it
 *     was not so for as long as a phase takes
 * @param coreSize of the pool
 * @param mostActive the most of its threads that were seen at work
 * @param pace what the driver saw
 */
record LivePhase(
    String title,
    String source,
    double knownMillis,
    double feltMillis,
    long coreSize,
    long mostActive,
    Watched.Pace pace) {}
