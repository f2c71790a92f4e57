/** A call as the documentation shows it. */
export interface TriedCall {
  method: string;
  /** With its query. */
  path: string;
  /** JSON text, or none. */
  body?: string | undefined;
}

export interface TriedAnswer {
  /** 0 when the server was not reached. */
  status: number;
  /** Milliseconds until the whole answer was here. */
  tookMs: number;
  /** The body, indented where it is JSON. */
  text: string;
  /** Calls of the hour that are left; null when the answer does not say. */
  remaining: number | null;
}

const DEADLINE_MS = 30_000;

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends a call as a program would: with the API key alone, or with the session when there is no key. Never throws. */
export async function tryCall({ method, path, body }: TriedCall, key: string | null): Promise<TriedAnswer> {
  const startedMs = performance.now();
  try {
    const answer = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'x-api-key': key }),
      },
      ...(body === undefined ? {} : { body }),
      credentials: key === null ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await answer.text();
    const left = /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1];
    return {
      status: answer.status,
      tookMs: performance.now() - startedMs,
      text: indented(text),
      remaining: left === undefined ? null : Number(left),
    };
  } catch {
    const tookMs = performance.now() - startedMs;
    return { status: 0, tookMs, text: 'The server did not answer. Check your connection.', remaining: null };
  }
}
