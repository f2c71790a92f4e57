import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { type Evidence, recompute } from '@sextant/workers/src/alerts/recompute.ts';
import { formulaValue, hashOfCandles, indicatorValues } from '@sextant/workers/src/alerts/values.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import type { AlertReceipt } from '../../api/types.ts';
import { type Exchange, fetchCandles } from '../../data/market.ts';
import { compiledEngine } from '../../engine/enginePool.ts';

export interface RecomputeResult {
  /** The decision from the evidence is that of the server. */
  isSame: boolean;
  text: string;
}

/** Value from the candles of the receipt; undefined when they changed since. */
async function valueFromCandles(condition: AlertCondition, candles: Candles): Promise<number> {
  const engine = instantiate((await compiledEngine()).module);
  if (condition.kind === 'formula') return formulaValue(engine, condition, candles);
  if (condition.kind !== 'indicator') return Number.NaN;
  const values = indicatorValues(engine, condition, candles);
  return values.ok ? (values.value.at(-1) ?? Number.NaN) : Number.NaN;
}

/** Decides again in this browser with the functions of the server: from the stored values, for indicators and formulas from the candles. */
export async function recomputeReceipt({ condition, evidence }: AlertReceipt): Promise<RecomputeResult> {
  const { basis } = evidence;
  if (basis?.kind !== 'candles') return resultOf(condition, evidence, undefined);
  const { symbol, close_ms: endTimeMs, count: limit } = basis;
  const interval = basis.interval as keyof typeof intervalMs;
  const exchange = basis.exchange as Exchange;
  const { candles } = await fetchCandles({ exchange, symbol, interval, limit, endTimeMs });
  if (hashOfCandles(candles) !== basis.hash)
    return {
      isSame: false,
      text: 'The exchange has changed these candles since. The stored value cannot be recomputed.',
    };
  return resultOf(condition, evidence, await valueFromCandles(condition, candles));
}

function resultOf(condition: AlertCondition, evidence: Evidence, value: number | undefined): RecomputeResult {
  const again = recompute(condition, evidence, value);
  const isSame = again.fires && Object.is(again.value, evidence.value);
  return {
    isSame,
    text: isSame
      ? 'Same decision: this browser fires it from the same values.'
      : `Different: this browser gets ${again.value} and ${again.fires ? 'fires' : 'does not fire'}.`,
  };
}
