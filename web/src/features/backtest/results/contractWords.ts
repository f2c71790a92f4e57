import { venueFacts } from '@sextant/engine-as/abi/costs.ts';
import { marginNotes } from '@sextant/workers/src/candles/contract.ts';
import { findCutSizes, orderNotes } from '@sextant/workers/src/protocol/cutSizes.ts';
import { formatCount, formatMany, formatAmount } from '../../../format/number.ts';
import { exchangeName } from '../../../format/names.ts';
import { formatDuration, formatUtc } from '../../../format/time.ts';
import type { Run } from '../backtestState.ts';

type Ruled = Pick<Run, 'costs' | 'result'> & Partial<Pick<Run, 'loaded' | 'strategy'>>;

/** The rules that applied, for the line under the chart: `Rules of BTCUSDT on Binance: step 0.001, tick 0.1, least order 100 USDT`. */
export function contractWords({ costs, result, loaded }: Ruled): string {
  const { rulesOf, stepSize = 0, tickSize = 0, minNotional = 0, maxQuantity = 0, leverage } = costs;
  if (rulesOf === undefined || stepSize + tickSize === 0)
    return `${unruledWords(loaded)}: sizes and prices are not rounded.`;
  const { name } = venueFacts[rulesOf.exchange];
  const least = minNotional > 0 ? `, least order ${formatAmount(minNotional)} USDT` : '';
  const most = maxQuantity > 0 ? `, largest order ${formatCount(maxQuantity)}` : '';
  const hasTiers = rulesOf.areTiersAssumed !== true;
  const margin = !hasTiers ? ', leverage tiers unknown' : `, ${formatCount(leverage)}x by its leverage tiers`;
  const rejected = result.summary.droppedSignals.tooSmall;
  const words = `Rules of ${rulesOf.symbol} on ${name}: step ${stepSize}, tick ${tickSize}${least}${most}${margin}`;
  return rejected === 0 ? words : `${words}; ${formatMany(rejected, 'order')} rejected`;
}

/** Only an exchange that was reached can say that it does not list a symbol. */
function unruledWords(loaded: Ruled['loaded']): string {
  if (loaded?.source === 'csv') return 'No contract rules';
  const { contract, rulesVenue, label = '' } = loaded ?? {};
  return contract === null && rulesVenue !== undefined
    ? `${venueFacts[rulesVenue].name} does not list ${label}`
    : 'Contract rules unknown';
}

/** Costs of one exchange on the candles of another; null otherwise. */
export function candlesWords({ costs, loaded }: Pick<Run, 'costs' | 'loaded'>): string | null {
  const venue = costs.rulesOf?.exchange ?? costs.liquidationModel;
  const { exchange } = loaded;
  if (exchange === null || venue === undefined || venue === exchange) return null;
  return `Candles, funding and mark prices come from ${exchangeName(exchange)}.`;
}

/** Rules that were stored in this browser: an exchange may have changed them since. */
export function storedRulesWords({ rulesVenue, rulesStoredAtMs }: Run['loaded'], nowMs: number): string | null {
  if (rulesVenue === undefined || rulesStoredAtMs === undefined) return null;
  const age = formatDuration(nowMs - rulesStoredAtMs);
  return `Contract rules of ${venueFacts[rulesVenue].name}: ${age} old, loaded ${formatUtc(rulesStoredAtMs)}.`;
}

/** Orders an exchange would reject or the account could not pay for. */
export function contractWarnings({ costs, result, strategy }: Omit<Ruled, 'loaded'>): string[] {
  const warnings = marginNotes(costs);
  const rejected = result.summary.droppedSignals.tooSmall;
  if (rejected > 0)
    warnings.push(`${formatMany(rejected, 'order')} below the minimum order or the quantity step. Use a larger size.`);
  warnings.push(...orderNotes(result.trades, costs));
  const { isCompounding = false, mode = 'fixed' } = strategy?.sizing ?? {};
  const cut = findCutSizes(result.trades, costs, { isByRisk: mode === 'risk', isCompounding });
  if (cut !== null)
    warnings.push(
      `Equity was short from ${formatUtc(cut.fromMs)}: ${cut.count} of ${formatMany(result.trades.length, 'trade')} were smaller.`,
    );
  return warnings;
}
