import { standardSizing } from '@sextant/workers/src/signals/signalRules.ts';
import { z } from 'zod';
import type { ProbeDependency } from './dependencies.ts';

const probed = { symbol: 'BTCUSDT', interval: '1h' } as const;
const Signal = z.object({ symbol: z.literal(probed.symbol), direction: z.enum(['LONG', 'SHORT', 'NEUTRAL']) });
const Problem = z.object({ code: z.string().min(1).max(100) });

/** Each minute of a day uses a different capital: an identical request would be served from memory, without the engine. */
const balanceAt = (nowMs: number): number => standardSizing.balance + (Math.floor(nowMs / 60_000) % 1440);

/**
 * Requests a real signal over HTTP, as a client does: it covers port, routes, sign-in, engine and market.
 * @param origin where this server listens
 */
export const createSignalCall =
  (origin: string, authorization: string, now: () => number = Date.now): ProbeDependency =>
  async (signal) => {
    const response = await fetch(`${origin}/api/futures-signal`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...probed, balance: balanceAt(now()) }),
      signal,
    });
    const body: unknown = await response.json();
    if (response.status === 200) return Signal.safeParse(body).success ? null : 'internal';
    return Problem.safeParse(body).data?.code ?? 'internal';
  };
