import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';

/** A feed's date: epoch ms, its time zone name when unknown, or null when it is not a date. */
export type FeedDate = { atMs: number } | { unknownZone: string } | null;

/**
 * Hours east of Greenwich. Ambiguous names have the meaning of RFC 822 (EST to PDT) or of most readers: CST is Chicago, BST is
 * British Summer Time, IST is India.
 */
const zoneHours = new Map(
  (
    [
      [0, 'Z UT UTC GMT ZULU WET'],
      [1, 'WEST BST CET MET MEZ WAT'],
      [2, 'CEST MEST MESZ EET CAT SAST'],
      [3, 'EEST MSK TRT EAT'],
      [3.5, 'IRST'],
      [4, 'MSD GST'],
      [5, 'PKT'],
      [5.5, 'IST'],
      [5.75, 'NPT'],
      [7, 'ICT WIB'],
      [8, 'HKT SGT MYT PHT PHST WITA AWST'],
      [9, 'JST KST WIT'],
      [9.5, 'ACST'],
      [10, 'AEST'],
      [10.5, 'ACDT'],
      [11, 'AEDT'],
      [12, 'NZST'],
      [13, 'NZDT'],
      [-2, 'BRST'],
      [-2.5, 'NDT'],
      [-3, 'BRT ART UYT CLST ADT'],
      [-3.5, 'NST'],
      [-4, 'AST CLT EDT'],
      [-5, 'EST COT PET CDT'],
      [-6, 'CST MDT'],
      [-7, 'MST PDT'],
      [-8, 'PST AKDT'],
      [-9, 'AKST'],
      [-10, 'HST'],
    ] as const
  ).flatMap(([hours, names]) => names.split(' ').map((name) => [name, hours] as const)),
);
/** Names whose offset differs in summer. */
const zonePlaces: Readonly<Record<string, string>> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const YEAR = '(\\d{4}|\\d{2})(?!\\d|:)';

type Named = Partial<Record<'year' | 'month' | 'day', string>>;
/** Patterns of the supported orders of year, month and day. */
const dayForms: readonly { pattern: RegExp; named: (matches: readonly (string | undefined)[]) => Named }[] = [
  {
    pattern: /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?=$|[\sT])/i,
    named: ([, year, month, day]) => named(year, month, day),
  },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?=$|T)/i, named: ([, year, month, day]) => named(year, month, day) },
  {
    pattern: new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+${MONTH},?[\\s-]+${YEAR}`, 'i'),
    named: ([, day, month, year]) => named(year, month, day),
  },
  {
    pattern: new RegExp(`^${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+${YEAR}`, 'i'),
    named: ([, month, day, year]) => named(year, month, day),
  },
];
const named = (year?: string, month?: string, day?: string): Named => ({
  ...(year === undefined ? {} : { year }),
  ...(month === undefined ? {} : { month }),
  ...(day === undefined ? {} : { day }),
});

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i;
/** `Sat Nov 28 05:45:00 CET 2026`, the format of `date` and Java: the year follows the time. */
const YEAR_LAST = new RegExp(`^(${MONTH}\\s+\\d{1,2})\\s+(\\d{1,2}:\\d{2}.*?)\\s+(\\d{4})$`, 'i');
const CLOCK = /^(?:[\sT,]|at\s)*(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s*(?:([ap])\.?m\.?(?![a-z]))?\s*/i;
const LENGTH_MAX = 100;

/**
 * Parses the dates found in feeds: RFC 822 and variants, ISO 8601, US format, epoch seconds and milliseconds. A date without a
 * zone is UTC, so the process's time zone has no effect.
 */
export function readFeedDate(text: string): FeedDate {
  const written = text.trim().replaceAll(/\s+/g, ' ');
  if (written.length > LENGTH_MAX) return null;
  if (/^\d{10}$/.test(written)) return { atMs: Number(written) * 1000 };
  if (/^\d{13}$/.test(written)) return { atMs: Number(written) };
  const plain = written.replace(WEEKDAY, '').replace(YEAR_LAST, '$1 $4 $3');
  for (const { pattern, named: namedIn } of dayForms) {
    const match = pattern.exec(plain);
    if (match !== null) return dateOf(dayMsOf(namedIn(match)), plain.slice(match[0].length));
  }
  return null;
}

function dayMsOf({ year = '', month = '', day = '' }: Named): number | undefined {
  const monthIndex = /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3).toLowerCase());
  // RFC 2822: two-digit years up to 49 belong to this century.
  const fullYear = year.length > 2 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
  const atMs = Date.UTC(fullYear, monthIndex, Number(day));
  // Date.UTC turns 31 November into 1 December.
  const date = new Date(atMs);
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day) ? atMs : undefined;
}

function dateOf(dayMs: number | undefined, rest: string): FeedDate {
  const clock = CLOCK.exec(rest);
  if (dayMs === undefined || (clock === null && rest.trim() !== '')) return null;
  const [whole = '', hour = '0', minute = '0', second = '0', half] = clock ?? [];
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  // 24:00 is midnight at the end of the day, 60 a leap second.
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) return null;
  const localMs = dayMs + hours * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1000;
  const zone = rest.slice(whole.length).trim();
  const offsetMs = offsetOf(zone, localMs);
  return offsetMs === undefined ? { unknownZone: zone.slice(0, 20) } : { atMs: localMs - offsetMs };
}

const OFFSET = /^(?:GMT|UTC?)?\s?([+-]|\u2212)(\d{1,2})(?::?(\d{2}))?(?:\s?\([^()]*\)|\s[A-Z]{1,5})?$/i;

/** Offset of a zone from UTC in ms; undefined when its name is unknown. */
function offsetOf(zone: string, localMs: number): number | undefined {
  const numeric = OFFSET.exec(zone);
  if (numeric !== null) {
    const [, sign, hours = '0', minutes = '0'] = numeric;
    const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
    return Number(hours) > 14 || Number(minutes) > 59 ? undefined : sign === '+' ? size : -size;
  }
  const name = zone.replace(/^\((.*)\)$/, '$1').replaceAll('.', '');
  if (name === '') return 0;
  const hours = zoneHours.get(name.toUpperCase());
  if (hours !== undefined) return hours * HOUR_MS;
  const place = Object.hasOwn(zonePlaces, name.toUpperCase()) ? zonePlaces[name.toUpperCase()] : name;
  return place?.includes('/') === true ? placeOffset(place, localMs) : undefined;
}

/** Offset of an IANA zone at a wall-clock time. */
function placeOffset(timeZone: string, localMs: number): number | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  const at = (ms: number): number => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
  };
  return at(localMs - at(localMs));
}
