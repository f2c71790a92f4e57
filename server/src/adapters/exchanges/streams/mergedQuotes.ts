import type { LiveQuote } from '../../../features/market/port.ts';
import { quoteOf } from '../dialect.ts';
import type { RawPart } from './streamDialect.ts';

/** Values of one group come together and grow old together. */
interface Part {
  values: Record<string, unknown>;
  /** The exchange's stamp. */
  atMs: number;
}

const groups = { last: ['last'], book: ['bid', 'ask'], mark: ['mark'], funding: ['fundingRate', 'nextFundingAtMs'] };
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

/** Older than this a part is unknown: how often it is pushed, with room for a message that is late. */
const freshMs: Record<Group, number> = { last: 10_000, book: 12_000, mark: 15_000, funding: 300_000 };
/** A frame whose stamp is this far from our clock says nothing about now. */
const skewMsMax = 60_000;
/** No exchange pays more than 4 % at once; a rate above this is a unit mistake. */
const rateMax = 0.1;

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

type Parts = Map<Group, Part>;

/** Notes what a frame says. */
function note(parts: Parts, raw: RawPart, atMs: number): void {
  for (const group of groupNames) {
    const before = parts.get(group);
    const given = groups[group].filter((name) => raw[name as keyof RawPart] !== undefined);
    const isConfirmed = raw.isDelta === true && before !== undefined;
    // What was sent before is older, whenever it arrives.
    if ((given.length === 0 && !isConfirmed) || (before !== undefined && before.atMs > atMs)) continue;
    const values = Object.fromEntries(given.map((name) => [name, raw[name as keyof RawPart]]));
    parts.set(group, { values: isConfirmed ? { ...before.values, ...values } : values, atMs });
  }
}

function fresh(parts: Parts, group: Group, nowMs: number): Record<string, unknown> {
  const part = parts.get(group);
  return part !== undefined && nowMs - part.atMs <= freshMs[group] ? part.values : {};
}

function fundingOf(parts: Parts, nowMs: number): Pick<LiveQuote, 'fundingRate' | 'nextFundingAtMs'> {
  const values = fresh(parts, 'funding', nowMs);
  const rate = numberOf(values['fundingRate']);
  const nextMs = numberOf(values['nextFundingAtMs']);
  const isUsable =
    rate !== undefined && Math.abs(rate) <= rateMax && nextMs !== undefined && nextMs > nowMs - 3_600_000;
  return isUsable ? { fundingRate: rate, nextFundingAtMs: nextMs } : { fundingRate: null, nextFundingAtMs: null };
}

/** Puts the quotes of an exchange together from the parts its channels send; undefined when there is none that can be used. */
export function createMergedQuotes(now: () => number): (raw: RawPart, symbol: string) => LiveQuote | undefined {
  const kept = new Map<string, Parts>();
  return (raw, symbol) => {
    const nowMs = now();
    const stamp = numberOf(raw.atMs);
    if (stamp === undefined || Math.abs(nowMs - stamp) > skewMsMax) return undefined;
    const parts: Parts = kept.get(symbol) ?? new Map<Group, Part>();
    kept.set(symbol, parts);
    // A stamp from the future would make an age negative.
    note(parts, raw, Math.min(nowMs, stamp));
    const sides = { ...fresh(parts, 'last', nowMs), ...fresh(parts, 'book', nowMs), ...fresh(parts, 'mark', nowMs) };
    const quote = quoteOf({ id: raw.id, ...sides, atMs: parts.get('last')?.atMs }, symbol, nowMs);
    return quote === undefined ? undefined : { ...quote, receivedAtMs: nowMs, ...fundingOf(parts, nowMs) };
  };
}
