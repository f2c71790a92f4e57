import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { queryKeys } from '../../../api/queryKeys.ts';
import { formatFixed } from '../../../format/number.ts';
import { dropKey, keyInHand } from '../../../state/keyInHand.ts';
import { CodeBlock, CopyButton } from '../../../ui/CodeBlock.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';

/** A call that the key may make and that shows something of the market where it may. */
function firstCall(scopes: readonly string[]): TriedCall {
  const readsMarket = scopes.length === 0 || scopes.includes('read:market');
  return {
    method: 'GET',
    path: readsMarket ? '/api/klines?symbol=BTCUSDT&interval=1h&limit=3' : '/api/account/whoami',
  };
}

/** The whole key, this once, and the first call with it: ready for a terminal, and to run from here. */
export function NewKeyPanel({ apiKey }: { apiKey: string }) {
  const { name, scopes } = useSnapshot(keyInHand);
  const call = firstCall(scopes);
  const curl = `curl '${window.location.origin}${call.path}' \\\n  -H 'x-api-key: ${apiKey}'`;
  return (
    <Panel title={`Your new key: ${name}`} className="border-accent">
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-2">
          <Notice tone="warn">Copy your key now and store it like a password. It is shown once.</Notice>
          <div className="flex items-center gap-2 rounded border border-line bg-bg px-3 py-2 max-md:flex-col max-md:items-stretch">
            <code aria-label="API key" className="min-w-0 flex-1 font-mono break-all select-all">
              {apiKey}
            </code>
            <CopyButton
              text={apiKey}
              label="Copy key"
              copiedText="API Key copied to clipboard!"
              className="btn btn-primary shrink-0"
            />
          </div>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="font-semibold">Your first call</h3>
          <CodeBlock label="First call with cURL" text={curl} />
          <TryFirstCall call={call} apiKey={apiKey} />
        </div>
        <button type="button" className="btn self-start" onClick={dropKey}>
          I have saved the key
        </button>
      </div>
    </Panel>
  );
}

function TryFirstCall({ call, apiKey }: { call: TriedCall; apiKey: string }) {
  const client = useQueryClient();
  const [response, setResponse] = useState<TriedResponse | 'waiting' | null>(null);
  async function run(): Promise<void> {
    setResponse('waiting');
    setResponse(await tryCall(call, apiKey));
    await client.invalidateQueries({ queryKey: queryKeys.apiAccess.all });
  }
  return (
    <>
      <button type="button" className="btn self-start" disabled={response === 'waiting'} onClick={() => void run()}>
        {response === 'waiting' ? 'Calling...' : 'Try it here'}
      </button>
      {response !== null && response !== 'waiting' && <ResponseView response={response} />}
    </>
  );
}

/** The raw response, as a program would get it. */
export function ResponseView({ response, label = 'Response' }: { response: TriedResponse; label?: string }) {
  const { status, tookMs, text, remaining } = response;
  const isGood = status >= 200 && status < 400;
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className={`font-semibold ${isGood ? 'text-up' : 'text-down'}`}>
        {status === 0 ? 'No response' : `${status} ${isGood ? 'OK' : 'Rejected'}`}
        <span className="ml-2 font-normal text-muted tabular-nums">
          {formatFixed(tookMs, 0)} ms{remaining === null ? '' : `, ${remaining} calls left this hour`}
        </span>
      </p>
      <CodeBlock label={label} text={text.length > 20_000 ? `${text.slice(0, 20_000)}\n… cut here` : text} />
    </div>
  );
}

/** A call as the documentation shows it. */
interface TriedCall {
  method: string;
  /** With its query. */
  path: string;
  /** JSON text, or none. */
  body?: string | undefined;
}

export interface TriedResponse {
  /** 0 when the server was not reached. */
  status: number;
  /** Milliseconds until the whole response had arrived. */
  tookMs: number;
  /** The body, indented where it is JSON. */
  text: string;
  /** Calls left in this hour; null when the response does not say. */
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
export async function tryCall({ method, path, body }: TriedCall, key: string | null): Promise<TriedResponse> {
  const startedMs = performance.now();
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'x-api-key': key }),
      },
      ...withoutUndefined({ body }),
      credentials: key === null ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    const left = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1];
    return {
      status: response.status,
      tookMs: performance.now() - startedMs,
      text: indented(text),
      remaining: left === undefined ? null : Number(left),
    };
  } catch {
    const tookMs = performance.now() - startedMs;
    return { status: 0, tookMs, text: 'Server unreachable. Check your connection.', remaining: null };
  }
}
