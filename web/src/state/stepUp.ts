import { proxy } from 'valtio';
import { ApiFailure } from '../api/failure.ts';
import { onUserReset } from './userReset.ts';

export type ProofKind = 'password' | 'code';

/** The proof requested by the dialog, while it is open. */
export const stepUpState = proxy<{ asks: ProofKind | null }>({ asks: null });

let settle: ((isProved: boolean) => void) | undefined;
let pending: Promise<boolean> | undefined;

/** Several calls rejected at once share one dialog. */
function requestProof(kind: ProofKind): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    settle = resolve;
    stepUpState.asks = kind;
  });
  return pending;
}

/** Closes the dialog: with the proof given, or without. */
export function closeStepUp(isProved: boolean): void {
  stepUpState.asks = null;
  pending = undefined;
  settle?.(isProved);
  settle = undefined;
}

/**
 * Makes a call that may require recent authentication (`step_up_required`, server: app.requireFresh). When it does, the dialog of the shell
 * requests password or code, and the call is repeated once that was right:
 *
 *     mutationFn: () => withStepUp(() => dataOf(api.DELETE('/api/auth/two-factor')))
 *
 * @throws ApiFailure `step_up_cancelled` when the dialog is closed; `isCancelled` distinguishes it from a failure worth showing
 */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.code !== 'step_up_required') throw failure;
    const isProved = await requestProof(failure.field === 'code' ? 'code' : 'password');
    if (!isProved) {
      throw new ApiFailure({ code: 'step_up_cancelled', status: 0, message: 'Cancelled. Nothing was changed.' });
    }
    return call();
  }
}

export const isCancelled = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === 'step_up_cancelled';

onUserReset(() => closeStepUp(false));
