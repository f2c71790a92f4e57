import { FactList } from '../../ui/FactList.tsx';
import type { SizedSpread, SpreadResult } from '@sextant/workers/src/protocol/spread.ts';
import { RefreshCw } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from 'react';
import { BOOKS_POLL_MS, type SpreadPair, usePairBooks } from '../../api/arbitrage.ts';
import { messageOf } from '../../api/failure.ts';
import type { ArbitrageItem, PairBooks } from '../../api/types.ts';
import { runEngineTask } from '../../engine/enginePool.ts';
import { exchangeName } from '../../format/names.ts';
import {
  formatAmount,
  formatCount,
  formatFixed,
  formatMoney,
  formatPrice,
  formatSigned,
  signTone,
} from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { openTicket } from '../../state/ticket.ts';
import { Age } from '../../ui/Time.tsx';
import { Drawer } from '../../ui/Drawer.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { NumberInput } from '../../ui/NumberInput.tsx';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';
import { curveSizes, type PairTerms, placeOf, sizeAt, sizeRange, spreadInput, verdictText } from './pairNet.ts';
import { aboveCostsMs, Badge, netOf, pctText, skewText } from './ScanFacts.tsx';
import { plotGrid, SizeCharts } from './SizeCharts.tsx';
import { WatchForm } from './WatchedPairs.tsx';
import { HistoryPart, FundingPart, PersistencePart, Quotes } from './PairHistory.tsx';

const SLIDER_STEPS = 400;

interface Props {
  item: ArbitrageItem;
  /** Fees, hold and notional of the scan. */
  params: PairTerms & { notionalUsdt: number };
  /** When the scan was made. */
  scannedAt: string;
  onClose: () => void;
}

/** Positions are simulated on this exchange: the ticket opens its leg of the pair. */
const TICKET_EXCHANGE = 'binance';

function LegButton({ item: { symbol, bestBuy, bestSell } }: Pick<Props, 'item'>) {
  if (bestBuy !== TICKET_EXCHANGE && bestSell !== TICKET_EXCHANGE) return null;
  const side = bestBuy === TICKET_EXCHANGE ? 'LONG' : 'SHORT';
  return (
    <button type="button" className="btn self-start" onClick={() => openTicket({ symbol, side })}>
      {side === 'LONG' ? 'Buy' : 'Sell'} the {exchangeName(TICKET_EXCHANGE)} leg
    </button>
  );
}

/** One pair now: both order books, the net spread by size, and the usual lifetime of such spreads. */
export function PairDrawer({ item, params, scannedAt, onClose }: Props) {
  const { symbol, bestBuy: buy, bestSell: sell } = item;
  const pair = useMemo((): SpreadPair => ({ symbol, buy, sell }), [symbol, buy, sell]);
  const books = usePairBooks(pair);
  return (
    <Drawer
      title={symbol}
      mark={
        <>
          <span className="text-label text-muted">
            {exchangeName(buy)} to {exchangeName(sell)}
          </span>
          <Badge badge={item.badge} isNamed />
        </>
      }
      action={
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label="Read the books again"
          disabled={books.isFetching}
          onClick={() => void books.refetch()}
        >
          <RefreshCw size={14} aria-hidden="true" />
        </button>
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-5 p-3">
        {books.error !== null && (
          <ErrorState
            text={messageOf(books.error, 'Could not load the order books.')}
            onRetry={() => void books.refetch()}
          />
        )}
        <Guarded>
          {books.data === undefined && books.error === null && <SkeletonRows rows={8} />}
          {books.data !== undefined && <NetPart books={books.data} readAtMs={books.dataUpdatedAt} params={params} />}
          <HistoryPart pair={pair} />
          {books.data !== undefined && <FundingPart books={books.data} readAtMs={books.dataUpdatedAt} />}
          <PersistencePart pair={pair} runningMs={aboveCostsMs(item, scannedAt)} />
          <WatchForm pair={pair} terms={params} startPct={levelAbove(netOf(item).pct)} />
          <LegButton item={item} />
          <Quotes item={item} />
        </Guarded>
      </div>
    </Drawer>
  );
}

/** The next tenth of a percent above the current spread, and at least 0.1 %. */
const levelAbove = (pct: number): number => Math.max(1, Math.floor(pct * 10) + 1) / 10;

interface NetProps {
  books: PairBooks;
  /** Epoch ms. */
  readAtMs: number;
  params: Props['params'];
}

function NetPart({ books, readAtMs, params }: NetProps) {
  const range = useMemo(() => sizeRange(books), [books]);
  if (range === null) return <Notice tone="warn">An order book is empty. Try again later.</Notice>;
  return <SizedPart books={books} readAtMs={readAtMs} params={params} range={range} />;
}

function SizedPart({ books, readAtMs, params, range }: NetProps & { range: { min: number; max: number } }) {
  const [wanted, setWanted] = useState<number | null>(null);
  const sizes = useMemo(() => curveSizes(range), [range]);
  const size = Math.min(range.max, Math.max(range.min, wanted ?? params.notionalUsdt));
  const { result, failure } = useEngineSpread({ books, readAtMs, params, size, sizes });
  const [at, ...curve] = result?.sizes ?? [];
  const best = result?.best ?? null;
  return (
    <section className="flex flex-col gap-3" aria-label="Net at a size">
      {failure !== null && <ErrorState text={failure} />}
      {at === undefined && failure === null && <SkeletonRows rows={6} />}
      {at !== undefined && (
        <>
          <NetFigures at={at} size={size} range={range} onSize={setWanted} />
          <p data-testid="verdict">{verdictText(books, at, best, params.holdHours)}</p>
          {!at.isFilled && at.quantity > 0 && (
            <Notice tone="warn">
              The order books fill only {formatMoney(at.buyNotionalUsdt)} USDT of it in {books.buy.asks.length} levels.
            </Notice>
          )}
          <SizeCharts books={books} range={range} size={size} curve={curve} curveSizes={sizes} best={best} />
        </>
      )}
      <SizeSlider range={range} size={size} onSize={setWanted} />
      {best !== null && (
        <button type="button" className="btn btn-small self-start" onClick={() => setWanted(best.buyNotionalUsdt)}>
          Best size: {formatMoney(best.netUsdt, true)} at {formatCount(best.buyNotionalUsdt)} USDT
        </button>
      )}
      {at !== undefined && <Breakdown at={at} />}
      <p className="text-label text-muted">
        <Age sinceMs={readAtMs} prefix="Books" />, read every {formatDuration(BOOKS_POLL_MS)}; stamps{' '}
        {books.skewMs === null ? 'unknown' : `${skewText(books.skewMs)} apart`}. Computed in your browser.
      </p>
    </section>
  );
}

/** The engine's result for the size and for the curve; the previous one stays while the next is computed. */
function useEngineSpread({
  books,
  readAtMs,
  params,
  size,
  sizes,
}: NetProps & { size: number; sizes: readonly number[] }) {
  const [result, setResult] = useState<SpreadResult | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { takerFees, holdHours } = params;
  useEffect(() => {
    if (sizes.length === 0) return;
    let isWanted = true;
    runEngineTask('spread', spreadInput(books, { takerFees, holdHours }, readAtMs, [size, ...sizes])).then(
      (value) => {
        if (!isWanted) return;
        setResult(value);
        setFailure(null);
      },
      (thrown: unknown) => {
        if (!isWanted) return;
        // The last result belongs to another size.
        setResult(null);
        setFailure(`Not computed: ${messageOf(thrown, 'the engine failed')}.`);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [books, readAtMs, takerFees, holdHours, size, sizes]);
  return { result, failure };
}

interface SizeProps {
  range: { min: number; max: number };
  size: number;
  onSize: (size: number) => void;
}

function NetFigures({ at, range, size, onSize }: SizeProps & { at: SizedSpread }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-muted">Net at</span>
      <span className="w-32">
        <NumberInput
          aria-label="Size of each leg, exact"
          isSmall
          min={range.min}
          max={Math.floor(range.max)}
          step={100}
          decimals={2}
          unit="USDT"
          value={size}
          onChange={onSize}
        />
      </span>
      <p className="whitespace-nowrap">
        <span data-testid="net" className={`text-figure font-semibold tabular-nums ${signTone(at.netUsdt)}`}>
          {formatMoney(at.netUsdt, true)}
        </span>{' '}
        <span className="text-muted">USDT, {formatSigned(at.netFraction * 100, 3)} %</span>
      </p>
    </div>
  );
}

/** As wide as the charts above it, so that its thumb is below their line. */
function SizeSlider({ range, size, onSize }: SizeProps) {
  const place = placeOf(range, size);
  return (
    <div className={plotGrid}>
      <input
        type="range"
        aria-label="Size of each leg"
        aria-valuetext={`${formatAmount(size)} USDT`}
        className="range"
        style={{ '--fill': `${place * 100}%` } as CSSProperties}
        min={0}
        max={SLIDER_STEPS}
        step={1}
        value={Math.round(place * SLIDER_STEPS)}
        onChange={(event) => onSize(sizeAt(range, Number(event.target.value) / SLIDER_STEPS))}
      />
    </div>
  );
}

/** Slippage of each leg by the depth of its order book, percent with the decimals shown. */
export function depthText({ buySlippageFraction: buy, sellSlippageFraction: sell }: DepthLoss): string {
  const legs = [
    [buy * 100, 'on the long leg'],
    [sell * 100, 'on the short leg'],
  ] as const;
  if (legs.every(([pct]) => pct < 0.0005)) return `less than ${pctText(0.001, 3)} on each leg`;
  return legs.map(([pct, name]) => `${pctText(pct, 3)} ${name}`).join(', ');
}
type DepthLoss = Pick<SizedSpread, 'buySlippageFraction' | 'sellSlippageFraction'>;

/** From the gross to the net, in order. */
function Breakdown({ at }: { at: SizedSpread }) {
  const rows: [string, string, ReactNode?][] = [
    ['Gross', formatMoney(at.grossUsdt, true), `${formatFixed(at.grossFraction * 100, 3)} %`],
    ['Fees to open both legs', formatMoney(-at.feesInUsdt, true)],
    ['Fees to close both legs', formatMoney(-at.feesOutUsdt, true)],
    at.fundingUsdt < 0
      ? ['Funding received, not counted', `(${formatMoney(-at.fundingUsdt, true)})`]
      : ['Funding paid until then', formatMoney(-at.fundingUsdt, true)],
    ['Net', formatMoney(at.netUsdt, true), `${formatSigned(at.netFraction * 100, 3)} %`],
  ];
  const facts: [string, ReactNode][] = [
    ['Quantity', formatAmount(at.quantity)],
    ['Average prices', `${formatPrice(at.buyPrice)} and ${formatPrice(at.sellPrice)}`],
    ['Lost to depth', depthText(at)],
  ];
  return (
    <div className="flex flex-col gap-2">
      <table className="table" aria-label="From gross to net, USDT">
        <tbody>
          {rows.map(([name, value, share]) => (
            <tr key={name} className={name === 'Net' ? 'font-semibold' : ''}>
              <th scope="row" className="lead">
                {name}
              </th>
              <td className={`font-mono ${name === 'Net' ? signTone(at.netUsdt) : ''}`}>{value}</td>
              <td className="w-20 font-mono text-muted">{share}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <FactList facts={facts} className="text-label" />
    </div>
  );
}
