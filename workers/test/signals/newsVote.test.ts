import { describe, expect, it } from 'vitest';
import { newsOpinion, recordWeight, storyShare, type VotingStory } from '../../src/signals/newsVote.ts';
import { seededRandom } from '../support/randomRuns.ts';

const hour = 3_600_000;
const closeMs = Date.UTC(2026, 0, 1);
const story = (change: Partial<VotingStory> = {}): VotingStory => ({
  firstSeenMs: closeMs - hour,
  pubDateMs: closeMs - hour,
  sentiment: 2,
  isHighImpact: false,
  weight: 0.6,
  ...change,
});

describe('the weight of a source', () => {
  it('is how far the Wilson interval of its record is above a coin: published bounds of four shares', () => {
    // Newcombe 1998, table I: 95 % score intervals of 81/263 and 15/148. The lower end of a share is one less the upper end of the rest.
    expect(recordWeight(263 - 81, 263)).toBeCloseTo(2 * (1 - 0.3662) - 1, 3);
    expect(recordWeight(148 - 15, 148)).toBeCloseTo(2 * (1 - 0.1605) - 1, 3);
    expect(recordWeight(81, 263)).toBe(0);
  });

  it('is 0 below 30 stories and for a coin, and never for being always wrong', () => {
    expect(recordWeight(29, 29)).toBe(0);
    expect(recordWeight(30, 30)).toBeGreaterThan(0.7);
    expect(recordWeight(500, 1000)).toBe(0);
    expect(recordWeight(0, 1000)).toBe(0);
  });
});

describe('the vote of news', () => {
  it('adds direction x weight x freshness, half as much again for high impact: by hand', () => {
    // Five of six hours are left.
    expect(storyShare(story(), closeMs)).toBeCloseTo(0.6 * (5 / 6), 12);
    expect(storyShare(story({ sentiment: -1, isHighImpact: true }), closeMs)).toBeCloseTo(-0.6 * (5 / 6) * 1.5, 12);
    expect(newsOpinion([story(), story({ sentiment: -7 })], closeMs)).toEqual({ vote: undefined, strength: 0 });
    expect(newsOpinion([story()], closeMs).vote).toBe(1);
    expect(newsOpinion([story({ sentiment: -0.5 })], closeMs).vote).toBe(-1);
  });

  it('has no say below a strength of 0.1, from a source without a record, or after six hours', () => {
    expect(newsOpinion([], closeMs)).toEqual({ vote: undefined, strength: 0 });
    expect(newsOpinion([story({ weight: 0 })], closeMs).vote).toBeUndefined();
    expect(newsOpinion([story({ weight: 0.119 })], closeMs).vote).toBeUndefined();
    expect(newsOpinion([story({ weight: 0.121 })], closeMs).vote).toBe(1);
    expect(storyShare(story({ firstSeenMs: closeMs - 6 * hour - 1, pubDateMs: closeMs - 6 * hour - 1 }), closeMs)).toBe(
      0,
    );
    // Old when it was seen: the age counts from the date of the feed.
    expect(storyShare(story({ pubDateMs: closeMs - 7 * hour }), closeMs)).toBe(0);
  });

  it('does not change by a story that was first seen after the close, whatever its date says', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 500; round++) {
      const known = Array.from({ length: Math.floor(random() * 6) }, () =>
        story({ firstSeenMs: closeMs - random() * 8 * hour, sentiment: random() * 4 - 2, weight: random() }),
      );
      const later = story({
        firstSeenMs: closeMs + 1 + Math.floor(random() * hour),
        pubDateMs: closeMs - Math.floor(random() * hour),
        weight: 1,
        isHighImpact: true,
      });
      const at = Math.floor(random() * (known.length + 1));
      expect(newsOpinion(known.toSpliced(at, 0, later), closeMs)).toEqual(newsOpinion(known, closeMs));
    }
  });
});
