// The board, which follows this, by Grafana's own types; what these leave open for data sources, Prometheus' source reads.
import type {AnnotationQuery, Dashboard, DataQuery, FieldConfigSource, GraphFieldConfig, Panel, RowPanel} from '@grafana/schema';
import type {Options} from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/** As it is in JSON, where an enum is one of its values. */
type Json<T> = T extends string ? `${T}` : T extends object ? {[K in keyof T]: Json<T[K]>} : T;

type Query = DataQuery & {expr: string; legendFormat: string};
type Lines = Omit<Panel, 'options' | 'fieldConfig' | 'targets'> & {
  type: 'timeseries';
  options: Options;
  fieldConfig: Omit<FieldConfigSource, 'defaults'> & {defaults: Omit<FieldConfigSource['defaults'], 'custom'> & {custom?: GraphFieldConfig}};
  targets: Query[];
};
// Prometheus' source moves the expression into the annotation's target, where the round trip does not know it.
type Annotations = {list: Array<AnnotationQuery & {expr: string}>};
type Board = Omit<Dashboard, 'panels' | 'annotations'> & {panels: Array<Lines | (RowPanel & {type: 'row'})>; annotations: Annotations};

export const board: Json<Board> =
