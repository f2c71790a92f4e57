import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { startAlertWatch } from '../../../../src/features/alerts/watch/startAlertWatch.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { silentNews } from '../../positions/support/positions.ts';
import { ScriptedMarket, simulated } from '../../positions/support/scriptedMarket.ts';

type Bar = Parameters<ScriptedMarket['candle']>[1];

/** Messages from the parent to a node that only evaluates alerts and may be killed. */
export type EvaluatorMessage =
  | { kind: 'history'; bars: Record<string, Bar[]> }
  | { kind: 'tick'; symbol: string; price: number; atMs: number }
  | { kind: 'bar'; symbol: string; bar: Bar };

const url = process.env['ALERTS_DATABASE_URL'] ?? '';
const market = Object.assign(new ScriptedMarket(), { readTop: () => null });
const database = openDatabase({ url, connectionsMax: 3, onError: () => undefined });
const { module } = await loadModule();

process.on('message', (message: EvaluatorMessage) => {
  if (message.kind === 'tick') market.tick(message.symbol, message.price, message.atMs);
  else if (message.kind === 'bar') market.candle(message.symbol, message.bar);
  else {
    for (const [symbol, bars] of Object.entries(message.bars)) market.bars.set(symbol, bars);
    startAlertWatch({
      db: database.db,
      market,
      config: simulated,
      newClient: database.newClient,
      newEngine: () => instantiate(module),
      newsVotes: silentNews,
      warn: () => undefined,
      onError: () => undefined,
    });
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
