import type { ConditionOf } from '@sextant/workers/src/alerts/conditions.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CloseSource } from '../../../src/features/alerts/watch/closeSource.ts';
import type { Db } from '../../../src/platform/db/scope.ts';
import { silentNews } from '../positions/support/positions.ts';
import { MINUTE_MS, ScriptedMarket } from '../positions/support/scriptedMarket.ts';

const SYMBOLS = 40;
const FORMULAS = 25;
/** Ahead of the clock, so that nothing counts as overdue. */
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 24 * 60 * MINUTE_MS;
const bar = (minute: number) => {
  const close = 100 + (minute % 7);
  return { time: start + minute * MINUTE_MS, open: close, high: close + 1, low: close - 1, close, volume: 1 };
};

it('DESK-204 a thousand formulas due at one close leave the event loop its turns, and read the candles of a symbol once', async () => {
  const market = new ScriptedMarket();
  const { module } = await loadModule();
  const values = new Map<string, number>();
  const source = new CloseSource({
    // Only signals of saved strategies are read from it.
    db: undefined as unknown as Db,
    market,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    sink: {
      value: (key, value) => void values.set(key, value),
      candle: () => undefined,
      stop: () => undefined,
      warn: (error) => expect.unreachable(String(error)),
    },
  });
  try {
    const symbols = Array.from({ length: SYMBOLS }, (_, i) => `S${i}USDT`);
    for (const symbol of symbols) {
      for (let minute = -30; minute < 0; minute++) market.candle(symbol, bar(minute), false);
      for (let i = 0; i < FORMULAS; i++) {
        const condition: ConditionOf<'formula'> = {
          kind: 'formula',
          exchange: 'binance',
          symbol,
          interval: '1m',
          expression: `close > ${90 + i}`,
        };
        source.want({ key: `${symbol} ${i}`, condition, userId: '', sinceMs: start + MINUTE_MS });
      }
    }
    market.requestCount = 0;
    for (const symbol of symbols) market.candle(symbol, bar(0));
    let turns = 0;
    for (; values.size < SYMBOLS * FORMULAS; turns++) await nextTurn();
    // In one stretch they would all be done after the first turn.
    expect(turns).toBeGreaterThan(3);
    expect(market.requestCount).toBe(SYMBOLS);
    // The close is 100: above 90 to 99, not above 100 to 114.
    for (const symbol of symbols)
      for (let i = 0; i < FORMULAS; i++) expect(values.get(`${symbol} ${i}`)).toBe(i < 10 ? 1 : 0);
  } finally {
    await source.close();
  }
});
