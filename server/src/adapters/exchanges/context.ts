import type { CcxtClient } from './ccxtClient.ts';
import type { Clock } from './clock.ts';
import type { Dialect } from './dialect.ts';
import type { VenueRules } from './rules.ts';
import type { StreamTimings } from './streams/connection.ts';
import type { Transport } from './transport.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

export interface VenueOptions {
  rules: VenueRules;
  dialect: Dialect;
  transport: Transport;
  clock: Clock;
  /** Origin of the websockets; the exchange's own when absent. */
  streamOrigin?: string;
  streamTimings?: Partial<StreamTimings>;
}

/** What the functions of one venue share. */
export interface VenueContext extends VenueOptions {
  /** The ccxt instance, made at the first question: a venue nobody asks costs no memory. */
  client: () => Promise<CcxtClient>;
  listed: (symbol: string) => Promise<Listed>;
}

/** What ccxt throws of its own is about an answer it could not read; our failures pass through it unchanged. */
export async function asked<T>(rules: VenueRules, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError('unavailable', `${rules.name} sent an answer that cannot be read.`);
  }
}
