import { standardSizing } from '@sextant/workers/src/signalRules.ts';
import { z } from 'zod';
import type { Ask } from './dependencies.ts';

const probed = { symbol: 'BTCUSDT', interval: '1h' } as const;
const Signal = z.object({ symbol: z.literal(probed.symbol), direction: z.enum(['LONG', 'SHORT', 'NEUTRAL']) });
const Problem = z.object({ code: z.string().min(1).max(100) });

/** Each minute of a day has a capital of its own: the same question again would be answered from memory, without the engine. */
const balanceAt = (nowMs: number): number => standardSizing.balance + (Math.floor(nowMs / 60_000) % 1440);

/**
 * Asks for a real signal over HTTP, as a program does: port, routes, sign-in, engine and market are all part of it.
 * @param origin where this server listens
 */
export const createSignalCall =
  (origin: string, authorization: string, now: () => number = Date.now): Ask =>
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
