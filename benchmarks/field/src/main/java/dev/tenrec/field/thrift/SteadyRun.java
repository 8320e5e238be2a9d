// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.Result;

/**
 * What one level of the closed load on one consumer came to.
 *
 * @param setup who took part
 * @param users how many called at once
 * @param result of the driver
 * @param cpuPercent cores in use by the provider, in per cent; more than 100 if it is several
 */
record SteadyRun(Setup setup, int users, Result result, double cpuPercent) {}
