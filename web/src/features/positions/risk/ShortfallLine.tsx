import { formatCount, formatMoney } from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import type { Marked } from '../valuation/mark.ts';
import { expectedShortfall } from './expectedShortfall.ts';
import type { Closes } from './returns.ts';
import { HOUR_MS } from './useHourlyCloses.ts';

const definition = {
  name: 'Expected shortfall, 1 h',
  meaning:
    'Mean result of the worst 5 % of recent hours, with the current positions held through each. Stops and targets are ignored.',
  formula: 'mean of the lowest 5 % of sum(exposure × hourly return)',
  example: 'In 400 hours the worst 20 lost 70 USDT on average: −70.',
};

interface Props {
  rows: readonly Marked[];
  closes: ReadonlyMap<string, Closes>;
  isWaiting: boolean;
}

/** How bad a bad hour is, from candles; not a figure when there are too few. */
export function ShortfallLine({ rows, closes, isWaiting }: Props) {
  const holdings = rows.flatMap(({ position, exposure }) =>
    exposure === null ? [] : [{ symbol: position.symbol, exposureUsdt: exposure }],
  );
  const found = expectedShortfall(holdings, closes, HOUR_MS);
  return (
    <p className="flex justify-between gap-3 text-label">
      <span className="text-muted">
        <DefinedTerm definition={definition} />
      </span>
      <span className="text-right">
        {found.usdt !== null
          ? `${formatMoney(found.usdt, true)} USDT, n = ${formatCount(found.count)}`
          : isWaiting
            ? 'reading candles'
            : found.reason}
      </span>
    </p>
  );
}
