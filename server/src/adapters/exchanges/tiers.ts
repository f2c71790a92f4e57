import type { LeverageTier } from '@sextant/workers/src/protocol/backtest.ts';
import type { VenueContext } from './context.ts';
import { UpstreamError } from './upstreamError.ts';

/** A read-only key. Binance requires a signed request for its tiers; the others publish theirs. */
export interface ExchangeKey {
  key: string;
  secret: string;
}

export interface TierSource {
  /** The exchange's own id of the symbol. */
  id: string;
  /** Coins (as listed) in one unit of its order sizes. */
  contractSize: number;
  nowMs: number;
  key: ExchangeKey | undefined;
}

/** An unchecked tier from a response; numbers may be text, fractions may be percent. */
export interface RawTier {
  /** Quote currency at which the tier starts; where the exchange states ends, the end of the previous tier. */
  floor: unknown;
  /** Quote currency at which the tier ends; that of the last tier is the largest position. */
  end: unknown;
  maintenance: unknown;
  initial: unknown;
  leverageMax: unknown;
  /** Deducted from the maintenance margin, quote currency. */
  deduction: unknown;
}

/** Ends from here on mean no limit: Binance sends the largest 64-bit number. */
const NO_END = 1e12;

const numberOf = (value: unknown): number => (value === '' || value === null ? NaN : Number(value));

/** The tiers of one symbol, lowest first; null when the exchange requires a valid key. @throws UpstreamError when the table is unusable */
export async function readTiers(context: VenueContext, symbol: string): Promise<LeverageTier[] | null> {
  const { dialect, transport, clock, rules, key } = context;
  const { id, contractSize } = await context.listed(symbol);
  const raws = await dialect.tiers(transport, { id, contractSize, nowMs: clock.now(), key }).catch((error: unknown) => {
    // A key that the exchange rejects shows as much as none.
    if (key !== undefined && error instanceof UpstreamError && error.failure === 'refused') return null;
    throw error;
  });
  if (raws === null) return null;
  const tiers = raws.map(tierOf).sort((a, b) => a.notionalFloor - b.notionalFloor);
  if (!isTable(tiers))
    throw new UpstreamError('unavailable', `${rules.name} sent invalid leverage tiers for ${symbol}.`);
  return withEnd(tiers, Math.max(...raws.map(({ end }) => numberOf(end))));
}

/** Adds the row that ends the sizes: the last tier without any leverage. An end that cannot be used is none. */
function withEnd(tiers: LeverageTier[], end: number): LeverageTier[] {
  const last = tiers.at(-1);
  if (last === undefined || !(end > last.notionalFloor) || end >= NO_END) return tiers;
  return [...tiers, { ...last, notionalFloor: end, leverageMax: 0 }];
}

function tierOf({ floor, maintenance, initial, leverageMax, deduction }: RawTier): LeverageTier {
  const most = numberOf(leverageMax);
  // Margins are fractions or percent: initial margin times maximum leverage is 1 or 100.
  const unit = Math.abs(numberOf(initial ?? 1 / most) * most - 100) < 10 ? 100 : 1;
  return {
    notionalFloor: numberOf(floor),
    maintenanceMarginFraction: numberOf(maintenance) / unit,
    maintenanceAmount: numberOf(deduction) || 0,
    leverageMax: most,
  };
}

/** With the row that ends the sizes a table has 100 rows, as many as `costs.tiers` takes. */
const TIERS_MAX = 99;

function isTable(tiers: readonly LeverageTier[]): boolean {
  if (tiers.length === 0 || tiers.length > TIERS_MAX || tiers[0]?.notionalFloor !== 0) return false;
  return tiers.every((tier, i) => {
    const { notionalFloor, maintenanceMarginFraction: rate, maintenanceAmount, leverageMax } = tier;
    const isAbove = i === 0 || notionalFloor > (tiers[i - 1]?.notionalFloor ?? Infinity);
    return isAbove && rate > 0 && rate <= 0.5 && maintenanceAmount >= 0 && leverageMax >= 1 && leverageMax <= 1000;
  });
}
