import { describe, expect, it } from 'vitest';
import { createPlaces } from '../../../src/platform/limits/places.ts';

const refusal = { refusal: { code: 'overloaded', retryAfterS: 2 } };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('let two of one user in, two more wait, and reject the fifth; another user is not held up', async () => {
    const places = createPlaces({ placeCount: 10, perKey: 2, queueMaxPerKey: 2, waitMsMax: 60_000 });
    const leave = await places.take('anna');
    await places.take('anna');
    const admitted: string[] = [];
    const third = places.take('anna').then(() => admitted.push('third'));
    void places.take('anna').then(() => admitted.push('fourth'));
    await expect(places.take('anna')).rejects.toMatchObject(refusal);
    await places.take('ben');
    expect(admitted).toEqual([]);
    leave();
    leave();
    await third;
    await turn();
    expect(admitted).toEqual(['third']);
  });

  it('are shared by all, and a waiter that may not enter yet does not block one that may', async () => {
    const places = createPlaces({ placeCount: 2, perKey: 1, queueMaxPerKey: 2, waitMsMax: 60_000 });
    await places.take('anna');
    const leaveBen = await places.take('ben');
    const admitted: string[] = [];
    void places.take('anna').then(() => admitted.push('anna'));
    void places.take('clara').then(() => admitted.push('clara'));
    leaveBen();
    await turn();
    expect(admitted).toEqual(['clara']);
  });

  it('reject a caller that has waited too long, and drop it from the queue', async () => {
    const places = createPlaces({ placeCount: 1, perKey: 1, queueMaxPerKey: 1, waitMsMax: 1 });
    const leave = await places.take('anna');
    await expect(places.take('ben')).rejects.toMatchObject(refusal);
    leave();
    await expect(places.take('ben')).resolves.toBeTypeOf('function');
  });
});
