import type { ScanResult } from '../contract.ts';

type Contribution = ScanResult['contributions'][number];

/** Votes of a result in their order, and the contribution of each when its opinion is 1; null where no result shows it. */
interface Panel {
  votes: [vote: string, interval: string, isLive: boolean][];
  shares: (number | null)[];
}

/** A panel by indexes of `names` and `shares`, because the panels of one scan differ in the order of a few dozen votes. */
interface PackedPanel {
  votes: number[];
  shares: number[];
  /** Indexes of the votes that are not live. */
  closed: number[];
}

export interface PackedContributions {
  /** Absent in scans of before panels had indexes. */
  names?: [vote: string, interval: string][];
  shares?: (number | null)[];
  panels: Panel[] | PackedPanel[];
  /** Index of each result's panel, or its contributions as they are where no panel describes them. */
  rows: (number | Contribution[])[];
  /** A sign for each vote of each result with a panel. */
  opinions: string;
}

const signs: Readonly<Record<number, string>> = { 1: '+', 0: '0', '-1': '-' };
const opinionOf: Readonly<Record<string, number>> = { '+': 1, '0': 0, '-': -1 };

/** A contribution is opinion times share, and results of one scan have the same shares: two thirds of a result in a few bytes. */
export function packContributions(results: readonly (readonly Contribution[])[]): PackedContributions {
  const panels: Panel[] = [];
  const byVotes = new Map<string, number[]>();
  const opinions: string[] = [];
  const rows = results.map((row) => {
    if (row.some((each) => signs[each.opinion] === undefined)) return [...row];
    const votes = row.map(({ vote, interval, is_live }): Panel['votes'][number] => [vote, interval, is_live]);
    const key = JSON.stringify(votes);
    const known = byVotes.get(key) ?? [];
    byVotes.set(key, known);
    let index = known.find((each) => isDescribed(row, panels[each]?.shares ?? []));
    if (index === undefined) {
      const panel: Panel = { votes, shares: votes.map(() => null) };
      if (!isDescribed(row, panel.shares)) return [...row];
      index = panels.push(panel) - 1;
      known.push(index);
    }
    learn(row, panels[index]?.shares ?? []);
    opinions.push(row.map(({ opinion }) => signs[opinion]).join(''));
    return index;
  });
  return { ...packPanels(panels), rows, opinions: opinions.join('') };
}

function packPanels(panels: readonly Panel[]): Pick<PackedContributions, 'names' | 'shares' | 'panels'> {
  const names = createIndex<[string, string]>();
  const shares = createIndex<number | null>();
  const packed = panels.map((panel) => ({
    votes: panel.votes.map(([vote, interval]) => names.indexOf([vote, interval])),
    shares: panel.shares.map((share) => shares.indexOf(share)),
    closed: panel.votes.flatMap(([, , isLive], at) => (isLive ? [] : [at])),
  }));
  return { names: names.values, shares: shares.values, panels: packed };
}

function unpackPanels({ names, shares, panels }: Pick<PackedContributions, 'names' | 'shares' | 'panels'>): Panel[] {
  if (names === undefined || shares === undefined) return panels as Panel[];
  return (panels as PackedPanel[]).map((panel) => ({
    votes: panel.votes.map((index, at) => [...(names[index] ?? (['', ''] as const)), !panel.closed.includes(at)]),
    shares: panel.shares.map((index) => shares[index] ?? null),
  }));
}

/** Each distinct value once, in the order of its first use. */
function createIndex<T>(): { values: T[]; indexOf: (value: T) => number } {
  const indexes = new Map<string, number>();
  const values: T[] = [];
  return {
    values,
    indexOf(value) {
      const key = JSON.stringify(value);
      const known = indexes.get(key);
      if (known !== undefined) return known;
      indexes.set(key, values.length);
      return values.push(value) - 1;
    },
  };
}

const isDescribed = (row: readonly Contribution[], shares: readonly (number | null)[]): boolean =>
  row.every(({ opinion, contribution }, at) => {
    if (opinion === 0) return contribution === 0;
    const share = shares[at] ?? null;
    return share === null || share * opinion === contribution;
  });

function learn(row: readonly Contribution[], shares: (number | null)[]): void {
  for (const [at, { opinion, contribution }] of row.entries()) if (opinion !== 0) shares[at] ??= contribution * opinion;
}

export function unpackContributions({ rows, opinions, ...packed }: PackedContributions): Contribution[][] {
  const panels = unpackPanels(packed);
  let next = 0;
  return rows.map((row) => {
    if (typeof row !== 'number') return row;
    const { votes = [], shares = [] } = panels[row] ?? {};
    // Plus 0: a share of 0 and the opinion -1 would give -0.
    return votes.map(([vote, interval, isLive], at) => {
      const opinion = opinionOf[opinions[next++] ?? '0'] ?? 0;
      return {
        vote,
        interval,
        opinion,
        is_live: isLive,
        contribution: (shares[at] ?? 0) * opinion + 0,
      };
    });
  });
}
