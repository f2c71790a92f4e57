import type { CcxtClient } from './ccxtClient.ts';
import type { Clock } from './clock.ts';
import type { RestDialect } from './restDialect.ts';
import type { StreamDialect } from './streams/streamDialect.ts';
import type { VenueRules } from './rules.ts';
import type { StreamTimings } from './streams/connection.ts';
import type { Transport } from './transport.ts';
import type { ExchangeKey } from './tiers.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

export interface VenueOptions {
  rules: VenueRules;
  dialect: RestDialect;
  stream: StreamDialect;
  transport: Transport;
  clock: Clock;
  /** Reads data that the exchange restricts to API keys. */
  key?: ExchangeKey | undefined;
  /** Origin of the websockets; the exchange's own when absent. */
  streamOrigin?: string;
  streamTimings?: Partial<StreamTimings>;
}

/** Shared state of one exchange's functions. */
export interface VenueContext extends VenueOptions {
  /** The ccxt instance, created at first use to save memory. */
  client: () => Promise<CcxtClient>;
  listed: (symbol: string) => Promise<Listed>;
}

/** Runs a ccxt call; ccxt's own errors become `unavailable`, UpstreamError passes unchanged. */
export async function translateCcxtErrors<T>(rules: VenueRules, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError('unavailable', `${rules.name} sent an unreadable response.`);
  }
}
