import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import type { Engine } from '../engine/engine.ts';
import { liquidationPriceOf } from '../positions/plan.ts';
import { sizePosition, type SizingMarket } from '../positions/sizing.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { EnsembleResult } from '../protocol/ensemble.ts';
import type {
  Signal,
  SignalItem,
  SignalMeta,
  SignalPosition,
  SignalsInput,
  SignalSizing,
  SignalsResult,
} from '../protocol/signals.ts';
import { ensemble } from './ensemble.ts';
import { candleFields } from '../candles/candleColumns.ts';
import {
  type KnownSeries,
  type PushedSeries,
  pushIntegers,
  pushParameters,
  pushSeries,
} from './ensemble/timeframes.ts';
import { indicatorsOf } from './indicators.ts';
import { validateParameters } from './ensemble/validate.ts';
import { validateCandles } from './validateCandles.ts';
import { firstFailure } from './validateParams.ts';
import { ok } from '../core/result.ts';
import { withoutUndefined } from '../core/withoutUndefined.ts';

/** Bounds the time and the result of one task: a scan is sent in chunks of far fewer. */
const ITEMS_MAX = 1000;
const progressEvery = 10;
const noRules: SizingMarket = { tickSize: 0, stepSize: 0, minNotional: 0, maxQuantity: 0, maxLeverage: null };

/** The ensemble of every item, its levels and its position. */
export function signals(
  engine: Engine,
  engineHash: string,
  { items, rules, sizing }: SignalsInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<SignalsResult> {
  if (items.length > ITEMS_MAX)
    return fail('bad_input', `items holds ${items.length}, at most ${ITEMS_MAX} are taken`, 'items');
  const valid = firstFailure([
    () => validateSizing(sizing),
    () => validateParameters(rules.parameters, 'rules.parameters'),
  ]);
  if (!valid.ok) return valid;
  // Own rules have no votes.
  const shared =
    rules.ownRules === undefined ? sharedSeries(engine, pushParameters(engine, rules.parameters)) : undefined;
  const rows = items.map((item, i) => {
    const known: KnownSeries = shared?.of(item) ?? new Map();
    const mark = engine.raw.arenaMark();
    const signal = signalOf(engine, item, { rules, sizing, known });
    engine.raw.arenaRelease(mark);
    if ((i + 1) % progressEvery === 0 || i + 1 === items.length) onProgress?.({ done: i + 1, total: items.length });
    return { symbol: item.symbol, interval: item.timeframes[0]?.interval ?? '', signal };
  });
  return ok({ rows, engineHash });
}

/** Series cached in the arena at once; one symbol of a scan has three. */
const SHARED_MAX = 8;

/** The intervals of one symbol occur in several of its items: they are checked, copied in and voted on once. */
function sharedSeries(engine: Engine, parametersAt: number): { of: (item: SignalItem) => KnownSeries } {
  const mark = engine.raw.arenaMark();
  const known: KnownSeries = new Map();
  let symbol: string | undefined;
  return {
    of(item) {
      if (item.symbol !== symbol || known.size + item.timeframes.length > SHARED_MAX) {
        known.clear();
        engine.raw.arenaRelease(mark);
      }
      symbol = item.symbol;
      for (const timeframe of item.timeframes) {
        // Invalid candles are left for the item's own error.
        if (known.has(timeframe.candles) || !validateCandles(timeframe.candles, 1).ok) continue;
        known.set(timeframe.candles, pushSeries(engine, { ...timeframe, parametersAt }));
      }
      return known;
    },
  };
}

interface SignalContext extends Pick<SignalsInput, 'rules' | 'sizing'> {
  known: KnownSeries;
}

function signalOf(
  engine: Engine,
  { exchange, timeframes, market = noRules, news, ruleInputs }: SignalItem,
  { rules, sizing, known }: SignalContext,
): TaskResult<Signal> {
  const input = { ...rules, timeframes, ...withoutUndefined({ news, ruleInputs }) };
  const result = ensemble(engine, input, known);
  if (!result.ok) return result;
  const value = withoutScores(result.value);
  return ok({
    ensemble: value,
    position: positionOf(engine, value, { sizing, market, exchange }),
    meta: metaOf(engine, baseOf(engine, timeframes, known), value.atr),
  });
}

/** The scores of every candle are not needed in a list of signals, and are most of its size. */
function withoutScores(result: EnsembleResult): Omit<EnsembleResult, 'scores'> {
  const rest: Partial<EnsembleResult> = { ...result };
  delete rest.scores;
  return rest as Omit<EnsembleResult, 'scores'>;
}

function positionOf(
  engine: Engine,
  { direction, price, levels }: Omit<EnsembleResult, 'scores'>,
  { sizing, market, exchange }: { sizing: SignalSizing; market: SizingMarket; exchange: SignalItem['exchange'] },
): SignalPosition | null {
  if (direction === 'NEUTRAL') return null;
  const sign = direction === 'LONG' ? 1 : -1;
  const { ownStopFraction: own } = sizing;
  const ownStop = own === null ? undefined : price * (1 - sign * own);
  const stop = ownStop ?? levels?.stopLossPrice;
  const order = { side: direction, price, leverage: sizing.leverage, aiMultiplier: 1 };
  const sized = stop === undefined ? null : sizePosition(sizing, market, { ...order, stopPrice: stop }, sizing);
  const { quantity, multiplier, refusal, leverage, lossAtStopUsdt } = sized ?? {
    ...nothing,
    leverage: sizing.leverage,
  };
  const opened = { side: direction, price, quantity, leverage };
  const liquidationPrice = liquidationPriceOf(engine, opened, { ...sizing, exchange });
  return {
    leverage,
    quantity,
    multiplier,
    refusal,
    liquidationPrice,
    notionalUsdt: quantity * price,
    isStopNearer: stop === undefined || liquidationPrice === null || sign * stop > sign * liquidationPrice,
    lossAtStopUsdt: quantity > 0 ? lossAtStopUsdt : null,
  };
}

const nothing = { quantity: 0, multiplier: 0, refusal: null, lossAtStopUsdt: 0 };

type Columns = Pick<PushedSeries, 'columnsAt' | 'count'>;

/** Columns of the base, pushed here when no vote has needed them. */
function baseOf(engine: Engine, [base]: SignalItem['timeframes'], known: KnownSeries): Columns | undefined {
  if (base === undefined) return undefined;
  const { candles } = base;
  const at = (): number =>
    pushIntegers(
      engine,
      candleFields.map((name) => engine.push(candles[name])),
    );
  return known.get(candles) ?? { columnsAt: at(), count: candles.time.length };
}

function metaOf(engine: Engine, base: Columns | undefined, atr: number): SignalMeta {
  if (base === undefined) return { rsi: null, macd: null, atr: null };
  const series = indicatorsOf(engine, base.columnsAt, base.count, [{ id: 'rsi' }, { id: 'macd' }]);
  const last = (name: string, output: string): number | null => finite(series[name]?.[output]?.at(-1));
  return { rsi: last('rsi', 'rsi'), macd: last('macd', 'macd'), atr: finite(atr) };
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

function validateSizing(sizing: SignalSizing): TaskResult<null> {
  const within = (name: keyof SignalSizing, min: number, max: number) => (): TaskResult<null> => {
    const value = Number(sizing[name]);
    if (value >= min && value <= max) return ok(null);
    return fail('bad_input', `sizing.${name} is ${value}, must be ${min} to ${max}`, `sizing.${name}`);
  };
  return firstFailure([
    within('balanceUsdt', 0, 1e12),
    within('baseUsdt', 0, 1e12),
    within('riskFraction', 0, 1),
    within('freeUsdt', -1e15, 1e15),
    within('leverage', 1, LEVERAGE_MAX),
    within('maintenanceMarginFraction', 0, 0.5),
    within('takerFeeFraction', 0, 0.1),
    within('stopSlippageFraction', 0, 0.1),
  ]);
}
