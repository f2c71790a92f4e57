import { afterEach, describe, expect, it } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { closeStepUp, isCancelled, stepUpState, withStepUp } from '../../src/state/stepUp.ts';

const reject = (field: string) =>
  new ApiFailure({ code: 'step_up_required', status: 403, message: 'Confirm that it is you', field });

/** A call that is rejected until `state.isProved`. */
function protectedCall(field = 'password') {
  const state = { isProved: false, callCount: 0 };
  const call = () => {
    state.callCount += 1;
    return state.isProved ? Promise.resolve('done') : Promise.reject(reject(field));
  };
  return { state, call };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
afterEach(() => closeStepUp(false));

describe('a call that needs a fresh proof', () => {
  it('is repeated once the proof was given', async () => {
    const { state, call } = protectedCall('code');
    const result = withStepUp(call);
    await turn();
    expect(stepUpState.asks).toBe('code');
    state.isProved = true;
    closeStepUp(true);
    expect(await result).toBe('done');
    expect(state.callCount).toBe(2);
    expect(stepUpState.asks).toBeNull();
  });

  it('is given up when the dialog is closed, and says so apart from a failure', async () => {
    const { state, call } = protectedCall();
    const result = withStepUp(call).catch((failure: unknown) => failure);
    await turn();
    closeStepUp(false);
    expect(isCancelled(await result)).toBe(true);
    expect(state.callCount).toBe(1);
  });

  it('prompts once for several calls at a time', async () => {
    const calls = [protectedCall(), protectedCall()];
    const results = calls.map(({ call }) => withStepUp(call));
    await turn();
    for (const { state } of calls) state.isProved = true;
    closeStepUp(true);
    expect(await Promise.all(results)).toEqual(['done', 'done']);
  });

  it('passes every other failure on', async () => {
    const failure = new ApiFailure({ code: 'internal', status: 500, message: 'no' });
    await expect(withStepUp(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(stepUpState.asks).toBeNull();
  });
});
