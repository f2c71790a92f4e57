import type { SymbolCounts } from '../../api/types.ts';
import { formatCount, formatMany } from '../../format/number.ts';

/** One and several of each reason, in the order in which they are named. */
const reasons: Record<keyof SymbolCounts['left_out'], readonly [one: string, many: string]> = {
  stock: ['stock', 'stocks'],
  commodity: ['commodity', 'commodities'],
  index: ['index', 'indices'],
  otherAsset: ['other asset', 'other assets'],
  unclassified: ['contract without a stated class', 'contracts without a stated class'],
  otherQuote: ['contract not in USDT', 'contracts not in USDT'],
  datedFuture: ['dated future', 'dated futures'],
  malformed: ['entry that cannot be read', 'entries that cannot be read'],
};

/** "128 coin perpetuals trade, 1 is suspended. Left out: 5 stocks, 2 commodities." */
export function universeSentence({ trading, suspended, left_out }: SymbolCounts): string {
  const verb = trading === 1 ? 'trades' : 'trade';
  const halted = suspended === 0 ? '' : `, ${formatCount(suspended)} ${suspended === 1 ? 'is' : 'are'} suspended`;
  const left = (Object.keys(reasons) as (keyof typeof reasons)[])
    .filter((reason) => left_out[reason] > 0)
    .map((reason) => `${formatCount(left_out[reason])} ${reasons[reason][left_out[reason] === 1 ? 0 : 1]}`);
  const others = left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`;
  return `${formatMany(trading, 'coin perpetual')} ${verb}${halted}.${others}`;
}
