import type { KlineRows } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { CandleGap, CandleWindow, Interval, VenueCandleRequest } from '../../features/market/port.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { VenueContext } from './context.ts';
import type { CandleDialect, Page } from './restDialect.ts';
import type { VenueRules } from './rules.ts';
import type { Call } from './transport.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';
import { type Expectation, validateCandles } from './validateCandles.ts';

const pagesAtOnce = 4;
/** An exchange cuts a response to the requested number of rows, so duplicate rows displace others: one retry may not return all. */
const repairRounds = 4;
/** An exchange may state a listing time hours or days before the first trade. */
const listingSlackMs = 3 * 86_400_000;

/** Validated closed bars of a span, page by page. Retries missing or rejected bars while that adds bars. @throws UpstreamError */
export async function readCandles(
  context: VenueContext,
  call: Call,
  request: VenueCandleRequest,
): Promise<CandleWindow> {
  const { rules, clock } = context;
  const span = intervalMs[request.interval];
  const listed = await context.listed(request.symbol);
  const { listedAtMs } = listed.listing;
  const expected = (): Expectation => ({
    intervalMs: span,
    fromMs: request.fromMs,
    toMs: request.toMs,
    // A bar is closed only when it has ended on both clocks: ours may run ahead of the exchange's.
    closedByMs: Math.min(clock.now(), call.serverNowMs ?? Infinity),
    nowMs: clock.now(),
    firstTradeMs: listedAtMs === null ? Infinity : listedAtMs + listingSlackMs,
  });
  const dialect = request.price === 'mark' ? context.dialect.markCandles : context.dialect.candles;
  const send = (pages: readonly Page[]): Promise<unknown[]> =>
    fetchPages(context, dialect, { listed, interval: request.interval, pages });
  const { pageSize } = dialect;
  const pages = pagesOf(request.fromMs, request.toMs, span, pageSize);
  const first = validateCandles(await send(pages), expected());
  // Nothing was usable: retry the whole span once.
  const usable = first.ok ? first : validateCandles(await send(pages), expected());
  if (!usable.ok) {
    const what = `${rules.name} sent invalid candles for ${request.symbol}: ${usable.error}.`;
    throw new UpstreamError('unavailable', what);
  }
  let window = usable.value;
  for (let round = 0; round < repairRounds && window.gaps.length > 0; round++) {
    const fresh = await send(around(window.gaps, span, pageSize));
    const again = validateCandles([...rowsOf(window.candles), ...fresh], expected());
    // The exchange itself lacks these bars: more retries only cost weight.
    if (!again.ok || again.value.candles.time.length <= window.candles.time.length) break;
    window = again.value;
  }
  return checkedWindow(rules, window, request.symbol);
}

function checkedWindow(rules: VenueRules, window: CandleWindow, symbol: string): CandleWindow {
  if (window.candles.time.length > 0 || window.gaps.length === 0) return window;
  throw new UpstreamError('unavailable', `${rules.name} sent no valid candle for ${symbol}.`);
}

async function fetchPages(
  { transport, clock }: VenueContext,
  candles: CandleDialect,
  { listed: { id }, interval, pages }: { listed: Listed; interval: Interval; pages: readonly Page[] },
): Promise<unknown[]> {
  const responses = await mapLimited(pages, pagesAtOnce, async (page) => {
    const question = { ...page, id, interval, intervalMs: intervalMs[interval], nowMs: clock.now() };
    const { rows, body } = await transport.getRows(candles.path(question), candles.layout);
    // `rows` is undefined when any cell has an unexpected form; parsing JSON row by row keeps the valid candles.
    return rows === undefined ? candles.rows(body).map(numbersOf(candles)) : rowsOfCells(rows, candles);
  });
  return responses.flat();
}

/** Pages around the gaps: one span per gap when there are at most three, otherwise one span over all of them. */
function around(gaps: readonly CandleGap[], span: number, pageSize: number): Page[] {
  const spans = gaps.length <= 3 ? gaps : [{ fromMs: gaps[0]?.fromMs ?? 0, toMs: gaps.at(-1)?.toMs ?? 0 }];
  return spans.flatMap(({ fromMs, toMs }) => pagesOf(fromMs, toMs, span, pageSize));
}

function rowsOf({ time, open, high, low, close, volume }: Candles): number[][] {
  return Array.from(time, (openMs, i) => [openMs, open[i], high[i], low[i], close[i], volume[i]] as number[]);
}

/** Splits a span into pages of at most `pageSize` bars, youngest last. */
export function pagesOf(fromMs: number, toMs: number, intervalMs: number, pageSize: number): Page[] {
  const pages: Page[] = [];
  for (let start = fromMs; start <= toMs; start += pageSize * intervalMs) {
    pages.push({ fromMs: start, toMs: Math.min(toMs, start + (pageSize - 1) * intervalMs) });
  }
  return pages;
}

/** Extracted rows, each as [open time ms, open, high, low, close, volume]. */
export function rowsOfCells({ cells, rowCount }: KlineRows, { layout, volumeCell }: CandleDialect): number[][] {
  return Array.from({ length: rowCount }, (_, row) => {
    const at = row * layout.cellCount;
    return [...cells.subarray(at, at + 5), volumeCell === null ? 0 : (cells[at + volumeCell] as number)];
  });
}

/** One row as [open time ms, open, high, low, close, volume]; NaN where the exchange did not send a number. */
export const numbersOf =
  ({ volumeCell }: CandleDialect) =>
  (row: unknown): unknown =>
    Array.isArray(row) ? [0, 1, 2, 3, 4, volumeCell].map((cell) => (cell === null ? 0 : numberOf(row[cell]))) : row;

function numberOf(cell: unknown): number {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : NaN;
}
