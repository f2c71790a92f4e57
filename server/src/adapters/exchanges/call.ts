import { UpstreamError } from './upstreamError.ts';

/** One question to an exchange, however many requests it takes. Reaches the transport through ccxt without ccxt knowing. */
export interface Call {
  /** Epoch ms by the transport's clock. */
  deadlineMs: number;
  signal: AbortSignal | undefined;
  /** The exchange's own clock at its earliest answer of this call, from the Date header; undefined before the first answer. */
  serverNowMs: number | undefined;
}

export const cancelled = (name: string): UpstreamError =>
  new UpstreamError('cancelled', `The question to ${name} was cancelled.`);
export const timedOut = (name: string): UpstreamError =>
  new UpstreamError('timedOut', `${name} did not answer in time.`);
