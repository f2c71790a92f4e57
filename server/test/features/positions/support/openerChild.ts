import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { noneLeftOut } from '../../../../src/adapters/exchanges/universe.ts';
import type { Market } from '../../../../src/features/market/port.ts';
import { openFromScan } from '../../../../src/features/positions/openFromScan.ts';
import type { OpenDeps } from '../../../../src/features/positions/openPosition.ts';
import { startWatching } from '../../../../src/features/positions/watch/startWatching.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { ScriptedMarket, simulated } from './scriptedMarket.ts';
import { noOrders, silentNews } from './positions.ts';

/** A node that watches and opens what scans found, until it is killed or done. */
export interface OpenerOrder {
  symbols: string[];
  price: number;
  scans: { userId: string; scanId: string }[];
}

const url = process.env['OPEN_DATABASE_URL'] ?? '';
const market = new ScriptedMarket();
const database = openDatabase({ url, connectionsMax: 4, onError: () => undefined });
const { module } = await loadModule();
const kernel = instantiate(module);

const listed = {
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 125,
  listedAtMs: null,
  fundingHours: null,
};
const symbolsOf = (symbols: string[]): Market['symbols'] => {
  const value = symbols.map((symbol) => ({ symbol, base: symbol, ...listed, status: 'trading' as const }));
  return () => Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: Date.now(), value, leftOut: noneLeftOut() }));
};

process.on('message', ({ symbols, price, scans }: OpenerOrder) => {
  for (const symbol of symbols) market.tick(symbol, price, Date.now());
  startWatching({
    db: database.db,
    market,
    config: simulated,
    closeListeners: [],
    orders: noOrders,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: () => undefined,
    onError: () => undefined,
  });
  const response = { readQuote: market.readQuote, prices: market.prices, symbols: symbolsOf(symbols) };
  const deps: OpenDeps = {
    db: database.db,
    kernel: () => kernel,
    config: { market: 'simulated' },
    market: response as Market,
    onOpenFailure: (error) => process.send?.({ failure: String(error) }),
  };
  // Each scan is requested twice at once, as a page and a job would; at most as many at a time as there are connections.
  const waiting = scans.flatMap((scan) => [scan, scan]);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await openFromScan(deps, next.userId, next.scanId);
    }
  };
  void Promise.all(Array.from({ length: 8 }, work)).then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
