import type { CcxtClient } from './ccxtClient.ts';
import { asked, type VenueOptions } from './context.ts';
import { type Universe, universeOf } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

/** Listings change a few times a day. */
const universeLifeMs = 30 * 60_000;
/** The symbol list, loaded once for all who ask at the same time; an old list outlives a failed renewal. */
export function keptUniverse(
  { rules, dialect, clock }: VenueOptions,
  client: () => Promise<CcxtClient>,
): () => Promise<Universe> {
  let kept: (Universe & { atMs: number }) | undefined;
  let loading: Promise<Universe> | undefined;

  async function load(): Promise<Universe> {
    const ccxt = await client();
    const markets = await asked(rules, () => ccxt.loadMarkets(true));
    const universe = universeOf(dialect.exchange, Object.values(markets));
    if (!universe.ok) {
      // ccxt keeps what it loaded; a bad list must not answer the next question.
      ccxt.markets = undefined;
      throw new UpstreamError('unavailable', `${rules.name} sent ${universe.reason}.`);
    }
    kept = { listed: universe.listed, leftOut: universe.leftOut, atMs: clock.now() };
    return kept;
  }

  return async (): Promise<Universe> => {
    if (kept !== undefined && clock.now() - kept.atMs < universeLifeMs) return kept;
    loading ??= load().finally(() => (loading = undefined));
    const old = kept;
    if (old === undefined) return loading;
    return loading.catch(() => old);
  };
}
