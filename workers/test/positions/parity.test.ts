import { POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import { type BookPosition, type BookTrailing, CLOSE_GUARDS, type Guards } from '../../src/positions/bookTypes.ts';
import { exitFee } from '../../src/positions/plan.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import type { BacktestInput, BacktestResult, Candles } from '../../src/protocol/backtest.ts';
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
  funding: number;
}

const reasons: Record<string, string> = { TP: 'TP', SL: 'SL', LIQ: 'LIQ', TIME: 'TIME' };

type Kind = 'live' | 'guarded' | 'all' | 'timed';

/**
 * `live`: the rules of a live position: market targets, the stop slippage, no activation, no time barrier; everything else is random.
 * `guarded`: the same, beyond the guards of closing. `all`: every rule of a backtest but the time barrier. `timed`: with the time barrier,
 * where the owner closes the position at the open by hand: at the price of the moment, so without slippage.
 */
function randomRun(seed: number, kind: Kind): BacktestInput {
  const random = seededRandom(seed);
  const candles = randomCandles(random, 400, MINUTE_MS);
  const params = randomParams(random);
  if (kind === 'all' || kind === 'timed') {
    const costs = { ...randomCosts(random, candles), initialEquity: 1e9 };
    if (kind === 'all') delete params.holdingBarsMax;
    else {
      params.holdingBarsMax = 1 + Math.floor(random() * 20);
      costs.slippageFraction = 0;
      // Prices of a market lie on its ticks.
      if (costs.tickSize !== undefined) costs.tickSize = 0.01;
    }
    return { candles, params, costs, scoredCount: 300 };
  }
  delete params.holdingBarsMax;
  delete params.trailing.activationFraction;
  // A position in ATR mode carries no step.
  if (params.trailing.mode === 'atr') params.trailing.stepFraction = 0;
  const costs = { ...randomCosts(random, candles), slippageFraction: 0, initialEquity: 1e9 };
  costs.stopSlippageFraction = STOP_SLIPPAGE;
  costs.takeProfitOrder = 'market';
  delete costs.funding;
  if (kind === 'guarded') {
    // No level nearer than the guard requires.
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
  const outcome = indicators(runner, {
    candles,
    requests: [{ id: 'atr', params: { period: trailing.atrPeriod ?? 14 } }],
  });
  return outcome.ok ? Object.values(outcome.value.series['atr'] ?? {})[0] : undefined;
}

/** Opens by the engine's own opening; undefined when it rejects. */
function open(engine: Engine, input: BacktestInput, i: number, side: number): BookPosition | undefined {
  const mark = engine.raw.arenaMark();
  const rulesAt = engine.push(rulesOf(input.params, input.costs, input.scoredCount));
  const tiers = input.costs.tiers ?? [];
  const tiersAt = engine.push(tierRows(tiers));
  const stateAt = engine.reserve(POSITION_LENGTH);
  const { time, open: opens } = input.candles;
  const [at, price] = [time[i] as number, opens[i] as number];
  const response = engine.raw.openPosition(
    rulesAt,
    tiersAt,
    tiers.length,
    stateAt,
    side,
    at,
    price,
    Infinity,
    Number.NaN,
    0,
    Infinity,
  );
  const state = engine.pull(stateAt, POSITION_LENGTH);
  engine.raw.arenaRelease(mark);
  if (response !== abi.OPEN_DONE) return undefined;
  const get = (slot: number): number => state[slot] as number;
  const liquidation = get(positionSlot.liquidationPrice);
  const { trailing } = input.params;
  return {
    id: String(i),
    side: side > 0 ? 'LONG' : 'SHORT',
    entryTimeMs: at,
    entryPrice: get(positionSlot.entryPrice),
    quantity: get(positionSlot.quantity),
    leverage: input.costs.leverage,
    stopPrice: get(positionSlot.stopPrice),
    targetPrice: get(positionSlot.targetPrice),
    liquidationPrice: Number.isNaN(liquidation) ? null : liquidation,
    bestPrice: get(positionSlot.entryPrice),
    isArmed: false,
    tickSize: input.costs.tickSize ?? 0,
    takerFeeFraction: input.costs.takerFeeFraction,
    trailing: trailingOf(input),
    atr: trailing.enabled && trailing.mode === 'atr' ? { interval: '1m', period: trailing.atrPeriod ?? 14 } : null,
  };
}

/** Enters by the backtest's score and leaves every exit to the watch, except the one after a number of candles. */
class Trader {
  readonly trades: Trade[] = [];
  readonly #input: BacktestInput;
  readonly #book: PositionBook;
  readonly #helper = instantiate(module);
  readonly #rules: Float64Array | undefined;
  #held: BookPosition | undefined;
  #heldCount = 0;

  constructor(input: BacktestInput, { guards, kind }: { guards: Guards; kind: Kind }) {
    this.#input = input;
    this.#book = new PositionBook(instantiate(module), guards);
    const isLive = kind === 'live' || kind === 'guarded';
    this.#rules = isLive ? undefined : rulesOf(input.params, input.costs, input.scoredCount);
  }

  get heldId(): string | null {
    return this.#held?.id ?? null;
  }

  /** At the open of candle `i`. */
  enter(i: number, side: number): void {
    this.#held = open(this.#helper, this.#input, i, side);
    this.#heldCount = 0;
    if (this.#held !== undefined) this.#book.add(key, this.#held, this.#rules);
  }

  /** Closes by the price of this moment come first; else the position held long enough is closed. */
  leaveInTime(i: number): void {
    const { candles, params } = this.#input;
    const { holdingBarsMax = 0 } = params;
    const held = this.#held;
    if (held === undefined || holdingBarsMax === 0 || this.#heldCount < holdingBarsMax) return;
    const [time, price] = [candles.time[i] as number, candles.open[i] as number];
    const [event] = this.#book.tick(key, { price, mark: price, atMs: time });
    if (event?.kind === 'closed') {
      this.#leave(held, { exitTimeMs: time, exitPrice: event.price, reason: event.reason }, event.exitFee);
    } else {
      const fee = exitFee(held.quantity, price, held.takerFeeFraction);
      this.#leave(held, { exitTimeMs: time, exitPrice: price, reason: 'TIME' }, fee);
    }
  }

  watch(i: number, atr: number): void {
    this.#heldCount += 1;
    for (const event of this.#book.candle(key, barAt(this.#input.candles, i), () => atr)) {
      if (event.kind !== 'closed' || this.#held === undefined) continue;
      const exit = { exitTimeMs: event.atMs - MINUTE_MS, exitPrice: event.price, reason: event.reason };
      this.#leave(this.#held, exit, event.exitFee);
    }
  }

  #leave(held: BookPosition, exit: Pick<Trade, 'exitTimeMs' | 'exitPrice' | 'reason'>, fee: number): void {
    const side = held.side === 'LONG' ? 1 : -1;
    const entryFee = this.#input.costs.takerFeeFraction * (held.quantity * held.entryPrice);
    this.trades.push({
      side,
      entryTimeMs: held.entryTimeMs,
      entryPrice: held.entryPrice,
      quantity: held.quantity,
      ...exit,
      fees: entryFee + fee,
      funding: fundingOf(this.#input, held, exit.exitTimeMs + MINUTE_MS),
    });
    this.#book.remove(held.id);
    this.#held = undefined;
  }
}

function watched(
  input: BacktestInput,
  score: Float64Array,
  how: { guards: Guards; kind: Kind },
): { trades: Trade[]; openId: string | null } {
  const { candles, params } = input;
  const atr = params.trailing.enabled && params.trailing.mode === 'atr' ? atrColumn(input) : undefined;
  const start = candles.time.length - input.scoredCount;
  const trader = new Trader(input, how);
  let pending = 0;
  for (let i = start; i < candles.time.length; i++) {
    const isTraded = (candles.volume[i] as number) > 0;
    if (isTraded && pending !== 0) trader.enter(i, pending);
    if (isTraded) trader.leaveInTime(i);
    trader.watch(i, atr?.[i] ?? Number.NaN);
    pending = trader.heldId === null ? sideOf(score[i - start] as number, params.entryThreshold) : 0;
  }
  return { trades: trader.trades, openId: trader.heldId };
}

/** Funding that the watch charges: every stamp after the opening and before the close, which is dated at the end of its candle. */
function fundingOf({ candles, costs: { funding } }: BacktestInput, held: BookPosition, closedAtMs: number): number {
  if (funding === undefined) return 0;
  let paid = 0;
  funding.time.forEach((time, i) => {
    const stampMs = Math.floor(time / 1000) * 1000;
    if (stampMs <= held.entryTimeMs || stampMs >= closedAtMs) return;
    const mark = funding.mark?.[i] ?? candles.open[candles.time.indexOf(stampMs)] ?? Number.NaN;
    paid += (held.side === 'LONG' ? 1 : -1) * held.quantity * mark * (funding.rate[i] as number);
  });
  return paid;
}

const sideOf = (score: number, threshold: number): number => (score >= threshold ? 1 : score <= -threshold ? -1 : 0);

const barAt = ({ time, open, high, low, close, volume }: Candles, i: number) => ({
  timeMs: time[i] as number,
  spanMs: MINUTE_MS,
  open: open[i] as number,
  high: high[i] as number,
  low: low[i] as number,
  close: close[i] as number,
  volume: volume[i] as number,
});

const ofBacktest = ({ trades }: BacktestResult): Trade[] =>
  trades
    .filter(({ closeReason }) => closeReason in reasons)
    .map((trade) => ({
      side: trade.side === 'LONG' ? 1 : -1,
      entryTimeMs: trade.entryTimeMs,
      entryPrice: trade.entryPrice,
      quantity: trade.quantity,
      exitTimeMs: trade.exitTimeMs,
      exitPrice: trade.exitPrice,
      reason: trade.closeReason,
      fees: trade.fees,
      funding: trade.funding,
    }));

function compare(seed: number, kind: Kind, guards: Guards): Trade[] {
  const input = randomRun(seed, kind);
  runner.raw.arenaReset();
  const result = backtest(runner, '0'.repeat(64), input);
  if (!result.ok) return []; // leverage the tier does not allow, mostly
  runner.raw.arenaReset();
  const mine = watched(input, result.value.score, { guards, kind });
  // The position that the backtest closes by force at its end is still open here: END, or LIQ where the last price would lose more than the
  // margin.
  const heldAtMs = mine.openId === null ? null : input.candles.time[Number(mine.openId)];
  const forced = result.value.trades.filter(({ entryTimeMs }) => entryTimeMs === heldAtMs);
  expect(forced.every(({ closeReason }) => closeReason === 'END' || closeReason === 'LIQ')).toBe(true);
  expect(forced.every(({ exitTimeMs }) => exitTimeMs === input.candles.time.at(-1))).toBe(true);
  const isEnded = result.value.trades.some(({ closeReason }) => closeReason === 'END');
  expect(forced.length).toBe(Number(isEnded || mine.openId !== null));
  const theirs = ofBacktest(result.value).filter(({ entryTimeMs }) => entryTimeMs !== heldAtMs);
  const exact = (trades: readonly Trade[]) => trades.map((trade) => ({ ...trade, fees: 0, funding: 0 }));
  expect(exact(mine.trades)).toEqual(exact(theirs));
  mine.trades.forEach(({ fees, funding }, i) => {
    expect(fees).toBeCloseTo(theirs[i]?.fees ?? Number.NaN, 9);
    expect(funding).toBeCloseTo(theirs[i]?.funding ?? Number.NaN, 9);
  });
  return theirs;
}

const none: Guards = { ageMs: 0, moveFraction: 0 };

describe('the watch and the backtest, given the same candles', () => {
  it.each<[what: string, kind: Kind, guards: Guards, seed: number]>([
    ['whatever the parameters of a live position', 'live', none, 20260101],
    [
      'with the guards of the live product, when no level lies within 0.2 % of the entry',
      'guarded',
      CLOSE_GUARDS,
      20260102,
    ],
    ['with slippage, limit targets, steps, activation, ranges, fees and fundings', 'all', none, 20260103],
    ['with an owner who leaves at the open after a number of candles', 'timed', none, 20260104],
  ])('make the identical list of trades %s', (_what, kind, guards, seed) => {
    const trades: Trade[] = [];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (each) => {
        trades.push(...compare(each, kind, guards));
      }),
      { numRuns: runs, seed },
    );
    const count = (holds: (trade: Trade) => boolean): number => trades.filter(holds).length;
    expect(trades.length).toBeGreaterThan(runs * 2);
    // Both sides, and every way out that the rules have.
    for (const side of [1, -1]) expect(count((trade) => trade.side === side)).toBeGreaterThan(runs / 3);
    for (const reason of ['SL', 'TP']) expect(count((trade) => trade.reason === reason)).toBeGreaterThan(runs / 5);
    if (kind === 'timed') expect(count(({ reason }) => reason === 'TIME')).toBeGreaterThan(runs);
    if (kind === 'all') expect(count(({ funding }) => funding !== 0)).toBeGreaterThan(runs / 5);
  });
});
