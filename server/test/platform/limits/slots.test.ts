import { describe, expect, it } from 'vitest';
import { createSlots } from '../../../src/platform/limits/slots.ts';

const rejection = { rejection: { code: 'overloaded', retryAfterS: 2 } };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('let two of one user in, two more wait, and reject the fifth; another user is not held up', async () => {
    const slots = createSlots({ slotCount: 10, perKey: 2, queueMaxPerKey: 2, waitMsMax: 60_000 });
    const leave = await slots.take('anna');
    await slots.take('anna');
    const admitted: string[] = [];
    const third = slots.take('anna').then(() => admitted.push('third'));
    void slots.take('anna').then(() => admitted.push('fourth'));
    await expect(slots.take('anna')).rejects.toMatchObject(rejection);
    await slots.take('ben');
    expect(admitted).toEqual([]);
    leave();
    leave();
    await third;
    await turn();
    expect(admitted).toEqual(['third']);
  });

  it('are shared by all, and a waiter that may not enter yet does not block one that may', async () => {
    const slots = createSlots({ slotCount: 2, perKey: 1, queueMaxPerKey: 2, waitMsMax: 60_000 });
    await slots.take('anna');
    const leaveBen = await slots.take('ben');
    const admitted: string[] = [];
    void slots.take('anna').then(() => admitted.push('anna'));
    void slots.take('clara').then(() => admitted.push('clara'));
    leaveBen();
    await turn();
    expect(admitted).toEqual(['clara']);
  });

  it('reject a caller that has waited too long, and drop it from the queue', async () => {
    const slots = createSlots({ slotCount: 1, perKey: 1, queueMaxPerKey: 1, waitMsMax: 1 });
    const leave = await slots.take('anna');
    await expect(slots.take('ben')).rejects.toMatchObject(rejection);
    leave();
    await expect(slots.take('ben')).resolves.toBeTypeOf('function');
  });
});
