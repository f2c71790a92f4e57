import { expect, it } from 'vitest';
import { untilAvailable } from '../../../src/platform/db/untilAvailable.ts';
import { RejectionError } from '../../../src/platform/http/rejectionError.ts';

const away = (): RejectionError =>
  new RejectionError({ code: 'database_unavailable', message: 'The database is unavailable.' });

it('NODE-199 work of a start is repeated while the database is unavailable, and ends with its result', async () => {
  let tries = 0;
  const work = () => ((tries += 1) < 3 ? Promise.reject(away()) : Promise.resolve('stored'));
  expect(await untilAvailable(work, 60_000)).toBe('stored');
  expect(tries).toBe(3);
});

it('NODE-199 another error, and a database that stays away, end the start', async () => {
  let tries = 0;
  const broken = () => {
    tries += 1;
    return Promise.reject(new Error('a bug'));
  };
  await expect(untilAvailable(broken, 60_000)).rejects.toThrow('a bug');
  expect(tries).toBe(1);
  await expect(untilAvailable(() => Promise.reject(away()), 0)).rejects.toThrow('unavailable');
});
