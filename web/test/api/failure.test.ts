import { describe, expect, it } from 'vitest';
import { ApiFailure, failureOf, messageOf } from '../../src/api/failure.ts';

const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

describe('a refusal of the API', () => {
  it('keeps its code, words, field and request id', () => {
    const problem = {
      code: 'validation_failed',
      message: 'params.slPct is 3',
      field: 'params.slPct',
      request_id: 'r1',
    };
    expect(failureOf(answer(400), problem)).toMatchObject({
      code: 'validation_failed',
      status: 400,
      message: 'params.slPct is 3',
      field: 'params.slPct',
      requestId: 'r1',
    });
  });

  it('keeps how long to wait', () =>
    expect(failureOf(answer(429, { 'retry-after': '7' }), { code: 'rate_limited' }).retryAfterS).toBe(7));

  it.each([undefined, null, '<html>', 7, {}])('that is no problem document (%s) still gets words', (body) =>
    expect(failureOf(answer(502), body)).toMatchObject({
      code: 'internal',
      message: 'The server answered with status 502.',
    }),
  );
});

it('words for a failure are its own, or the fallback for what is not ours to explain', () => {
  expect(messageOf(new ApiFailure({ code: 'x', status: 400, message: 'why' }), 'else')).toBe('why');
  expect(messageOf(new TypeError('undefined is not a function'), 'else')).toBe('else');
});
