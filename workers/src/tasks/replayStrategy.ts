import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { indexFrom } from '../candles/candleColumns.ts';
import { ok } from '../core/result.ts';
import { withoutUndefined } from '../core/withoutUndefined.ts';
import type { Engine } from '../engine/engine.ts';
import type { EnsembleInput, EnsembleResult, EnsembleTimeframe } from '../protocol/ensemble.ts';
import { endings, type ReplaySignalsResult, type ReplayStrategyInput } from '../protocol/replaySignals.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import { closesBySignal, isClosedBy } from '../signals/closingSignals.ts';
import { CANDLES_MAX } from '../signals/outcome.ts';
import { rulesOfStrategy } from '../signals/signalRules.ts';
import { deadlineOfTrade, type StrategyTrade, TradeSettler } from '../signals/strategyTrade.ts';
import { ownColumns } from './ensemble/ownSignal.ts';
import { atrSeries, signalOfScore } from './ensemble/signalOfScore.ts';
import { pushParameters, pushTimeframe } from './ensemble/timeframes.ts';
import { validateEnsemble } from './ensemble/validate.ts';
import { rejectDeadMarket } from './notTrading.ts';
import { columnsOf, cut, type Row, scoresOf, settledOutcome } from './replaySignals.ts';

/**
 * The signal of a saved strategy at each base candle of the series, as the scanner's task gives it on the candles closed by then, and its
 * outcome by the strategy's own exits on the base candles after it. News has no say.
 */
export function replayStrategy(
  engine: Engine,
  engineHash: string,
  input: ReplayStrategyInput,
): TaskResult<ReplaySignalsResult> {
  const { timeframes, fromIndex, universeDays } = input;
  const rules = ensembleOf(input);
  const valid = validateEnsemble(rules);
  if (!valid.ok) return valid;
  const [first] = timeframes;
  if (first === undefined) throw new Error('validateEnsemble lets no empty list through');
  if (!(Number.isInteger(fromIndex) && fromIndex >= 0))
    return fail('bad_input', `fromIndex is ${fromIndex}, must be a whole number from 0 on`, 'fromIndex');
  const columns = decidedAt(engine, rules, first);
  if (!columns.ok) return columns;
  const days = universeDays === undefined ? undefined : new Set(universeDays);
  const { candles, stepMs } = first;
  const settle = settlerOf(engine, input, first, columns.value);
  const rows: Row[] = [];
  let openCount = 0;
  for (let i = fromIndex; i < candles.time.length; i++) {
    // A signal of a candle that closes at midnight is of the new day.
    const day = Math.floor(((candles.time[i] ?? 0) + stepMs) / DAY_MS) * DAY_MS;
    if (days?.has(day) === false) continue;
    if (rejectDeadMarket(cut(candles, 0, i + 1), 'timeframes') !== undefined) continue;
    const row = settle(i);
    if (row === 'open') openCount += 1;
    else if (row !== undefined) rows.push(row);
  }
  return ok({ signals: columnsOf(rows), openCount, engineHash });
}

const ensembleOf = ({ strategy, version, timeframes, ruleInputs }: ReplayStrategyInput): EnsembleInput => ({
  ...rulesOfStrategy({ value: strategy, version }),
  timeframes,
  ...withoutUndefined({ ruleInputs }),
});

type Decided = Pick<EnsembleResult, 'direction' | 'rawConfidence' | 'levels' | 'horizonMinutes' | 'exits'>;

interface Columns {
  /** Undefined where a vote is not defined. */
  at: (i: number) => Decided | undefined;
  /** The average true range at each base candle. */
  atrs: Float64Array;
}

/** Scores of the whole series, once: a candle has no effect on the signals before its close. */
function decidedAt(engine: Engine, input: EnsembleInput, first: EnsembleTimeframe): TaskResult<Columns> {
  const { close } = first.candles;
  const columnsOver = (
    scores: Float64Array,
    atrs: Float64Array,
    exitsAt?: (i: number) => Decided['exits'],
  ): Columns => ({
    atrs,
    at(i) {
      const score = scores[i] ?? Number.NaN;
      if (Number.isNaN(score)) return undefined;
      const mark = engine.raw.arenaMark();
      const given = { score, atr: atrs[i] ?? Number.NaN, price: close[i] ?? Number.NaN };
      const decided = signalOfScore(engine, input, given);
      engine.raw.arenaRelease(mark);
      return { ...decided, ...withoutUndefined({ exits: exitsAt?.(i) }) };
    },
  });
  if (input.ownRules !== undefined) {
    const own = ownColumns(engine, input, input.ownRules);
    return own.ok ? ok(columnsOver(own.value.scores, own.value.atrs, own.value.exitsAt)) : own;
  }
  const parametersAt = pushParameters(engine, input.parameters);
  const base = pushTimeframe(engine, { ...first, parametersAt }, new Map());
  const context = input.timeframes
    .slice(1)
    .map((each) => pushTimeframe(engine, { ...each, parametersAt }, new Map(), base));
  const scores = scoresOf(engine, [base, ...context], { timeframes: input.timeframes, rules: input });
  return ok(columnsOver(scores, atrSeries(engine, base, input.atrPeriod ?? ATR_PERIOD)));
}

/** The row of the signal at a base candle: undefined without a signal, `open` while its time is not over or a candle is missing. */
function settlerOf(
  engine: Engine,
  { strategy, hasEnded = false }: ReplayStrategyInput,
  { candles, stepMs }: EnsembleTimeframe,
  { at, atrs }: Columns,
): (i: number) => Row | 'open' | undefined {
  const settler = new TradeSettler(engine);
  const endMs = (candles.time.at(-1) ?? 0) + stepMs;
  const rangeAt = (atMs: number): number => atrs[indexFrom(candles.time, atMs - stepMs + 1) - 1] ?? Number.NaN;
  const decided = memoised(at);
  return (i) => {
    const signal = decided(i);
    if (signal === undefined || signal.direction === 'NEUTRAL') return undefined;
    const { direction, rawConfidence, levels } = signal;
    if (levels === null || signal.horizonMinutes === null) return undefined;
    const price = candles.close[i] ?? Number.NaN;
    const closeAtMs = (candles.time[i] ?? Number.NaN) + stepMs;
    const { stopLossPrice: stopLoss, takeProfitPrice: takeProfit } = levels;
    const { horizonMinutes } = signal;
    const trade = {
      id: 'replayed',
      direction,
      price,
      stopLoss,
      takeProfit,
      issuedAtMs: closeAtMs,
      horizonMinutes,
      strategy,
    };
    // An exit at the deadline is at the open of the candle after it, which is not there either.
    const isCut = deadlineOfTrade(trade) >= endMs;
    if (isCut && !hasEnded) return 'open';
    const side = direction === 'LONG' ? 1 : -1;
    const given = { candles: cut(candles, i + 1, i + 1 + CANDLES_MAX), stepMs, rangeAt };
    const oppositeMs = closesBySignal(strategy, direction) ? oppositeOf(trade, decided, { candles, stepMs }, i) : null;
    const outcome =
      settler.settle(trade, { ...given, oppositeMs }) ??
      (isCut ? settledOutcome({ side, price, closeAtMs }, candles, stepMs, i) : null);
    if (outcome === null) return 'open';
    const { exitAtMs, netFraction, isAmbiguous } = outcome;
    const ending = endings.findIndex((each) => each === outcome.outcome);
    const row = { closeAtMs, side, rawConfidence, price, stopLoss, takeProfit, horizonMinutes, ending };
    return { ...row, exitAtMs, netFraction, isAmbiguous: isAmbiguous ? 1 : 0 };
  };
}

/** Close of the first base candle after the entry whose signal closes the trade; null: none before its deadline. */
function oppositeOf(
  trade: StrategyTrade & { strategy: Strategy },
  decided: (i: number) => Decided | undefined,
  { candles, stepMs }: Pick<EnsembleTimeframe, 'candles' | 'stepMs'>,
  i: number,
): number | null {
  const deadlineMs = deadlineOfTrade(trade);
  for (let k = i + 1; k < candles.time.length; k++) {
    const closeMs = (candles.time[k] ?? Number.NaN) + stepMs;
    if (closeMs > deadlineMs) return null;
    const turn = decided(k);
    if (turn !== undefined && isClosedBy(turn, trade.direction, trade.strategy)) return closeMs;
  }
  return null;
}

function memoised<T>(at: (i: number) => T): (i: number) => T {
  const known = new Map<number, T>();
  return (i) => {
    if (!known.has(i)) known.set(i, at(i));
    return known.get(i) as T;
  };
}
