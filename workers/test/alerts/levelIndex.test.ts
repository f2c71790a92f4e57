import { describe, expect, it } from 'vitest';
import { AlertBook, type AlertChange, type BookAlert } from '../../src/alerts/alertBook.ts';
import { comparisons, type Comparison } from '../../src/alerts/conditions.ts';
import { decide, decideBar, type Side } from '../../src/alerts/decide.ts';
import { seededRandom } from '../support/randomRuns.ts';

const alertOf = (more: Partial<BookAlert>): BookAlert => ({
  id: 'a',
  key: 'price',
  when: 'cross',
  level: 100,
  side: 'below',
  sinceMs: 0,
  repeats: true,
  pauseMs: 0,
  lastFiredMs: null,
  expiresMs: null,
  ...more,
});

type Judged = [side: Side, fires: boolean];
const sideOf = (value: number, level: number): Side => (value > level ? 'above' : value < level ? 'below' : null);

/** The definition of a crossing, and of a value that is at a side. */
function slowCross(side: Side, value: number, level: number): Judged {
  if (side === null) return [sideOf(value, level), false];
  const isReached = side === 'below' ? value >= level : value <= level;
  return isReached ? [sideOf(value, level), true] : [side, false];
}
function slowAt(when: 'above' | 'below', side: Side, value: number, level: number): Judged {
  const isMet = when === 'above' ? value >= level : value <= level;
  if (isMet) return [when, side !== when];
  return [when === 'above' ? 'below' : 'above', false];
}

/** Walks over every alert at each value. */
class SlowBook {
  readonly alerts = new Map<string, BookAlert>();

  value(value: number, atMs: number): { id: string; side: Side; fires: boolean }[] {
    const changes = [];
    for (const alert of this.alerts.values()) {
      const { when, level, side } = alert;
      const [next, fires] = when === 'cross' ? slowCross(side, value, level) : slowAt(when, side, value, level);
      if (next === side && !fires) continue;
      const isPausing = alert.lastFiredMs !== null && atMs - alert.lastFiredMs < alert.pauseMs;
      const firesNow = fires && !isPausing;
      alert.side = next;
      if (firesNow) alert.lastFiredMs = atMs;
      if (firesNow && !alert.repeats) this.alerts.delete(alert.id);
      changes.push({ id: alert.id, side: next, fires: firesNow });
    }
    return changes;
  }
}

const sorted = (changes: readonly Pick<AlertChange, 'id' | 'side' | 'fires'>[]) =>
  changes
    .map(({ id, side, fires }) => `${id} ${side} ${fires}`)
    .sort()
    .join('; ');

describe('decisions', () => {
  it.each<[Comparison, Side, number, Side, boolean]>([
    ['cross', 'below', 99, 'below', false],
    ['cross', 'below', 100, null, true],
    ['cross', 'below', 101, 'above', true],
    ['cross', 'above', 100, null, true],
    ['cross', 'above', 99, 'below', true],
    ['cross', null, 101, 'above', false],
    ['cross', null, 100, null, false],
    ['above', null, 100, 'above', true],
    ['above', 'below', 101, 'above', true],
    ['above', 'above', 102, 'above', false],
    ['above', 'above', 99, 'below', false],
    ['below', null, 99, 'below', true],
    ['below', 'below', 101, 'above', false],
    ['below', 'above', 100, 'below', true],
  ])('DESK-070 %s from %s at %d gives %s and fires: %s', (when, side, value, next, fires) => {
    expect(decide({ when, level: 100 }, side, value)).toEqual({ side: next, fires });
  });

  it('DESK-070 a level that is touched and left again to the same side fires once', () => {
    const book = new AlertBook();
    book.add(alertOf({}));
    const fired = [99, 100, 99, 98, 99.5].flatMap((value, i) => book.value('price', value, i)).filter((c) => c.fires);
    expect(fired).toHaveLength(1);
  });

  it('DESK-070 a candle fires by its extreme, and an alert younger than its open by its close alone', () => {
    const bar = { high: 105, low: 95, close: 98 };
    const cross = { when: 'cross', level: 100 } as const;
    expect(decideBar(cross, 'below', bar, true)).toEqual({ side: 'below', fires: true, value: 105 });
    expect(decideBar(cross, 'below', bar, false)).toEqual({ side: 'below', fires: false, value: 98 });
    expect(decideBar({ when: 'above', level: 100 }, 'below', bar, true)).toEqual({
      side: 'below',
      fires: true,
      value: 105,
    });
  });

  it('DESK-207 an alert that fires once leaves those that the same value fired in evaluation', () => {
    for (const fire of ['value', 'candle'] as const) {
      const book = new AlertBook();
      book.add(alertOf({ id: 'once', repeats: false }));
      book.add(alertOf({ id: 'repeated' }));
      const fired = (changes: readonly AlertChange[]) => changes.filter(({ fires }) => fires).map(({ id }) => id);
      const first =
        fire === 'value' ? book.value('price', 101, 1) : book.candle('price', 0, 1, { high: 101, low: 99, close: 101 });
      expect(fired(first).sort()).toEqual(['once', 'repeated']);
      expect(fired(book.value('price', 99, 2))).toEqual(['repeated']);
      expect(fired(book.value('price', 101, 3))).toEqual(['repeated']);
      book.remove('repeated');
      expect([...book.keys()]).toEqual([]);
    }
  });

  it('DESK-070 the least pause, the expiry and once are respected', () => {
    const book = new AlertBook();
    book.add(alertOf({ id: 'pause', pauseMs: 60_000 }));
    book.add(alertOf({ id: 'once', repeats: false }));
    book.add(alertOf({ id: 'over', expiresMs: 5 }));
    const fired = [
      [99, 0],
      [101, 10],
      [99, 20],
      [101, 70_000],
    ].flatMap(([value = 0, atMs = 0]) => book.value('price', value, atMs).filter(({ fires }) => fires));
    expect(fired.map(({ id, atMs }) => `${id} ${atMs}`).sort()).toEqual(['once 10', 'pause 10', 'pause 70000']);
    expect(book.has('once')).toBe(false);
  });
});

describe('the index of levels', () => {
  it.each([1, 2, 3, 4, 5, 6])('DESK-071 finds the changes of a walk over every alert, seed %d', (seed) => {
    const random = seededRandom(seed);
    const book = new AlertBook();
    const slow = new SlowBook();
    const make = (id: string): BookAlert => {
      const when = comparisons[Math.floor(random() * 3)] ?? 'cross';
      const side = ([null, 'below', 'above'] as const)[Math.floor(random() * 3)] ?? null;
      // Whole levels, so that values meet them exactly.
      const level = 90 + Math.floor(random() * 21);
      const pauseMs = random() < 0.3 ? 20 : 0;
      return alertOf({ id, when, level, side, pauseMs, repeats: random() < 0.7 });
    };
    let value = 100;
    for (let step = 0; step < 3000; step++) {
      if (random() < 0.2) {
        const alert = make(`n${step}`);
        book.add(alert);
        slow.alerts.set(alert.id, { ...alert });
      }
      if (random() < 0.05) {
        const [id] = [...slow.alerts.keys()].slice(Math.floor(random() * slow.alerts.size));
        if (id !== undefined) {
          slow.alerts.delete(id);
          book.remove(id);
        }
      }
      value = Math.min(112, Math.max(88, value + Math.round((random() - 0.5) * 6)));
      const expected = sorted(slow.value(value, step));
      expect(sorted(book.value('price', value, step)), `step ${step}`).toBe(expected);
      expect(book.size).toBe(slow.alerts.size);
    }
  });
});
