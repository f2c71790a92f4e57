import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHelp } from '../../../src/features/help/articles.ts';
import { stemsOf } from '../../../src/features/help/helpWords.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import { phaseOf } from '../../../src/features/payments/states.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

/** Property names of every JavaScript object; they must be treated like any other word. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  await storeHelp(test.deps.db, await readHelp());
  user = await test.signUp();
});
afterAll(() => test.close());

describe('a word that is a name of every object', () => {
  it.each(names)('%s in a question is accepted', async (name) => {
    const payload = { question: `what is ${name} of a ${name.toLowerCase()} signal` };
    const asked = await test.app.inject({ method: 'POST', url: '/api/support/ask', headers: user.bearer, payload });
    expect(asked.statusCode, asked.body).toBe(200);
    const result = await test.app.inject({ url: `/api/support/articles?q=${name}`, headers: user.bearer });
    expect(result.statusCode, result.body).toBe(200);
  });

  it.each(names)('%s has a text for its stem', (name) => {
    for (const stem of stemsOf(name)) expect(stem).toBeTypeOf('string');
  });

  it.each(names)('%s is no status of a payment', (name) => {
    expect(phaseOf('nowpayments', name)).toBe('unknown');
    expect(phaseOf('moonpay', name)).toBe('unknown');
  });
});
