import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type OpenAI from 'openai';
import { observe } from '../../platform/observe.ts';
import type { ModelAnalyst, ModelResponse, ModelFailure, Prompt } from '../../features/aicheck/port.ts';

export interface ModelAnalystOptions {
  apiKey: string;
  model: string;
  /** The provider's default when absent. */
  baseUrl?: string | undefined;
  reservedMicrousd: number;
  /** Longest single request. */
  timeoutMs?: number;
}

const overallMsMax = 30_000;
const outputTokensMax = 800;
/** Longest Retry-After that is awaited; a longer one ends the request without a retry. */
const retryAfterMsMax = 5000;
const retryAfterMsUsual = 500;

/**
 * OpenAI's Responses API with a strict schema. The package is loaded at the first request. Its retries are off, because it would send up to
 * three billed requests. Retries once here: after 429, which is not billed, and after a provider failure if `mayPayAgain` allows a
 * second payment.
 */
export function createModelAnalyst(options: ModelAnalystOptions): ModelAnalyst {
  const { apiKey, model, baseUrl, timeoutMs = 20_000 } = options;
  let client: Promise<OpenAI> | undefined;
  const load = async (): Promise<OpenAI> => {
    const { default: Client } = await import('openai');
    return new Client({
      apiKey,
      timeout: timeoutMs,
      maxRetries: 0,
      ...withoutUndefined({ baseURL: baseUrl }),
    });
  };

  async function send(prompt: Prompt, subject: string, signal: AbortSignal): Promise<ModelResponse> {
    client ??= load();
    const response: unknown = await (
      await client
    ).responses.create(
      {
        model,
        instructions: prompt.instructions,
        input: inputOf(prompt),
        store: false,
        max_output_tokens: outputTokensMax,
        safety_identifier: subject,
        text: { format: { type: 'json_schema', name: prompt.name, strict: true, schema: prompt.schema } },
      },
      { signal },
    );
    return responseOf(response);
  }

  return {
    model,
    reservedMicrousd: options.reservedMicrousd,
    async check(signal) {
      try {
        client ??= load();
        await (await client).models.retrieve(model, { signal });
        return undefined;
      } catch (error) {
        return failureOf(error, signal);
      }
    },
    async query(prompt, { subject, mayPayAgain, signal: callerSignal }) {
      const deadline = AbortSignal.timeout(Math.min(overallMsMax, timeoutMs * 1.5));
      const signal = callerSignal === undefined ? deadline : AbortSignal.any([deadline, callerSignal]);
      for (let attempt = 0; ; attempt++) {
        try {
          return await observe({ kind: 'outside', name: 'ai' }, () => send(prompt, subject, signal));
        } catch (error) {
          const pauseMs = attempt === 0 ? pauseBefore(error) : undefined;
          const isFree = httpOf(error).status === 429;
          if (pauseMs === undefined || signal.aborted || !(isFree || (await mayPayAgain())))
            return failWith(failureOf(error, signal));
          await delay(pauseMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

function inputOf({ input, picture }: Prompt): string | OpenAI.Responses.ResponseInput {
  if (picture === undefined) return input;
  const url = `data:image/webp;base64,${picture.toString('base64')}`;
  const content: OpenAI.Responses.ResponseInputMessageContentList = [
    { type: 'input_text', text: input },
    { type: 'input_image', image_url: url, detail: 'high' },
  ];
  return [{ role: 'user', content }];
}

interface HttpFailure {
  status?: number;
  headers?: Headers;
  name?: string;
}
const httpOf = (error: unknown): HttpFailure => (typeof error === 'object' && error !== null ? error : {});

/** Pause in ms before the retry; undefined unless the error is 429 or 5xx and its Retry-After is short enough. */
function pauseBefore(error: unknown): number | undefined {
  const { status, headers } = httpOf(error);
  if (status === undefined || (status !== 429 && status < 500)) return undefined;
  const header = headers?.get('retry-after') ?? null;
  const stated = header === null ? retryAfterMsUsual : Number(header) * 1000;
  return Number.isFinite(stated) && stated <= retryAfterMsMax ? stated : undefined;
}

function failureOf(error: unknown, signal: AbortSignal): ModelFailure {
  const { status, name } = httpOf(error);
  if (status === 429) return 'rateLimited';
  // The client throws a SyntaxError for incomplete JSON.
  if (error instanceof SyntaxError) return 'unreadable';
  const isTimeout = error instanceof Error && error.constructor.name === 'APIConnectionTimeoutError';
  return isTimeout || signal.aborted || name === 'AbortError' ? 'timedOut' : 'unavailable';
}

interface Part {
  type?: unknown;
  text?: unknown;
}

/** The JSON in a response. */
function responseOf(response: unknown): ModelResponse {
  const { status, output } = (response ?? {}) as { status?: unknown; output?: unknown };
  if (status === 'incomplete') return failWith('incomplete');
  const items = Array.isArray(output) ? (output as { content?: unknown }[]) : [];
  const parts = items.flatMap(({ content }) => (Array.isArray(content) ? (content as Part[]) : []));
  if (parts.some(({ type }) => type === 'refusal')) return failWith('refused');
  const text = parts.find(({ type }) => type === 'output_text')?.text;
  if (status !== 'completed' || typeof text !== 'string') return failWith('unreadable');
  const json = jsonOf(text);
  return json === undefined ? failWith('unreadable') : ok(json);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
