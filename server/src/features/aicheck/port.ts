/** Why a model gave no answer that can be used. `unreadable` covers half JSON and free text. */
export type ModelFailure = 'refused' | 'incomplete' | 'unreadable' | 'rateLimited' | 'timedOut' | 'unavailable';

export interface Prompt {
  instructions: string;
  input: string;
  /** JSON schema of the answer, as strict modes want it. */
  schema: Record<string, unknown>;
}

/** Parsed JSON of any shape: a provider's promise to keep a schema is not a check. */
export type ModelAnswer = { ok: true; json: unknown } | { ok: false; failure: ModelFailure };

/** A language model that answers in JSON or not at all. */
export interface ModelAnalyst {
  /** The provider's id of the model. */
  model: string;
  /** The most one question may cost, in millionths of a dollar. */
  reservedMicrousd: number;
  /** @param subject an opaque name of who asks, for the provider's abuse control */
  ask: (prompt: Prompt, subject: string, signal?: AbortSignal) => Promise<ModelAnswer>;
}
