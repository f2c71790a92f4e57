import type { Result } from '@sextant/workers/src/result.ts';

/** Why a model gave no answer that can be used. `unreadable` covers half JSON and free text. */
export type ModelFailure = 'refused' | 'incomplete' | 'unreadable' | 'rateLimited' | 'timedOut' | 'unavailable';

export interface Prompt {
  /** Name of the answer's schema. */
  name: string;
  instructions: string;
  input: string;
  /** WebP, shown beside the input. */
  picture?: Buffer;
  /** JSON schema of the answer, as strict modes want it. */
  schema: Record<string, unknown>;
}

/** Parsed JSON of any shape: a provider's promise to keep a schema is not a check. */
export type ModelAnswer = Result<unknown, ModelFailure>;

export interface AskOptions {
  /** An opaque name of who asks, for the provider's abuse control. */
  subject: string;
  /** Whether the question may be paid once more: asked before it is sent again after a failure that may have been billed. */
  mayPayAgain: () => Promise<boolean>;
  signal?: AbortSignal | undefined;
}

/** A language model that answers in JSON or not at all. */
export interface ModelAnalyst {
  /** The provider's id of the model. */
  model: string;
  /** The most one request may cost, in millionths of a dollar. */
  reservedMicrousd: number;
  /** Whether the provider answers and knows the model; costs nothing. Undefined: it does. */
  check: (signal: AbortSignal) => Promise<ModelFailure | undefined>;
  ask: (prompt: Prompt, options: AskOptions) => Promise<ModelAnswer>;
}
