// Long because each rule of an open position has a script of prices.
import { beforeAll, describe, expect, it } from 'vitest';
import { instantiate } from '../../src/engine/engine.ts';
import { type BookPosition, type BookTrailing, CLOSE_GUARDS, type StepEvent } from '../../src/positions/bookTypes.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';

let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await testEngine());
}, engineTimeoutMs);

const key = 'binance BTCUSDT';
const start = 1_767_225_600_000; // a full minute
const off: BookTrailing = { mode: 'off' };
const percent: BookTrailing = { mode: 'percent', callbackFraction: 0.01, stepFraction: 0.005 };
const atr: BookTrailing = { mode: 'atr', atrMultiplier: 2 };

/** Quantity 2 at 10x, so the margin of an entry at 100 is 20 and the bankruptcy price 90 (long) or 110 (short). */
const position = (side: 'LONG' | 'SHORT', more: Partial<BookPosition>): BookPosition =>
  ({
    id: 'p',
    side,
    entryTimeMs: start,
    entryPrice: 100,
    quantity: 2,
    leverage: 10,
    bestPrice: 100,
    ...(side === 'LONG' ? { stopPrice: 98, targetPrice: 104, liquidationPrice: 91 } : {}),
    ...(side === 'SHORT' ? { stopPrice: 102, targetPrice: 96, liquidationPrice: 109 } : {}),
    isArmed: false,
    tickSize: 0,
    takerFeeFraction: 0.0005,
    trailing: off,
    atr: null,
    ...more,
  }) as BookPosition;

const L = (more: Partial<BookPosition> = {}) => position('LONG', more);
const S = (more: Partial<BookPosition> = {}) => position('SHORT', more);
/** A price `s` seconds after the opening; a different mark price after the slash. */
const t = (s: number, price: number, mark = price) => ({ tick: { price, mark, atMs: start + s * 1000 } });
/** The same with half of the distance between bid and ask. */
const b = (s: number, price: number, halfSpread: number) => ({
  tick: { ...t(s, price).tick, halfSpread },
});
/** The candle that opens `m` minutes after the opening. */
const c = (m: number, open: number, high: number, low: number, close: number, volume = 1) => ({
  bar: { timeMs: start + m * 60_000, spanMs: 60_000, open, high, low, close, volume },
});
type Step = ReturnType<typeof t> | ReturnType<typeof b> | ReturnType<typeof c>;

function play(opened: BookPosition, steps: readonly Step[], range = Number.NaN): StepEvent[] {
  const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
  book.add(key, opened);
  return steps.flatMap((step) =>
    'tick' in step ? book.tick(key, step.tick) : book.candle(key, step.bar, () => range),
  );
}

/** `SL 98 candle`, or `open`; with the active stop when it was moved. */
function outcome(events: readonly StepEvent[]): string {
  const closed = events.find(({ kind }) => kind === 'closed');
  const raised = events.findLast(({ kind }) => kind === 'trail_raised');
  if (closed?.kind === 'closed') return `${closed.reason} ${Number(closed.price.toFixed(6))} ${closed.by}`;
  return raised?.kind === 'trail_raised' ? `open, stop ${Number(raised.to.toFixed(6))}` : 'open';
}

/** A stop fills 0.02 % beyond its level, or the price seen: 98 x 0.9998 = 97.9804 for a long, 102 x 1.0002 = 102.0204 for a short. */
type Script = [what: string, opened: BookPosition, steps: Step[], expected: string];

const quiet = c(0, 100, 100.1, 99.9, 100);
const far = c(0, 100, 100.3, 99.9, 100);

/** The position leaves from second 90 on. */
const time = { exitDue: { atMs: start + 90_000, reason: 'TIME' as const } };

const halves = [101, 104].map((price) => ({ price, fraction: 0.5 }));

const ticks: Script[] = [
  // (97.9 - 0.05) x 0.9998 = 97.83043; (102.1 + 0.05) x 1.0002 = 102.17043.
  ['DESK-172 a stop pays half the spread and its slippage', L(), [b(61, 97.9, 0.05)], 'SL 97.83043 tick'],
  ['DESK-172 a short the same', S(), [b(61, 102.1, 0.05)], 'SL 102.17043 tick'],
  ['DESK-172 a spread that is known does not touch a level', L(), [b(61, 98.01, 0.05)], 'open'],
  ['DESK-172 X28 a target pays neither', L(), [b(61, 104.2, 0.05)], 'TP 104.2 tick'],
  // (90.1 - 0.2) x 0.9998 is beyond the bankruptcy price of 90, at a mark price of 97.
  [
    'DESK-172 X71 the spread counts for the bound of the margin',
    L(),
    [{ tick: { ...t(61, 90.1, 97).tick, halfSpread: 0.2 } }],
    'LIQ 90 tick',
  ],
  // (101 - 0.05) x 0.9999 = 100.939905; without a book 101 x 0.9999.
  ['DESK-172 an exit by time is a market order', L(time), [b(91, 101, 0.05)], 'TIME 100.939905 tick'],
  ['DESK-172 and slips without a book', L(time), [t(91, 101)], 'TIME 100.9899 tick'],
  ['DESK-172 by the open of a candle, too', L(time), [c(2, 101, 101, 101, 101)], 'TIME 100.9899 candle'],
  // The part closes at the open behind its target; the rest is short of its own and slips: 102 x 0.9999.
  [
    'DESK-172 what a part leaves of a position that is due leaves as a market order',
    L({ ...time, targetPrice: 101, targets: halves, stepSize: 0.001, minNotional: 0 }),
    [c(2, 102, 102, 102, 102)],
    'TIME 101.9898 candle',
  ],
  ['DESK-172 X28 a target that is reached then fills at the price', L(time), [b(91, 104.2, 0.05)], 'TP 104.2 tick'],
  ['AUTO-028 a long stops below its level, by the price seen', L(), [t(61, 97.9)], 'SL 97.88042 tick'],
  ['AUTO-028 a long stops at its level', L(), [t(61, 98)], 'SL 97.9804 tick'],
  ['a long stays open a hair above its stop', L(), [t(61, 98.01)], 'open'],
  ['AUTO-028 a long takes profit at its level', L(), [t(61, 104)], 'TP 104 tick'],
  ['AUTO-028 a long takes profit above its level, at the price seen', L(), [t(61, 104.5)], 'TP 104.5 tick'],
  ['a long stays open a hair below its target', L(), [t(61, 103.99)], 'open'],
  ['X71 a jump to 85 before the mark price moves loses the margin: 90', L(), [t(61, 85, 97)], 'LIQ 90 tick'],
  ['X71 a jump to 90.5 is a stop by the price seen', L(), [t(61, 90.5, 97)], 'SL 90.4819 tick'],
  ['X71 a jump to 90.02 loses hardly less than the margin', L(), [t(61, 90.02, 97)], 'SL 90.001996 tick'],
  ['X71 at 90 the stop would fill at 89.982, beyond the margin', L(), [t(61, 90, 97)], 'LIQ 90 tick'],
  ['X71 a short loses its margin at 110', S(), [t(61, 116, 103)], 'LIQ 110 tick'],
  ['X71 a short stops at 109.5 while the mark price is at 103', S(), [t(61, 109.5, 103)], 'SL 109.5219 tick'],
  ['X71 beyond all levels at once the liquidation comes first', L(), [t(61, 85)], 'LIQ 90 tick'],
  ['X71 a candle that falls through stop and liquidation', L(), [c(3, 99, 99, 80, 85)], 'SL 97.9804 candle'],
  ['X71 a candle that opens beyond both', L(), [c(3, 85, 86, 80, 85)], 'LIQ 90 candle'],
  ['X71 a short and a candle that opens beyond both', S(), [c(3, 116, 117, 115, 116)], 'LIQ 110 candle'],
  ['AUTO-029 a short stops at its level', S(), [t(61, 102)], 'SL 102.0204 tick'],
  // 97.9804 and 102.0204, rounded to the tick against the trader.
  ['a long pays the slippage to the tick', L({ tickSize: 0.1 }), [t(61, 98)], 'SL 97.9 tick'],
  ['a short pays the slippage to the tick', S({ tickSize: 0.1 }), [t(61, 102)], 'SL 102.1 tick'],
  ['AUTO-029 a short stops above its level', S(), [t(61, 102.5)], 'SL 102.5205 tick'],
  ['a short stays open below its stop', S(), [t(61, 101.99)], 'open'],
  ['AUTO-029 a short takes profit at its level', S(), [t(61, 96)], 'TP 96 tick'],
  ['AUTO-029 a short takes profit below its level', S(), [t(61, 95)], 'TP 95 tick'],
  ['a short stays open above its target', S(), [t(61, 96.01)], 'open'],
  ['AUTO-026 nothing closes in the first 60 s', L(), [t(59, 97)], 'open'],
  ['AUTO-026 not the target either', L(), [t(59.999, 105)], 'open'],
  ['AUTO-026 at 60 s it does', L(), [t(59, 97), t(60, 97)], 'SL 96.9806 tick'],
  ['AUTO-026 a short waits as well', S(), [t(30, 103), t(59, 103)], 'open'],
  ['AUTO-026 a stop at 0.1 % waits for a move of 0.2 %', L({ stopPrice: 99.9 }), [t(61, 99.85)], 'open'],
  ['AUTO-026 and closes where that is seen', L({ stopPrice: 99.9 }), [t(61, 99.8)], 'SL 99.78004 tick'],
  [
    'AUTO-026 a move of 0.2 % once is enough, in either direction',
    L({ stopPrice: 99.9 }),
    [t(61, 99.85), t(62, 100.2), t(63, 99.9)],
    'SL 99.88002 tick',
  ],
  ['AUTO-026 a move within the first 60 s does not count', L({ stopPrice: 99.9 }), [t(20, 100.5), t(61, 99.9)], 'open'],
  ['AUTO-026 a target at 0.1 % waits too', L({ targetPrice: 100.1 }), [t(61, 100.15)], 'open'],
  ['AUTO-026 and is taken at 0.2 %', L({ targetPrice: 100.1 }), [t(61, 100.2)], 'TP 100.2 tick'],
  ['AUTO-026 0.2 % of 0.3 is 0.0006, whatever the float says', tiny(), [t(61, 0.2994)], 'SL 0.29934 tick'],
  ['AUTO-026 a short with a stop at 0.1 %', S({ stopPrice: 100.1 }), [t(61, 100.15)], 'open'],
  ['AUTO-026 closes at 0.2 %', S({ stopPrice: 100.1 }), [t(61, 100.2)], 'SL 100.22004 tick'],
  ['X28 liquidation comes before the stop', L(), [t(61, 91)], 'LIQ 90 tick'],
  ['a liquidation costs the margin, however deep the price', L(), [t(61, 60)], 'LIQ 90 tick'],
  ['a short is liquidated above', S(), [t(61, 109)], 'LIQ 110 tick'],
  ['and loses its margin, no more', S(), [t(61, 140)], 'LIQ 110 tick'],
  ['between liquidation and stop it is the stop', L(), [t(61, 91.01)], 'SL 90.991798 tick'],
  ['a stop behind the liquidation price is never met', L({ stopPrice: 90.5 }), [t(61, 90.9)], 'LIQ 90 tick'],
  ['liquidation is judged by the mark price', L(), [t(61, 98.5, 91)], 'LIQ 90 tick'],
  ['and the stop by the last price', L(), [t(61, 90.5, 92)], 'SL 90.4819 tick'],
  ['a mark price beyond the stop is no stop', L(), [t(61, 98.5, 97)], 'open'],
  ['a mark price beyond the target is no target', L(), [t(61, 103, 105)], 'open'],
  [
    'without borrowed money there is no liquidation',
    L({ leverage: 1, liquidationPrice: null }),
    [t(61, 5)],
    'SL 4.999 tick',
  ],
  ['a tick moves no trailing stop', L({ trailing: percent }), [t(61, 103), t(62, 101.5)], 'open'],
];

const candles: Script[] = [
  ['X28 a wick to the stop closes by the level', L(), [c(0, 100, 101, 97.9, 99)], 'SL 97.9804 candle'],
  ['X28 a wick that only touches does', L(), [c(0, 100, 101, 98, 100)], 'SL 97.9804 candle'],
  ['X28 a wick to the target closes at the level', L(), [c(0, 100, 105, 99, 100)], 'TP 104 candle'],
  ['a candle between the levels closes nothing', L(), [c(0, 100, 103.99, 98.01, 100)], 'open'],
  ['stop and target in one candle: the loss first', L(), [c(0, 100, 104, 98, 103)], 'SL 97.9804 candle'],
  ['X28 a gap below the stop closes by the open', L(), [quiet, c(1, 97, 99, 96, 98)], 'SL 96.9806 candle'],
  ['X28 a gap above the target closes at the open', L(), [quiet, c(1, 105, 106, 104.5, 105)], 'TP 105 candle'],
  ['a gap below the liquidation price costs the margin', L(), [quiet, c(1, 90.5, 92, 89, 91)], 'LIQ 90 candle'],
  ['a fall through both meets the nearer stop first', L(), [quiet, c(1, 99, 99, 85, 95)], 'SL 97.9804 candle'],
  ['and the liquidation when that is nearer', L({ stopPrice: 90.5 }), [quiet, c(1, 99, 99, 85, 95)], 'LIQ 90 candle'],
  ['a candle without volume fills nothing', L(), [quiet, c(1, 97, 97, 97, 97, 0)], 'open'],
  ['a short: wick to the stop', S(), [c(0, 100, 102, 99, 101)], 'SL 102.0204 candle'],
  ['a short: wick to the target', S(), [c(0, 100, 101, 96, 99)], 'TP 96 candle'],
  ['a short: both, the loss first', S(), [c(0, 100, 102, 96, 98)], 'SL 102.0204 candle'],
  ['a short: gap above the stop', S(), [quiet, c(1, 103, 104, 102.5, 103)], 'SL 103.0206 candle'],
  ['a short: gap below the target', S(), [quiet, c(1, 95, 95.5, 94, 95)], 'TP 95 candle'],
  ['a short: gap above the liquidation price', S(), [quiet, c(1, 109.5, 111, 108, 109)], 'LIQ 110 candle'],
  ['a short: no volume', S(), [quiet, c(1, 103, 103, 103, 103, 0)], 'open'],
  ['the rest of the minute of the entry is not judged', midMinute(), [c(0, 100, 105, 90, 100)], 'open'],
  ['the next minute is', midMinute(), [c(0, 100, 105, 90, 100), c(1, 100, 104, 99, 103)], 'TP 104 candle'],
  ['a candle of before the entry is not judged', L(), [c(-1, 100, 105, 90, 100)], 'open'],
  ['AUTO-026 a candle that did not move 0.2 %', L({ stopPrice: 99.9 }), [c(0, 100, 100.1, 99.85, 100)], 'open'],
  ['AUTO-026 one that did: by the level', L({ stopPrice: 99.9 }), [c(0, 100, 100.1, 99.8, 100)], 'SL 99.88002 candle'],
  [
    'AUTO-026 once far, later near',
    L({ stopPrice: 99.9 }),
    [c(0, 100, 100.2, 99.95, 100), c(1, 100, 100, 99.9, 100)],
    'SL 99.88002 candle',
  ],
  [
    'a touch that came before the guard let go is not made up for',
    L({ stopPrice: 99.9 }),
    [c(0, 100, 100.1, 99.85, 100), c(1, 100, 100.3, 99.95, 100.2)],
    'open',
  ],
  ['candle after candle without a touch', L(), [quiet, c(1, 100, 101, 99, 100), c(2, 100, 102, 99, 101)], 'open'],
  ['a tick after quiet candles', L(), [quiet, c(1, 100, 101, 99, 100), t(150, 104)], 'TP 104 tick'],
  ['a candle after a tick that touched nothing', L(), [t(61, 99), c(1, 100, 104, 99, 100)], 'TP 104 candle'],
];

const trailing: Script[] = [
  // Entry 100, stop 98: with an activation of one stop distance the stop trails from 102 on.
  [
    'X72 at once: a best price of 101 trails to 99.99',
    L({ trailing: percent }),
    [c(0, 100, 101, 100, 101)],
    'open, stop 99.99',
  ],
  [
    'X72 after 2 %: 101 moves nothing',
    L({ trailing: { ...percent, activationFraction: 0.02 } }),
    [c(0, 100, 101, 100, 101)],
    'open',
  ],
  [
    'X72 after 2 %: 102 trails to 100.98',
    L({ trailing: { ...percent, activationFraction: 0.02 } }),
    [c(0, 100, 102, 100, 102)],
    'open, stop 100.98',
  ],
  [
    'X72 a short after 2 %: 99 moves nothing',
    S({ trailing: { ...percent, activationFraction: 0.02 } }),
    [c(0, 100, 100, 99, 99)],
    'open',
  ],
  [
    'X72 a short after 2 %: 98 trails to 98.98',
    S({ trailing: { ...percent, activationFraction: 0.02 } }),
    [c(0, 100, 100, 98, 98)],
    'open, stop 98.98',
  ],
  [
    'AUTO-022 a new high raises the stop by the callback',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101)],
    'open, stop 100.98',
  ],
  [
    'the candle that raised it is not judged by it',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99, 100.5)],
    'open, stop 100.98',
  ],
  [
    'AUTO-039 the next one is, and the exit is an SL',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 101.6, 100.9, 101)],
    'SL 100.959804 candle',
  ],
  [
    'AUTO-039 a tick meets the raised stop',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101), t(65, 100.97)],
    'SL 100.949806 tick',
  ],
  [
    'a gain below the step raises nothing',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 102.4, 101.2, 102)],
    'open, stop 100.98',
  ],
  [
    'a gain of the step does',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 102.4, 101.2, 102), c(2, 102, 102.6, 101.5, 102)],
    'open, stop 101.574',
  ],
  [
    'it never goes back',
    L({ trailing: percent, targetPrice: 110 }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 101.6, 101, 101.2)],
    'open, stop 100.98',
  ],
  [
    'a target is met as before',
    L({ trailing: percent }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 104, 101.2, 103)],
    'TP 104 candle',
  ],
  [
    'a short trails downwards',
    S({ trailing: percent, targetPrice: 90 }),
    [c(0, 100, 100.5, 98, 98.9)],
    'open, stop 98.98',
  ],
  [
    'and stops above',
    S({ trailing: percent, targetPrice: 90 }),
    [c(0, 100, 100.5, 98, 98.9), c(1, 98.9, 98.99, 98.5, 98.9)],
    'SL 98.999796 candle',
  ],
  ['nothing trails before the guard lets go', L({ trailing: percent }), [c(0, 100, 100.15, 99.9, 100)], 'open'],
  [
    'a stop is rounded towards the entry',
    L({ trailing: percent, targetPrice: 110, tickSize: 0.1 }),
    [c(0, 100, 102, 99.5, 101.5)],
    'open, stop 101',
  ],
];

/** The average true range is 0.5, so the stop follows 1 behind the best price. */
const byRange: Script[] = [
  [
    'AUTO-024 the range raises the stop',
    L({ trailing: atr, targetPrice: 110, atr: { interval: '1h', period: 14 } }),
    [c(0, 100, 102, 99.5, 101.5)],
    'open, stop 101',
  ],
  [
    'and the next candle meets it',
    L({ trailing: atr, targetPrice: 110, atr: { interval: '1h', period: 14 } }),
    [c(0, 100, 102, 99.5, 101.5), c(1, 101.5, 101.5, 100.9, 101)],
    'SL 100.9798 candle',
  ],
  [
    'a short follows above',
    S({ trailing: atr, targetPrice: 90, atr: { interval: '1h', period: 14 } }),
    [c(0, 100, 100.5, 98, 98.5)],
    'open, stop 99',
  ],
];

function tiny(): BookPosition {
  return L({ entryPrice: 0.3, bestPrice: 0.3, stopPrice: 0.29955, targetPrice: 0.31, liquidationPrice: 0.28 });
}
function midMinute(): BookPosition {
  return L({ entryTimeMs: start + 30_000 });
}

describe('CONST-026 a streamed price', () => {
  it.each(ticks)('%s', (_what, opened, steps, expected) => expect(outcome(play(opened, steps))).toBe(expected));
});
describe('a closed candle', () => {
  it.each(candles)('%s', (_what, opened, steps, expected) => expect(outcome(play(opened, steps))).toBe(expected));
});
describe('a trailing stop', () => {
  it.each(trailing)('%s', (_what, opened, steps, expected) => expect(outcome(play(opened, steps))).toBe(expected));
  it.each(byRange)('%s', (_what, opened, steps, expected) => expect(outcome(play(opened, steps, 0.5))).toBe(expected));
  it('does not move where the range is not known', () => {
    const opened = L({ trailing: atr, targetPrice: 110, atr: { interval: '1h', period: 14 } });
    expect(outcome(play(opened, [c(0, 100, 102, 99.5, 101.5)]))).toBe('open');
  });
  it('keeps a better price in mind that raised nothing', () => {
    const opened = L({ trailing: percent, targetPrice: 110 });
    const events = play(opened, [far, c(1, 100, 101, 99.5, 100.5), c(2, 100.5, 101.2, 100.2, 101)]);
    expect(events.map(({ kind }) => kind)).toEqual(['armed', 'trail_raised', 'trail_raised', 'peak']);
  });
});

describe('a price that arms before the candle of an earlier minute has come', () => {
  const near = () => L({ stopPrice: 99.9 });
  it('does not count back: a touch before it is not made up for', () => {
    expect(outcome(play(near(), [t(121, 100.3), c(1, 100, 100.1, 99.85, 100)]))).toBe('open');
    expect(outcome(play(near(), [t(121, 100.3), c(1, 100, 100.1, 99.85, 100), c(2, 100, 100.3, 99.9, 100)]))).toBe(
      'SL 99.88002 candle',
    );
  });
  it('is not reported twice when that candle alone went as far', () => {
    const events = play(near(), [t(121, 100.3), c(1, 100, 100.5, 99.95, 100.2), c(2, 100.2, 100.3, 99.9, 100)]);
    expect(events.map(({ kind }) => kind)).toEqual(['armed', 'closed']);
  });
  it('is known again after a restart', () => {
    const loaded = L({ stopPrice: 99.9, isArmed: true, armedAtMs: start + 121_000 });
    expect(outcome(play(loaded, [c(1, 100, 100.1, 99.85, 100)]))).toBe('open');
    expect(outcome(play(loaded, [c(1, 100, 100.1, 99.95, 100), c(2, 100, 100.1, 99.85, 100)]))).toBe(
      'SL 99.88002 candle',
    );
  });
});

describe('a close', () => {
  it('happens once, however often the price comes again', () => {
    const events = play(L(), [t(61, 97), t(61, 97), t(62, 96), c(1, 97, 98, 90, 92)]);
    expect(events.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
  });
  it('pays the taker fee of the closing fill', () => {
    // 0.0005 x 2 x 104
    const closed = play(L(), [t(61, 104)]).at(-1);
    expect(closed?.kind === 'closed' ? closed.exitFee : Number.NaN).toBeCloseTo(0.104, 12);
  });
  it('DESK-173 an exit names the price before its costs, and the spread that was measured', () => {
    const marketOf = (opened: BookPosition, steps: readonly Step[]) => {
      const last = play(opened, steps).at(-1);
      return last?.kind === 'closed' ? last.market : undefined;
    };
    expect(marketOf(L(), [b(61, 97.9, 0.05)])).toEqual({ price: 97.9, halfSpread: 0.05 });
    expect(marketOf(L(), [t(61, 97.9)])).toEqual({ price: 97.9, halfSpread: null });
    expect(marketOf(L(), [b(61, 104.2, 0.05)])).toEqual({ price: 104.2, halfSpread: null });
    // A candle: the level, the open behind a gap, and the open of an exit by time.
    expect(marketOf(L(), [quiet, c(1, 99, 99, 97, 98)])).toEqual({ price: 98, halfSpread: null });
    expect(marketOf(L(), [quiet, c(1, 97, 99, 96, 98)])).toEqual({ price: 97, halfSpread: null });
    expect(marketOf(S(), [quiet, c(1, 101, 103, 101, 103)])).toEqual({ price: 102, halfSpread: null });
    expect(marketOf(L(), [quiet, c(1, 105, 106, 104.5, 105)])).toEqual({ price: 105, halfSpread: null });
    expect(marketOf(L(time), [quiet, c(2, 101, 101, 101, 101)])).toEqual({ price: 101, halfSpread: null });
    // A liquidation is no order.
    expect(marketOf(L(), [t(61, 91)])).toBeNull();
  });

  it('pays none when it is a liquidation: the margin is gone', () => {
    expect(play(L(), [t(61, 90)]).at(-1)).toMatchObject({ kind: 'closed', exitFee: 0 });
  });
  it('of a candle is known when that closes', () => {
    expect(play(L(), [c(3, 100, 104, 99, 100)]).at(-1)).toMatchObject({ atMs: start + 240_000 });
  });
});

describe('the book', () => {
  it('keeps series and positions apart, and uses a place again', () => {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    for (let i = 0; i < 50; i++) book.add(`binance S${i % 5}`, L({ id: String(i), stopPrice: 90 + (i % 10) }));
    for (let i = 0; i < 50; i += 2) book.remove(String(i));
    expect(book.size).toBe(25);
    book.add('binance S0', S({ id: 'new' }));
    expect(book.tick('binance S0', t(61, 102).tick).map(({ id }) => id)).toContain('new');
    const closed = book.tick('binance S1', t(61, 95).tick).filter(({ kind }) => kind === 'closed');
    // Of S1 the odd ones are left: 1, 11, 21, 31, 41 with a stop of 91.
    expect(closed).toEqual([]);
    expect(book.tick('binance S1', t(62, 91).tick).filter(({ kind }) => kind === 'closed')).toHaveLength(5);
  });
  it('counts more than 60 scripts of closes', () => {
    expect(ticks.length + candles.length + trailing.length + byRange.length).toBeGreaterThan(60);
  });
});
