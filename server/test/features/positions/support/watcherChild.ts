import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { startWatching } from '../../../../src/features/positions/watch/startWatching.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { ScriptedMarket, simulated } from './scriptedMarket.ts';
import { noOrders, silentNews } from './positions.ts';

/** Messages from the parent to a node that only watches and may be killed. */
export type ChildMessage =
  | {
      kind: 'history';
      bars: Record<string, Parameters<ScriptedMarket['candle']>[1][]>;
      fundings?: Record<string, { time: number; rate: number }[]>;
    }
  | { kind: 'bar'; symbol: string; bar: Parameters<ScriptedMarket['candle']>[1] };

const url = process.env['WATCH_DATABASE_URL'] ?? '';
const market = new ScriptedMarket();
const database = openDatabase({ url, connectionsMax: 3, onError: () => undefined });
const { module } = await loadModule();

process.on('message', (message: ChildMessage) => {
  if (message.kind === 'bar') {
    market.candle(message.symbol, message.bar);
    return;
  }
  for (const [symbol, bars] of Object.entries(message.bars)) market.bars.set(symbol, bars);
  for (const [symbol, stamps] of Object.entries(message.fundings ?? {})) market.fundings.set(symbol, stamps);
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
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
