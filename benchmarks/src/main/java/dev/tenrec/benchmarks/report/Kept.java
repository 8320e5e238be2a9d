// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.nio.file.Path;

/**
 * A file of figures, and the job it is read for, which may want some of its methods only.
 *
 * @param file what JMH wrote, or the footprint
 * @param job what is wanted of it
 */
record Kept(Path file, Job job) {}
