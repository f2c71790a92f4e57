import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { type ClosedTrade, groupTrades } from '../positions/readAnalytics.ts';
import { CALENDAR_DAYS_MAX, type JournalStatistics } from './contract.ts';

/** Every offset of a time zone is a multiple of it. */
const OFFSET_STEP_MS = 15 * 60_000;
const GROUPS_MAX = 50;

/** Day and hour of moments in a time zone. Remembers each quarter of an hour: formatting takes longer than all of the rest. */
function createClock(zone: string): (ms: number) => { day: string; hour: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const known = new Map<number, { day: string; hour: string }>();
  return (ms) => {
    const step = Math.floor(ms / OFFSET_STEP_MS);
    const before = known.get(step);
    if (before !== undefined) return before;
    const parts = new Map(format.formatToParts(step * OFFSET_STEP_MS).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    const moment = { day: `${part('year')}-${part('month')}-${part('day')}`, hour: part('hour') };
    known.set(step, moment);
    return moment;
  };
}

type Setup = 'strategy' | 'automatic' | 'signal' | 'order';

/** What a position was opened by. A saved strategy comes first: its positions are automatic too. */
export function setupOf({ hasStrategy, isAutomatic, hasSignal }: ClosedTrade): Setup {
  if (hasStrategy) return 'strategy';
  if (isAutomatic) return 'automatic';
  return hasSignal ? 'signal' : 'order';
}

const UNTAGGED = '';

/**
 * Statistics of closed positions by day, hour, tag, symbol and setup.
 * @param trades oldest close first
 * @param tags by position; a position counts for each of its tags
 */
export function journalStatistics(
  trades: readonly ClosedTrade[],
  tags: ReadonlyMap<string, readonly string[]>,
  { zone, nowMs }: { zone: string; nowMs: number },
): JournalStatistics {
  const clock = createClock(zone);
  const firstDay = clock(nowMs - (CALENDAR_DAYS_MAX - 1) * DAY_MS).day;
  const dayOf = ({ closedAtMs }: ClosedTrade): string => clock(closedAtMs).day;
  const byDay = groupTrades(
    trades.filter((trade) => dayOf(trade) >= firstDay),
    (trade) => [dayOf(trade)],
  );
  const byHour = groupTrades(trades, ({ openedAtMs }) => [clock(openedAtMs).hour]);
  return {
    zone,
    today: clock(nowMs).day,
    days: byDay
      .map(({ name, trades: count, wins, net_pnl, r_sum }) => ({
        day: name,
        trades: count,
        wins,
        net_pnl,
        r_multiple: r_sum,
      }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    by_tag: groupTrades(trades, ({ id }) => tags.get(id) ?? [UNTAGGED]).slice(0, GROUPS_MAX),
    by_hour: byHour.sort((a, b) => (a.name < b.name ? -1 : 1)),
    by_symbol: groupTrades(trades, ({ symbol }) => [symbol]).slice(0, GROUPS_MAX),
    by_setup: groupTrades(trades, (trade) => [setupOf(trade)]),
  };
}
