import type { Run } from '../backtestState.ts';
import { paramsToJson } from '../params.ts';
import { csvText } from './csvCell.ts';

/** Where a run came from and what it was run with, in the names of the API. Fundings and candles are in the hash of the data. */
function headOf({ loaded, params, costs, scoredCount }: Run) {
  const { funding, ...plain } = costs;
  const { time } = loaded.candles;
  return {
    ...{ label: loaded.label, interval: loaded.interval, source: loaded.source, exchange: loaded.exchange },
    ...{ firstCandleMs: time[0] ?? null, lastCandleMs: time.at(-1) ?? null },
    ...{ loaded: time.length, scored: scoredCount, params: paramsToJson(params), costs: plain },
    fundingCount: funding?.time.length ?? 0,
  };
}

/** Everything but the candles, as JSON: numbers in full, so that the run can be checked against its hashes. */
export function runJson(run: Run): string {
  const { summary, analysis, trades, equity, hashes } = run.result;
  return `${JSON.stringify({ ...headOf(run), hashes, summary, analysis, trades, equity: Array.from(equity) }, null, 1)}\n`;
}

/** One figure a line: its name and its value in full. */
export function resultsCsv(run: Run): string {
  const { params, costs, ...head } = headOf(run);
  const { weights, trailing, ...rules } = params;
  const { sharpe, sortino, droppedSignals, ...figures } = run.result.summary;
  const named = (prefix: string, record: object): [string, string | number | boolean | null][] =>
    Object.entries(record).map(([name, value]) => [`${prefix}${name}`, value as number | null]);
  return csvText([
    ['name', 'value'],
    ...named('', head),
    ...named('', figures),
    ...named('', { sharpe: sharpe.value, sortino: sortino.value }),
    ...named('', run.result.analysis),
    ...named('dropped.', droppedSignals),
    ...named('params.', rules),
    ...named('params.trailing.', trailing),
    ...named('params.weights.', weights),
    ...named('costs.', costs),
    ...named('hash.', run.result.hashes),
  ]);
}
