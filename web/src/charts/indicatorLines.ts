import {
  CCI_BREAKOUT,
  MFI_OVERBOUGHT,
  MFI_OVERSOLD,
  RSI_OVERBOUGHT,
  RSI_OVERSOLD,
  STOCHRSI_OVERBOUGHT,
  STOCHRSI_OVERSOLD,
} from '@sextant/engine-as/abi/defaults.ts';
import { indicatorEntry, registry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry } from '@sextant/engine-as/abi/registryTypes.ts';
import type { Candles, IndicatorSeries } from '@sextant/workers/src/protocol/backtest.ts';
import { runEngineTask } from '../engine/enginePool.ts';
import { formatFixed } from '../format/number.ts';
import { type ChartOverlay, type LinePane, plotColumn, type PlotLine, seriesColours } from './chartModel.ts';

/** Indicators in the menu of a chart, grouped by where they are drawn. */
export const indicatorChoices: readonly { title: string; entries: readonly IndicatorEntry[] }[] = [
  { title: 'On the price', entries: registry.filter(({ isPriceLevel }) => isPriceLevel) },
  { title: 'Below the candles', entries: registry.filter(({ isPriceLevel }) => !isPriceLevel) },
];

export interface IndicatorLines {
  overlays: readonly ChartOverlay[];
  panes: readonly LinePane[];
}

/** Short names as traders write them, with their parameters: `BOLL 20 2`, `EMA50`. A period of 0 means the day, and is omitted. */
export function indicatorLabel({ id, parameters }: IndicatorEntry): string {
  const values = parameters.map((parameter) => parameter.default).filter((value) => value !== 0);
  return [id.toUpperCase(), ...values].join(' ');
}

/** Display names of outputs whose registry name is technical. */
const outputNames: Partial<Record<string, string>> = {
  plusDi: '+DI',
  minusDi: '−DI',
  senkouA: 'span A',
  senkouB: 'span B',
  swingHigh: 'high',
  swingLow: 'low',
  level236: '23.6 %',
  level382: '38.2 %',
  level500: '50 %',
  level618: '61.8 %',
  level786: '78.6 %',
  pivot: 'P',
  r1: 'R1',
  s1: 'S1',
  r2: 'R2',
  s2: 'S2',
  r3: 'R3',
  s3: 'S3',
};

/** An output of 1 or -1 is a direction that styles a line, not a line. */
const shownOutputs = ({ outputs }: IndicatorEntry) => outputs.filter(({ unit }) => unit !== '-1 or 1');

const SUB_PANE_WEIGHT = 0.32;
/** Customary guide levels of these scales: the levels at which the votes turn, and zero. */
const guides: Partial<Record<string, readonly number[]>> = {
  rsi: [RSI_OVERSOLD, RSI_OVERBOUGHT],
  mfi: [MFI_OVERSOLD, MFI_OVERBOUGHT],
  stochrsi: [STOCHRSI_OVERSOLD, STOCHRSI_OVERBOUGHT],
  cci: [-CCI_BREAKOUT, 0, CCI_BREAKOUT],
  macd: [0],
};

/**
 * Lines of the selected indicators: prices over the candles, each other in a separate pane. Unknown ids are left out: another version of
 * this page may have stored them.
 * @param series absent while it is computed: the panes are there, without values
 */
export function linesOf(ids: readonly string[], decimals: number, series: IndicatorSeries | undefined): IndicatorLines {
  const overlays: ChartOverlay[] = [];
  const panes: LinePane[] = [];
  for (const id of ids) {
    const entry = indicatorEntry(id);
    if (entry === undefined) continue;
    const used = entry.isPriceLevel ? overlays.length : 0;
    const lines = shownOutputs(entry).map(({ name }, at): PlotLine => {
      // All lines of one band share a colour: colours distinguish indicators.
      const colour = seriesColours[(entry.isPriceLevel ? used : at) % seriesColours.length] ?? 'series-1';
      const values = series?.[id]?.[name];
      return {
        label: outputNames[name] ?? name,
        values: values === undefined ? [] : plotColumn(values),
        colour,
        isFilled: false,
        isBars: name === 'histogram',
      };
    });
    const [first, ...others] = lines;
    if (first === undefined) continue;
    if (entry.isPriceLevel) overlays.push({ id, label: indicatorLabel(entry), lines });
    else panes.push(paneOf(entry, first, others, decimals));
  }
  return { overlays, panes };
}

function paneOf(entry: IndicatorEntry, first: PlotLine, others: readonly PlotLine[], decimals: number): LinePane {
  const isPrice = entry.outputs[0]?.unit === 'quote';
  return {
    ...first,
    id: `indicator.${entry.id}`,
    label: indicatorLabel(entry),
    others,
    levels: guides[entry.id] ?? [],
    weight: SUB_PANE_WEIGHT,
    format: (value) => formatFixed(value, isPrice ? decimals : 2),
  };
}

/** The series of the selected indicators, computed by the engine in a worker. @throws WordedError when the engine rejects the task */
export async function computeIndicators(candles: Candles, ids: readonly string[]): Promise<IndicatorSeries> {
  const known = ids.filter((id) => indicatorEntry(id) !== undefined);
  const requests = known.map((id) => ({ id, as: id }));
  return (await runEngineTask('indicators', { candles, requests })).series;
}
