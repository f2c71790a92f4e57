import { unknownContract, withContract } from '@sextant/workers/src/candles/contract.ts';
import type { BacktestInput, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { snapshot } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import { type Draft, draft, runState, scoredCountOf } from '../backtestState.ts';
import { countFrom } from '../history.ts';

/** Whether a run on these candles uses mark prices and minutes, as far as available. */
export const isFine = (loaded: LoadedCandles, form: Pick<Draft, 'fineData'> = draft): boolean =>
  form.fineData && loaded.source === 'exchange';

/** Costs under the rules of the exchange that was chosen: its contract, and its formula where it does not list the symbol. */
function ruledCosts(loaded: LoadedCandles, { costs, feeVenue }: Readonly<Pick<Draft, 'costs' | 'feeVenue'>>): Costs {
  const contract = loaded.source === 'csv' ? runState.fileContract : loaded.contract;
  const funded = loaded.funding === null ? { ...costs } : { ...costs, funding: loaded.funding };
  if (contract) return withContract(funded, contract);
  // Exchange candles without contract rules: the limits of unknown tiers apply.
  if (contract === null && loaded.source === 'exchange')
    return withContract(funded, unknownContract(feeVenue, loaded.label));
  return feeVenue === 'binance' ? funded : { ...funded, liquidationModel: feeVenue };
}

/** The draft as engine input: plain copies, because a proxy cannot be sent to a worker. */
export function backtestInputOf(loaded: LoadedCandles, form = snapshot(draft) as Readonly<Draft>): BacktestInput {
  const { params, csvScored } = form;
  const { source, candles, marks } = loaded;
  return {
    candles,
    ...(isFine(loaded, form) && marks ? { markPrices: marks.prices } : {}),
    params: structuredClone(params),
    costs: ruledCosts(loaded, form),
    scoredCount:
      loaded.scoredFromMs === undefined
        ? (loaded.scoredCount ?? scoredCountOf({ source, csvScored }, candles.time.length))
        : countFrom(candles, loaded.scoredFromMs),
  };
}
