import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { SANDBOX_DAYS, SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { type PackedCandles, packCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { createVenues } from '../../src/adapters/exchanges/createVenues.ts';
import type { ExchangeId, FuturesSymbol, Interval, Venue } from '../../src/features/market/port.ts';
import { type FrozenData, type FrozenVenue } from '../../src/features/sandbox/frozenData.ts';
import { LATER_INTERVAL } from '../../src/features/sandbox/laterCandles.ts';
import type { Outcome } from '../../src/platform/errors.ts';
import { startExchanges } from './server.ts';

/** The market that test keys see: a moment of the simulated exchanges, chosen once and never moved. */
const seed = 20_260_601;
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const candleCount = 1200;
const fundingDays = 20;
const dayMs = 86_400_000;
const origin =
  `Simulated exchanges of this repository (server/fakes/exchanges), seed ${seed}, read through the adapters at ` +
  `${new Date(SANDBOX_MS).toISOString()}. No real market.`;

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`the simulated exchange rejected the request: ${outcome.error.message}`);
  return outcome.value;
}

/** Decimals of a step such as 0.001. */
const decimalsOf = (step: number): number => Math.max(0, Math.round(-Math.log10(step)));

function packed({ tickSize, stepSize }: FuturesSymbol, interval: Interval, candles: Candles): PackedCandles {
  const [priceDecimals, quantityDecimals] = [decimalsOf(tickSize), decimalsOf(stepSize)];
  const ticks = (value: number): number => Math.round(value * 10 ** priceDecimals);
  const rows = Array.from(candles.time, (_, i) => ({
    open: ticks(candles.open[i] ?? 0),
    high: ticks(candles.high[i] ?? 0),
    low: ticks(candles.low[i] ?? 0),
    close: ticks(candles.close[i] ?? 0),
    lots: Math.round((candles.volume[i] ?? 0) * 10 ** quantityDecimals),
  }));
  const terms = { startMs: candles.time[0] ?? 0, intervalMs: intervalMs[interval], priceDecimals, quantityDecimals };
  return packCandles(rows, terms);
}

async function readCandles(venue: Venue, symbol: FuturesSymbol) {
  const byInterval: Partial<Record<Interval, PackedCandles>> = {};
  for (const interval of intervals) {
    const span = intervalMs[interval];
    const toMs = Math.floor(SANDBOX_MS / span) * span - span;
    const fromMs = toMs - (candleCount - 1) * span;
    const { candles, gaps } = valueOf(await venue.candles({ symbol: symbol.symbol, interval, fromMs, toMs }));
    if (gaps.length > 0) throw new Error(`${symbol.symbol} ${interval} has a hole`);
    byInterval[interval] = packed(symbol, interval, candles);
  }
  return byInterval;
}

async function readVenue(venue: Venue): Promise<FrozenVenue> {
  const listed = valueOf(await venue.symbols());
  const isStored = ({ symbol }: { symbol: string }): boolean => symbols.includes(symbol);
  const stored: FrozenVenue = {
    symbols: listed.symbols.filter(isStored),
    leftOut: listed.leftOut,
    prices: valueOf(await venue.prices()).filter(isStored),
    tops: valueOf(await venue.tops()).filter(isStored),
    turnovers: valueOf(await venue.turnovers()).filter(isStored),
    books: {},
    funding: {},
    fundingHistory: {},
    candles: {},
  };
  for (const listing of stored.symbols) {
    const { symbol } = listing;
    const history = valueOf(
      await venue.fundingHistory({ symbol, sinceMs: SANDBOX_MS - fundingDays * dayMs, untilMs: SANDBOX_MS }),
    );
    stored.books[symbol] = valueOf(await venue.orderBook(symbol));
    stored.funding[symbol] = valueOf(await venue.funding(symbol));
    stored.fundingHistory[symbol] = { time: Array.from(history.time), rate: Array.from(history.rate) };
    if (venue.exchange === 'binance') stored.candles[symbol] = await readCandles(venue, listing);
  }
  return stored;
}

/** 15-minute candles of the same market after its frozen moment, by symbol: test keys can move their clock there. */
async function readLater(): Promise<Record<string, PackedCandles>> {
  const span = intervalMs[LATER_INTERVAL];
  const endMs = SANDBOX_MS + SANDBOX_DAYS * dayMs;
  return withVenues(endMs, async ({ byExchange: { binance } }) => {
    const later: Record<string, PackedCandles> = {};
    for (const listing of valueOf(await binance.symbols()).symbols.filter(({ symbol }) => symbols.includes(symbol))) {
      const { symbol } = listing;
      const { candles, gaps } = valueOf(
        await binance.candles({ symbol, interval: LATER_INTERVAL, fromMs: SANDBOX_MS, toMs: endMs - span }),
      );
      if (gaps.length > 0) throw new Error(`${symbol} has a hole after the start`);
      later[symbol] = packed(listing, LATER_INTERVAL, candles);
    }
    return later;
  });
}

async function withVenues<T>(nowMs: number, read: (venues: ReturnType<typeof createVenues>) => Promise<T>): Promise<T> {
  const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
  const fake = await startExchanges({ seed, now: clock.now });
  const venues = createVenues({ exchangesUrl: fake.url, clock, requestTimeoutMs: 60_000, callDeadlineMs: 60_000 });
  try {
    return await read(venues);
  } finally {
    await venues.close();
    await fake.close();
  }
}

const folder = 'server/src/features/sandbox';

/** The frozen market as files of the server. */
export async function sandboxMarketFiles(): Promise<{ path: string; content: string }[]> {
  const data = await withVenues(SANDBOX_MS, async ({ byExchange }): Promise<FrozenData> => {
    const read = {} as Record<ExchangeId, FrozenVenue>;
    for (const [exchange, venue] of Object.entries(byExchange)) read[exchange as ExchangeId] = await readVenue(venue);
    return { origin, venues: read };
  });
  return [
    { path: `${folder}/market.gen.json`, content: `${JSON.stringify(data)}\n` },
    { path: `${folder}/laterMarket.gen.json`, content: `${JSON.stringify(await readLater())}\n` },
  ];
}
