import { createHash } from 'node:crypto';
import { failWith, type Result } from '@sextant/workers/src/result.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { ModelAnalyst, ModelFailure, Prompt } from './port.ts';
import { reserveCall, type VerdictKey } from './verdictStore.ts';

export type BudgetRefusal = 'asked_before' | 'cap_reached' | 'share_used';

/** What a question belongs to: whose it is, and the hashes under which it is asked at most once. */
export type QuestionKey = Pick<VerdictKey, 'userId' | 'inputHash' | 'promptHash'>;

export interface BudgetDeps {
  db: Db;
  /** What all questions of one day (UTC) may cost together, in millionths of a dollar. */
  dailyMicrousdMax: number;
}

/** A picture is as many tokens again as a question and its answer cost together. */
const PICTURE_PRICE = 2;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Puts a question to the model within the day's budget and the user's share of it. Every feature that asks a model asks here. */
export async function askModel(
  { db, dailyMicrousdMax }: BudgetDeps,
  model: ModelAnalyst,
  { key, prompt, signal }: { key: QuestionKey; prompt: Prompt; signal?: AbortSignal | undefined },
): Promise<Result<unknown, ModelFailure | BudgetRefusal>> {
  const reservedMicrousd = model.reservedMicrousd * (prompt.picture === undefined ? 1 : PICTURE_PRICE);
  const price = { reservedMicrousd, dailyMicrousdMax };
  const reserve = (attempt: 1 | 2) =>
    withSystem(db, (tx) => reserveCall(tx, { ...key, model: model.model, attempt }, price));
  const reserved = await reserve(1);
  if (reserved !== 'reserved') return failWith(reserved);
  const subject = sha256(`sextant ${key.userId}`).slice(0, 32);
  const mayPayAgain = async () => (await reserve(2)) === 'reserved';
  return model.ask(prompt, { subject, mayPayAgain, signal });
}
