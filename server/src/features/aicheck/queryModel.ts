import { createHash } from 'node:crypto';
import { failWith, type Result } from '@sextant/workers/src/core/result.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { ModelAnalyst, ModelFailure, Prompt } from './port.ts';
import { reserveCall, type VerdictKey } from './verdictStore.ts';

export type BudgetRejection = 'asked_before' | 'cap_reached' | 'share_used';

/** Key of a model request: the user, and the hashes under which it is sent at most once. */
export type QuestionKey = Pick<VerdictKey, 'userId' | 'inputHash' | 'promptHash'>;

export interface BudgetDeps {
  db: Db;
  /** Budget of all model requests of one day (UTC), in millionths of a dollar. */
  dailyMicrousdMax: number;
}

/** Price factor of a request with a picture: the picture costs as many tokens as prompt and response together. */
const PICTURE_PRICE = 2;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Sends a prompt to the model within the day's budget and the user's share of it. The only path from features to a model. */
export async function queryModel(
  { db, dailyMicrousdMax }: BudgetDeps,
  model: ModelAnalyst,
  { key, prompt, signal }: { key: QuestionKey; prompt: Prompt; signal?: AbortSignal | undefined },
): Promise<Result<unknown, ModelFailure | BudgetRejection>> {
  const reservedMicrousd = model.reservedMicrousd * (prompt.picture === undefined ? 1 : PICTURE_PRICE);
  const price = { reservedMicrousd, dailyMicrousdMax };
  const reserve = (attempt: 1 | 2) =>
    withSystem(db, (tx) => reserveCall(tx, { ...key, model: model.model, attempt }, price));
  const reserved = await reserve(1);
  if (reserved !== 'reserved') return failWith(reserved);
  const subject = sha256(`sextant ${key.userId}`).slice(0, 32);
  const mayPayAgain = async () => (await reserve(2)) === 'reserved';
  return model.query(prompt, { subject, mayPayAgain, signal });
}
