// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;

/** One histogram of many commands, in seconds. */
public final class HistogramMetric implements MetricData {

  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create(Names.SCOPE);

  private final Resource resource;
  private final String name;
  private final String description;
  private final HistogramData data;

  public HistogramMetric(
      Resource resource, String name, String description, List<HistogramPointData> points) {
    this.resource = resource;
    this.name = name;
    this.description = description;
    this.data = HistogramData.create(AggregationTemporality.CUMULATIVE, points);
  }

  @Override
  public Resource getResource() {
    return resource;
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return SCOPE;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public String getDescription() {
    return description;
  }

  @Override
  public String getUnit() {
    return "s";
  }

  @Override
  public MetricDataType getType() {
    return MetricDataType.HISTOGRAM;
  }

  @Override
  public Data<?> getData() {
    return data;
  }
}
