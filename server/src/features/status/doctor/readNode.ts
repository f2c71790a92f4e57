import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import { readSamples, type Samples } from './prometheusText.ts';

const ReadinessBody = z.object({
  status: z.enum(['ready', 'degraded', 'not_ready']),
  reasons: z.array(z.object({ code: z.string(), message: z.string() })),
});

/** What one probe port says; the metrics twice, some seconds apart. */
export interface NodeReading {
  readiness: z.output<typeof ReadinessBody>;
  first: Samples;
  /** Undefined when the second response did not arrive. */
  second: Samples | undefined;
}

export interface ReadNodeOptions {
  /** Resolves when the second response is due. */
  pause: () => Promise<void>;
  /** Deadline of each request. */
  deadlineMs: number;
}

const bodyMax = 4 * 1024 * 1024;

async function get(url: string, deadlineMs: number): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(deadlineMs) });
  const text = await response.text();
  return { status: response.status, text: text.slice(0, bodyMax) };
}

const failureOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response in time';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return 'nothing listens there';
  return cause instanceof Error ? cause.message : String(cause);
};

/** Reads the probes of a node. @param url base URL of its probe port */
export async function readNode(
  url: string,
  { pause, deadlineMs }: ReadNodeOptions,
): Promise<Result<NodeReading, string>> {
  const base = url.replace(/\/$/, '');
  try {
    const ready = await get(`${base}/readyz`, deadlineMs);
    const readiness = ReadinessBody.safeParse(parseJson(ready.text));
    if (!readiness.success) return failWith('this is no probe port of Sextant');
    const readMetrics = async (): Promise<Samples> => {
      const { status, text } = await get(`${base}/metrics`, deadlineMs);
      // A node that starts has no metrics yet.
      return status === 200 ? readSamples(text) : new Map();
    };
    const first = await readMetrics();
    await pause();
    const second = await readMetrics().catch(() => undefined);
    return ok({ readiness: readiness.data, first, second });
  } catch (error) {
    return failWith(failureOf(error));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
