import * as abi from '@sextant/engine-as/abi/backtest.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import { type BookPosition, type BookTrailing, CLOSE_GUARDS, type Guards } from '../../src/positions/bookTypes.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import type { BacktestInput, BacktestResult, Candles } from '../../src/protocol.ts';
import { backtest } from '../../src/tasks/backtest.ts';
import { indicators } from '../../src/tasks/indicators.ts';
import { rulesOf, tierRows } from '../../src/tasks/rules.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomCandles, randomCosts, randomParams, seededRandom } from '../support/randomRuns.ts';

const MINUTE_MS = 60_000;
const key = 'binance BTCUSDT';
const runs = Number(process.env['PARITY_RUNS'] ?? 150);

let runner: Engine;
let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await testEngine());
  runner = instantiate(module);
}, engineTimeoutMs);

/** What both sides have to agree on, bit by bit. */
interface Trade {
  side: number;
  entryTimeMs: number;
  entryPrice: number;
  quantity: number;
  exitTimeMs: number;
  exitPrice: number;
  reason: string;
  fees: number;
}

const reasons: Record<string, string> = { TP: 'TP', SL: 'SL', LIQ: 'LIQ' };

/** A run whose exits the watch can make: market targets, no slippage, no time barrier; everything else is random. */
function randomRun(seed: number, isGuarded: boolean): BacktestInput {
  const random = seededRandom(seed);
  const candles = randomCandles(random, 400, MINUTE_MS);
  const params = randomParams(random);
  delete params.holdingBarsMax;
  delete params.trailing.activationFraction;
  // A position in ATR mode carries no step (AUTO-024).
  if (params.trailing.mode === 'atr') params.trailing.stepFraction = 0;
  const costs = { ...randomCosts(random, candles), slippageFraction: 0, stopSlippageFraction: 0, initialEquity: 1e9 };
  costs.takeProfitOrder = 'market';
  delete costs.funding;
  if (isGuarded) {
    // Nothing that lies nearer than the guard asks for.
    params.trailing.enabled = false;
    params.stopLossFraction = 0.003 + random() * 0.05;
    params.takeProfitFraction = 0.003 + random() * 0.05;
  }
  return { candles, params, costs, scoredCount: 300 };
}

function trailingOf({ params: { trailing } }: BacktestInput): BookTrailing {
  if (!trailing.enabled) return { mode: 'off' };
  if (trailing.mode === 'atr') return { mode: 'atr', atrMultiplier: trailing.atrMultiplier ?? 0 };
  return { mode: 'percent', callbackFraction: trailing.callbackFraction, stepFraction: trailing.stepFraction };
}

function atrColumn({ candles, params: { trailing } }: BacktestInput): Float64Array | undefined {
  const found = indicators(runner, {
    candles,
    requests: [{ id: 'atr', params: { period: trailing.atrPeriod ?? 14 } }],
  });
  return found.ok ? Object.values(found.value.series['atr'] ?? {})[0] : undefined;
}

/** Opens by the engine's own opening; undefined when it refuses. */
function open(engine: Engine, input: BacktestInput, i: number, side: number): BookPosition | undefined {
  const mark = engine.raw.arenaMark();
  const rulesAt = engine.push(rulesOf(input.params, input.costs, input.scoredCount));
  const tiers = input.costs.tiers ?? [];
  const tiersAt = engine.push(tierRows(tiers));
  const stateAt = engine.reserve(abi.POSITION_LENGTH);
  const { time, open: opens } = input.candles;
  const [at, price] = [time[i] as number, opens[i] as number];
  const answer = engine.raw.openPosition(rulesAt, tiersAt, tiers.length, stateAt, side, at, price, Infinity);
  const state = engine.pull(stateAt, abi.POSITION_LENGTH);
  engine.raw.arenaRelease(mark);
  if (answer !== abi.OPEN_DONE) return undefined;
  const get = (slot: number): number => state[slot] as number;
  const liquidation = get(abi.POSITION_LIQUIDATION_PRICE);
  const { trailing } = input.params;
  return {
    id: String(i),
    side: side > 0 ? 'LONG' : 'SHORT',
    entryTimeMs: at,
    entryPrice: get(abi.POSITION_ENTRY_PRICE),
    quantity: get(abi.POSITION_QUANTITY),
    leverage: input.costs.leverage,
    stopPrice: get(abi.POSITION_STOP_PRICE),
    targetPrice: get(abi.POSITION_TARGET_PRICE),
    liquidationPrice: Number.isNaN(liquidation) ? null : liquidation,
    bestPrice: get(abi.POSITION_ENTRY_PRICE),
    isArmed: false,
    tickSize: input.costs.tickSize ?? 0,
    takerFeeFraction: input.costs.takerFeeFraction,
    trailing: trailingOf(input),
    atr: trailing.enabled && trailing.mode === 'atr' ? { interval: '1m', period: trailing.atrPeriod ?? 14 } : null,
  };
}

/** A trader who decides by the backtest's score and leaves every exit to the watch. */
function watched(
  input: BacktestInput,
  score: Float64Array,
  guards: Guards,
): { trades: Trade[]; openId: string | null } {
  const engine = instantiate(module);
  const helper = instantiate(module);
  const book = new PositionBook(engine, guards);
  const atr = input.params.trailing.enabled && input.params.trailing.mode === 'atr' ? atrColumn(input) : undefined;
  const { candles, params } = input;
  const start = candles.time.length - input.scoredCount;
  const trades: Trade[] = [];
  let current: BookPosition | undefined;
  let pending = 0;
  for (let i = start; i < candles.time.length; i++) {
    if (pending !== 0 && (candles.volume[i] as number) > 0) {
      current = open(helper, input, i, pending);
      if (current !== undefined) book.add(key, current);
    }
    for (const event of book.candle(key, barAt(candles, i), () => atr?.[i] ?? Number.NaN)) {
      if (event.kind !== 'closed' || current === undefined) continue;
      trades.push({
        ...{ side: current.side === 'LONG' ? 1 : -1, entryTimeMs: current.entryTimeMs, entryPrice: current.entryPrice },
        ...{ quantity: current.quantity, exitTimeMs: event.atMs - MINUTE_MS, exitPrice: event.price },
        reason: event.reason,
        fees: input.costs.takerFeeFraction * (current.quantity * current.entryPrice) + event.exitFee,
      });
      current = undefined;
    }
    pending = current === undefined ? sideOf(score[i - start] as number, params.entryThreshold) : 0;
  }
  return { trades, openId: current?.id ?? null };
}

const sideOf = (score: number, threshold: number): number => (score >= threshold ? 1 : score <= -threshold ? -1 : 0);

const barAt = ({ time, open, high, low, close, volume }: Candles, i: number) => ({
  ...{ timeMs: time[i] as number, spanMs: MINUTE_MS, open: open[i] as number, high: high[i] as number },
  ...{ low: low[i] as number, close: close[i] as number, volume: volume[i] as number },
});

const ofBacktest = ({ trades }: BacktestResult): Trade[] =>
  trades
    .filter(({ closeReason }) => closeReason in reasons)
    .map((trade) => ({
      ...{ side: trade.side === 'LONG' ? 1 : -1, entryTimeMs: trade.entryTimeMs, entryPrice: trade.entryPrice },
      ...{ quantity: trade.quantity, exitTimeMs: trade.exitTimeMs, exitPrice: trade.exitPrice },
      reason: trade.closeReason,
      fees: trade.fees,
    }));

function compare(seed: number, isGuarded: boolean, guards: Guards): number {
  const input = randomRun(seed, isGuarded);
  runner.raw.arenaReset();
  const result = backtest(runner, '0'.repeat(64), input);
  if (!result.ok) return 0; // leverage the tier does not allow, mostly
  runner.raw.arenaReset();
  const mine = watched(input, result.value.score, guards);
  const theirs = ofBacktest(result.value);
  const exact = (trades: readonly Trade[]) => trades.map((trade) => ({ ...trade, fees: 0 }));
  expect(exact(mine.trades)).toEqual(exact(theirs));
  mine.trades.forEach(({ fees }, i) => expect(fees).toBeCloseTo(theirs[i]?.fees ?? Number.NaN, 9));
  // What the backtest closes by force at its end is still open here.
  expect(mine.openId !== null).toBe(result.value.trades.some(({ closeReason }) => closeReason === 'END'));
  return theirs.length;
}

describe('the watch and the backtest, given the same candles', () => {
  it('make the identical list of trades, whatever the parameters', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        count += compare(seed, false, { ageMs: 0, moveFraction: 0 });
      }),
      { numRuns: runs, seed: 20260101 },
    );
    expect(count).toBeGreaterThan(runs * 2);
  });

  it('do so with the guards of the live product too, when no level lies within 0.2 % of the entry', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        count += compare(seed, true, CLOSE_GUARDS);
      }),
      { numRuns: runs, seed: 20260102 },
    );
    expect(count).toBeGreaterThan(runs * 2);
  });
});
