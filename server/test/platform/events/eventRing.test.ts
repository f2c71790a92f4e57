import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventRing } from '../../../src/platform/events/eventRing.ts';

const notice = (userId: string | null, n: number) => ({ userId, topic: 'credits' as const, data: { n } });
const numbers = (events: { data: Record<string, unknown> }[] | undefined) => events?.map(({ data }) => data['n']);

describe('the ring of events', () => {
  it("returns what came after a reader's last event, in order, without events of others", () => {
    const ring = createEventRing({ node: 'a', capacity: 8 });
    const first = ring.add(notice('anna', 1));
    ring.add(notice('bert', 2));
    ring.add(notice(null, 3));
    ring.add(notice('anna', 4));
    expect(first.id).toBe('a-1');
    expect(numbers(ring.since(first.id, 'anna'))).toEqual([3, 4]);
    expect(numbers(ring.since(ring.lastId(), 'anna'))).toEqual([]);
  });

  it('returns undefined for a reader that missed more than it stores', () => {
    const ring = createEventRing({ node: 'a', capacity: 2 });
    for (const n of [1, 2, 3]) ring.add(notice('anna', n));
    expect(ring.since('a-0', 'anna')).toBeUndefined();
    expect(numbers(ring.since('a-1', 'anna'))).toEqual([2, 3]);
  });

  it.each(['b-1', 'a-9', 'a--1', 'a-1.5', 'nonsense', ''])('returns undefined for what came after %j', (id) => {
    const ring = createEventRing({ node: 'a', capacity: 4 });
    ring.add(notice('anna', 1));
    expect(ring.since(id, 'anna')).toBeUndefined();
  });

  it('equals a list that stores everything, whatever was added and wherever a reader resumes', () => {
    const user = fc.constantFrom('anna', 'bert', null);
    const run = fc.tuple(fc.array(user, { maxLength: 40 }), fc.nat(40), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(run, ([owners, from, capacity]) => {
        const ring = createEventRing({ node: 'a', capacity });
        owners.forEach((owner, at) => ring.add(notice(owner, at + 1)));
        const isKnown = from <= owners.length && from >= owners.length - capacity;
        const expected = owners.flatMap((owner, at) => (at >= from && owner !== 'bert' ? [at + 1] : []));
        expect(numbers(ring.since(`a-${from}`, 'anna'))).toEqual(isKnown ? expected : undefined);
      }),
    );
  });
});
