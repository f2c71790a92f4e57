import type { Result } from '@sextant/workers/src/core/result.ts';

/** Why a model returned no usable response. `unreadable` covers truncated JSON and free text. */
export type ModelFailure = 'refused' | 'incomplete' | 'unreadable' | 'rateLimited' | 'timedOut' | 'unavailable';

export interface Prompt {
  /** Name of the response schema. */
  name: string;
  instructions: string;
  input: string;
  /** WebP, sent with the input. */
  picture?: Buffer;
  /** JSON schema of the response, in the form strict modes require. */
  schema: Record<string, unknown>;
}

/** Parsed JSON of any shape: providers do not guarantee the schema, so it is validated separately. */
export type ModelResponse = Result<unknown, ModelFailure>;

export interface QueryOptions {
  /** Opaque id of the user, for the provider's abuse control. */
  subject: string;
  /** Whether a retry may be paid for. Called before each retry after a failure that may have been billed. */
  mayPayAgain: () => Promise<boolean>;
  signal?: AbortSignal | undefined;
}

/** A language model that returns JSON or an error. */
export interface ModelAnalyst {
  /** The provider's id of the model. */
  model: string;
  /** Maximum cost of one request, in millionths of a dollar. */
  reservedMicrousd: number;
  /** Whether the provider responds and knows the model; costs nothing. Undefined means yes. */
  check: (signal: AbortSignal) => Promise<ModelFailure | undefined>;
  query: (prompt: Prompt, options: QueryOptions) => Promise<ModelResponse>;
}
