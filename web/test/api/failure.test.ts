import { describe, expect, it } from 'vitest';
import { ApiFailure, failureOf, messageOf } from '../../src/api/failure.ts';

const respond = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'content-type': 'application/problem+json; charset=utf-8', ...headers } });
const page = (status: number, type: string) => new Response(null, { status, headers: { 'content-type': type } });

describe('an API error', () => {
  it('keeps its code, words, field and request id', () => {
    const problem = {
      code: 'validation_failed',
      message: 'params.slPct is 3',
      field: 'params.slPct',
      request_id: 'r1',
    };
    expect(failureOf(respond(400), problem)).toMatchObject({
      code: 'validation_failed',
      status: 400,
      message: 'params.slPct is 3',
      field: 'params.slPct',
      requestId: 'r1',
    });
  });

  it('keeps how long to wait', () =>
    expect(failureOf(respond(429, { 'retry-after': '7' }), { code: 'rate_limited' }).retryAfterS).toBe(7));

  it.each([undefined, null, '<html>', 7, {}, { message: 'no healthy upstream' }])(
    'X76 that is no problem document (%j) has no words: what the caller says is shown',
    (body) => {
      for (const response of [respond(502), page(502, 'text/html'), page(500, 'application/json')]) {
        const failure = failureOf(response, body);
        expect(failure).toMatchObject({ code: 'internal', status: response.status, message: '' });
        expect(messageOf(failure, 'Authentication failed')).toBe('Authentication failed');
      }
    },
  );

  it('X76 a foreign document with its own message is not shown', () =>
    expect(failureOf(page(503, 'application/json'), { code: 'E1', message: 'pod evicted' }).message).toBe(''));
});

it('words for a failure are its own, or the fallback for what is not ours to explain', () => {
  expect(messageOf(new ApiFailure({ code: 'x', status: 400, message: 'why' }), 'else')).toBe('why');
  expect(messageOf(new TypeError('undefined is not a function'), 'else')).toBe('else');
});
