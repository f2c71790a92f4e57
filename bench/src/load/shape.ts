import { parseArgs } from 'node:util';

/** Size of a load. Defaults: the goal of issue 43. */
export interface LoadShape {
  /** Accounts with a session. */
  users: number;
  /** Open event streams of pages, each of another account. */
  streams: number;
  scansPerHour: number;
  /** Open positions, and price alerts, spread over all accounts and symbols. */
  positions: number;
  alerts: number;
  /** Requests of pages in a second. */
  readsPerS: number;
  minutes: number;
}

const flags = {
  users: { value: 10_000, what: 'accounts' },
  streams: { value: 2000, what: 'open event streams' },
  scans: { value: 1000, what: 'scans an hour' },
  positions: { value: 10_000, what: 'open positions' },
  alerts: { value: 10_000, what: 'price alerts' },
  reads: { value: 100, what: 'reads a second' },
  minutes: { value: 20, what: 'minutes under load' },
} as const;
type Flag = keyof typeof flags;
const mayBeNone: ReadonlySet<Flag> = new Set(['streams', 'scans', 'alerts']);
const MINUTES_MAX = 600;

export const usage = `npm run load -- [flags]   two web, two worker and one market node under load, with a kill of each role,
                          a restart of PostgreSQL and of the bus
${Object.entries(flags)
  .map(([name, { value, what }]) => `  --${name.padEnd(10)} ${what} (${value})`)
  .join('\n')}`;

/** @throws Error that names the flag */
export function readShape(args: readonly string[]): LoadShape {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const of = (name: Flag): number => {
    const text = values[name];
    if (text === undefined) return flags[name].value;
    const value = Number(text);
    if (name === 'minutes') {
      if (!(value > 0 && value <= MINUTES_MAX)) throw new Error(`--minutes must be above 0, at most ${MINUTES_MAX}`);
    } else if (!Number.isInteger(value) || value < (mayBeNone.has(name) ? 0 : 1))
      throw new Error(`--${name} must be a whole number${mayBeNone.has(name) ? '' : ' above 0'}`);
    return value;
  };
  const shape = {
    users: of('users'),
    streams: of('streams'),
    scansPerHour: of('scans'),
    positions: of('positions'),
    alerts: of('alerts'),
    readsPerS: of('reads'),
    minutes: of('minutes'),
  };
  if (shape.streams > shape.users) throw new Error('--streams must be at most --users');
  return shape;
}
