import { describe, expect, it } from 'vitest';
import { replayedFields, type ReplayedColumns, type ReplayedSeries } from '../../src/protocol/replaySignals.ts';
import { replayReport } from '../../src/tasks/replayReport.ts';
import { seededRandom } from '../support/randomRuns.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 0, 1);

type Row = Partial<Record<keyof ReplayedColumns, number>> & { closeAtMs: number };
const usual = {
  side: 1,
  rawConfidence: 0.5,
  price: 100,
  stopLoss: 98,
  takeProfit: 104,
  horizonMinutes: 60,
  ending: 0,
  netFraction: 0.039,
  isAmbiguous: 0,
};
const seriesOf = (symbol: string, rows: readonly Row[], interval = '1h'): ReplayedSeries => ({
  symbol,
  interval,
  signals: Object.fromEntries(
    replayedFields.map((name) => [
      name,
      Float64Array.from(
        rows,
        (row) => row[name] ?? (name === 'exitAtMs' ? row.closeAtMs + hourMs : usual[name as 'side']),
      ),
    ]),
  ) as ReplayedColumns,
});

describe('the report of a replay', () => {
  it('HIST-074 measures what a record of the survivors hides, worked out by hand', () => {
    const of = (endedSymbols: string[]) =>
      replayReport({
        series: [
          seriesOf('AAAUSDT', [{ closeAtMs: startMs, netFraction: 0.03 }]),
          seriesOf('BBBUSDT', [{ closeAtMs: startMs, netFraction: 0.01 }]),
          seriesOf('DEADUSDT', [{ closeAtMs: startMs, netFraction: -0.1, ending: 3 }]),
        ],
        openCount: 0,
        endedSymbols,
      });
    // Survivors 2 %, all -2 %.
    const { survivorBias, endings } = of(['DEADUSDT', 'UNSEENUSDT']);
    expect(survivorBias.endedCount).toBe(1);
    expect(survivorBias.meanNet).toBeCloseTo(0.04, 12);
    expect(endings.DELISTED).toBe(1);
    expect(of([]).survivorBias).toEqual({ endedCount: 0, meanNet: 0 });
    expect(of(['AAAUSDT', 'BBBUSDT', 'DEADUSDT']).survivorBias).toEqual({ endedCount: 3, meanNet: null });
  });

  it('HIST-034 counts overlapping signals of one symbol and direction as one bet, worked out by hand', () => {
    const lost = { ending: 1, netFraction: -0.021 };
    const report = replayReport({
      series: [
        // The second overlaps the first: one bet. The third comes after its end.
        seriesOf('AAAUSDT', [
          { closeAtMs: startMs, exitAtMs: startMs + 3 * hourMs },
          { closeAtMs: startMs + hourMs, ...lost },
          { closeAtMs: startMs + dayMs, ...lost, isAmbiguous: 1 },
        ]),
        seriesOf('BBBUSDT', [
          { closeAtMs: startMs + 2 * dayMs, side: -1, stopLoss: 102, ending: 2, netFraction: 0.001 },
        ]),
      ],
      openCount: 7,
      endedSymbols: [],
    });
    expect(report).toMatchObject({
      count: 4,
      openCount: 7,
      wonCount: 2,
      endings: { TP: 1, SL: 2, TIME: 1 },
      ambiguousCount: 1,
    });
    // Clusters of 2, 1 and 1: 16 / (4 + 1 + 1).
    expect(report.independentCount).toBeCloseTo(16 / 6, 12);
    expect(report.totalNetFraction).toBeCloseTo(0.039 - 0.021 - 0.021 + 0.001, 12);
    // Independent: 0.039, -0.021, 0.001.
    const [chances] = report.chances;
    expect(chances).toMatchObject({ interval: '1h', count: 3, points: [], fromMs: startMs, toMs: startMs + 2 * dayMs });
    expect(chances!.net.mean).toBeCloseTo(0.019 / 3, 12);
    expect(chances!.baseRate).toBeCloseTo(2.5 / 4, 12);
    expect(report.groups.filter(({ by }) => by === 'direction').map(({ key, count }) => [key, count])).toEqual([
      ['LONG', 3],
      ['SHORT', 1],
    ]);
    expect(report.groups.filter(({ by }) => by === 'hour').map(({ key, count }) => [key, count])).toEqual([
      ['00', 3],
      ['01', 1],
    ]);
  });

  it('HIST-035 judges chances on later signals than those that made them', () => {
    const random = seededRandom(4);
    // Of 4,000 symbols one bet each; the chance is 0.2 + 0.25 x score throughout.
    const all = Array.from({ length: 4000 }, (_, i) => {
      const rawConfidence = random();
      const isWon = random() < 0.2 + 0.25 * rawConfidence;
      const row = { closeAtMs: startMs + i * hourMs, rawConfidence, netFraction: isWon ? 0.039 : -0.021 };
      return seriesOf(`S${i}USDT`, [{ ...row, ending: isWon ? 0 : 1 }]);
    });
    const { reliability, chances } = replayReport({ series: all, openCount: 0, endedSymbols: [] });
    expect(reliability.count).toBe(1600);
    expect(reliability.ece).toBeLessThan(0.03);
    expect(reliability.brier).toBeLessThan(reliability.brierOfBaseRate!);
    // The newest 40 % turned round: the older chances must look wrong there, the curve of all outcomes does not matter.
    const turned = all.map((each, i) =>
      i < 2400
        ? each
        : {
            ...each,
            signals: {
              ...each.signals,
              netFraction: each.signals.netFraction.map((net) => (net > 0 ? -0.021 : 0.039)),
            },
          },
    );
    expect(replayReport({ series: turned, openCount: 0, endedSymbols: [] }).reliability.ece).toBeGreaterThan(0.2);
    expect(chances[0]!.points.at(-1)!.chance).toBeGreaterThan(0.38);
  });
});
