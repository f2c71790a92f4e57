import { SPREAD_HIGH_PCT, SPREAD_MEDIUM_PCT } from '@sextant/workers/src/core/limits.ts';
import type { ArbitrageItem, ArbitrageResults } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatFixed, formatMany, formatMoney, NO_VALUE, signTone } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { Notice } from '../../ui/Notice.tsx';

/** Percent with its sign of loss, as many decimals as a spread needs. */
export const pctText = (pct: number | null | undefined, decimals = 2): string =>
  pct === null || pct === undefined ? NO_VALUE : `${formatFixed(pct, decimals)}\u00a0%`;

/** A difference of stamps: exact below a second. */
export const skewText = (ms: number): string => (ms < 1000 ? `${formatCount(ms)} ms` : formatDuration(ms));

/** How long an item had been above its costs at the scan; null when it was not. */
export const aboveCostsMs = ({ existsSinceMs }: ArbitrageItem, scannedAt: string): number | null =>
  existsSinceMs === null ? null : Date.parse(scannedAt) - existsSinceMs;

/** Net spread of an item: at the notional where both books were read, else at the best prices. */
export function netOf({ atNotional, netAtBestPricesPct }: ArbitrageItem): {
  pct: number;
  usdt: number | null;
  isSized: boolean;
} {
  return atNotional !== null && atNotional.quantity > 0
    ? { pct: atNotional.netPct, usdt: atNotional.netUsdt, isSized: true }
    : { pct: netAtBestPricesPct, usdt: null, isSized: false };
}

/** The figures of a scan that matter first. */
export function ScanFigures({ results, notionalUsdt }: { results: ArbitrageResults; notionalUsdt: number }) {
  const best = results.items.reduce<number | null>((most, item) => {
    const { usdt } = netOf(item);
    return usdt === null || (most !== null && most >= usdt) ? most : usdt;
  }, null);
  const figures: [string, string, string?][] = [
    ['Net above zero', `${formatCount(results.netPositive)} of ${formatCount(results.items.length)}`],
    [
      `Best net at ${formatCount(notionalUsdt)} USDT`,
      best === null ? NO_VALUE : `${formatMoney(best, true)} USDT`,
      signTone(best),
    ],
    ['Average spread, gross', pctText(results.averageSpreadPct)],
    ['Risk level', results.riskLevel ?? NO_VALUE],
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(([name, value, tone = '']) => (
        <div key={name}>
          <dt className="text-label text-muted">{name}</dt>
          <dd className={`text-page font-semibold tabular-nums ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Reason = ArbitrageResults['leftOut']['examples'][number]['reason'];

const reasonWords: Record<Reason, string> = {
  not_listed: 'not listed',
  halted: 'market suspended',
  doubtful_contract: 'could be another coin',
  no_quote: 'no usable bid and ask',
  old_quote: 'quote too old',
  stamps_differ: 'stamps too far apart',
  one_exchange: 'quoted on one exchange only',
  gone: 'spread gone when the books were read',
};

const isReason = (code: string): code is Reason => Object.hasOwn(reasonWords, code);

/** Counts of compared and left-out contracts by venue and reason. */
export function ScanFacts({ results }: { results: ArbitrageResults }) {
  const { venues, leftOut, compared, found, bookRequests, skewLimitMs, timing } = results;
  const counts = Object.entries(leftOut.counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className="flex flex-col gap-2 text-label">
      {venues
        .filter(({ state, failure }) => state === 'failed' || failure !== null)
        .map(({ exchange, state, failure }) => (
          <Notice key={exchange} tone="warn">
            {exchangeName(exchange)} {state === 'failed' ? 'was not compared.' : 'was compared by its streams only.'}{' '}
            {failure}
          </Notice>
        ))}
      <p className="text-muted">
        {formatMany(compared, 'symbol')} compared, {formatCount(found)} at or above the minimum spread, order books of{' '}
        {formatMany(bookRequests / 2, 'pair')} read, in {formatDuration(timing.totalMs)}.{' '}
        {venues
          .filter(({ state }) => state === 'compared')
          .map(
            ({ exchange, quotes, streamed }) =>
              `${exchangeName(exchange)} ${formatCount(quotes)} quotes, ${formatCount(streamed)} of them streamed`,
          )
          .join('; ')}
        .
      </p>
      {total > 0 && (
        <details>
          <summary className="cursor-pointer py-1">
            Left out: {counts.map(([code, count]) => `${formatCount(count)} ${wordsOf(code)}`).join(', ')}
          </summary>
          <p className="py-1 text-muted">Skipped: quotes and books more than {formatDuration(skewLimitMs)} apart.</p>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-x-6">
            {leftOut.examples.map(({ symbol, exchange, reason }) => (
              <li key={`${symbol} ${exchange ?? ''} ${reason}`} className="flex justify-between gap-2">
                <span>
                  {symbol} <span className="text-muted">{exchange === null ? '' : exchangeName(exchange)}</span>
                </span>
                <span className="text-muted">{reasonWords[reason]}</span>
              </li>
            ))}
          </ul>
          {leftOut.examples.length < total && (
            <p className="py-1 text-muted">The first {formatCount(leftOut.examples.length)} are listed.</p>
          )}
        </details>
      )}
    </div>
  );
}

const wordsOf = (code: string): string => (isReason(code) ? reasonWords[code] : code.replaceAll('_', ' '));

const badgeLooks = {
  high: 'border-up bg-panel text-up',
  medium: 'border-warn bg-panel text-warn',
  low: 'border-line bg-panel text-muted',
} as const;

/** Grade of the gross spread. @param isNamed where no column heading names it */
export function Badge({ badge, isNamed = false }: { badge: ArbitrageItem['badge']; isNamed?: boolean }) {
  return (
    <span
      className={`rounded-sm border px-1.5 font-sans text-label leading-4 whitespace-nowrap ${badgeLooks[badge]}`}
      title={`Gross spread: high from ${SPREAD_HIGH_PCT} %, medium from ${SPREAD_MEDIUM_PCT} %`}
    >
      {isNamed && 'gross: '}
      {badge}
    </span>
  );
}
