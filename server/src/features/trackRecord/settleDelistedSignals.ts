import { stopSpanOf } from '@sextant/workers/src/positions/strategyExits.ts';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { createEndedFinder } from '../market/endedContracts.ts';
import type { Market } from '../market/port.ts';
import { outcomeOf, type SignalLevels, type SignalOutcome } from '@sextant/workers/src/signals/outcome.ts';
import { basisOf, finestFor } from './resolveSignals.ts';
import { readMark, type Series } from './signalMarks.ts';
import { insertOutcome, readOpenOf, readOpenSeries } from './signalRepository.ts';
import { insertStrategyOutcome, readOpenStrategySeries, readOpenStrategySignalsOf } from './strategyRecord.ts';
import { deadlineOfTrade } from '@sextant/workers/src/signals/strategyTrade.ts';

export interface DelistedSignalsDeps {
  db: Db;
  market: Pick<Market, 'symbols' | 'prices'>;
  config: { market: MarketMode };
}

/** Maximum age of the symbol list. */
const LIST_AGE_MS = 20_000;

type Mark = { price: number; atMs: number } | undefined;

/**
 * From the signal's price to the last price after it. Without one both are the signal's price: the result is the fees.
 */
function delistedOutcome(signal: SignalLevels & { price: number }, mark: Mark): SignalOutcome {
  const side = signal.direction === 'LONG' ? 1 : -1;
  const last =
    mark !== undefined && mark.atMs > signal.issuedAtMs ? mark : { price: signal.price, atMs: signal.issuedAtMs };
  return outcomeOf(side, signal.price, last.atMs, { outcome: 'DELISTED', exitPrice: last.price, isAmbiguous: false });
}

async function settle(tx: SystemTx, market: MarketMode, series: Series): Promise<number> {
  const mark = await readMark(tx, market, series);
  const open = await readOpenOf(tx, market, series);
  for (const signal of open) await insertOutcome(tx, signal.id, delistedOutcome(signal, mark), basisOf(signal));
  const trades = await readOpenStrategySignalsOf(tx, market, series);
  for (const trade of trades) {
    const deadlineMs = deadlineOfTrade(trade);
    const outcome = { ...delistedOutcome(trade, mark), deadlineMs };
    await insertStrategyOutcome(
      tx,
      trade,
      outcome,
      finestFor(deadlineMs - trade.issuedAtMs, stopSpanOf(trade.strategy)),
    );
  }
  return open.length + trades.length;
}

/**
 * Settles signals whose contract the exchange has ended, in the public record and in the ledgers of saved strategies: without them the
 * record would be too good, because contracts end after a fall. A halted contract is still listed, so its signals stay open.
 * @returns function that runs one round and returns how many signals it settled
 */
export function createDelistedSignalSettler({ db, market, config }: DelistedSignalsDeps): () => Promise<number> {
  const findEnded = createEndedFinder(market, LIST_AGE_MS);
  return async () => {
    const series = await withSystem(db, async (tx) => [
      ...(await readOpenSeries(tx, config.market)),
      ...(await readOpenStrategySeries(tx, config.market)),
    ]);
    let count = 0;
    for (const [exchange, own] of Map.groupBy(series, (each) => each.exchange)) {
      const symbols = [...new Set(own.map(({ symbol }) => symbol))];
      for (const symbol of await findEnded(exchange, symbols))
        count += await withSystem(db, (tx) => settle(tx, config.market, { exchange, symbol }));
    }
    return count;
  };
}
