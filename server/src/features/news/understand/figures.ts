type Kind = 'percent' | 'money' | 'count';

/** A figure of a headline. */
export interface Figure {
  kind: Kind;
  value: number;
  /** Tolerance for another figure to count as the same, by rounding. */
  tolerance: number;
}

const scales = new Map(
  (
    [
      [1e3, 'k thousand'],
      [1e6, 'm mn million'],
      [1e9, 'b bn billion'],
      [1e12, 't tn trillion'],
    ] as const
  ).flatMap(([scale, names]) => names.split(' ').map((name) => [name, scale] as const)),
);
const FIGURE =
  /(?<before>(?:nearly|almost|about|around|over|roughly|more than|some|up to|least)\s)?(?<![\p{L}\d.,])(?<sign>[$€£]?)(?<digits>\d[\d,]*(?:\.\d+)?)(?:(?<percent>\s?(?:%|percent\b|pct\b))|(?<points>\s?(?:bps\b|basis points?\b))|[\s-]?(?<word>thousand|million|billion|trillion)\b|(?<unit>k|mn|m|bn|b|tn|t)\b)?(?![\p{L}\d%])(?<span>[\s-](?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|seconds?)\b)?(?<money>\s(?:usd|usdt|usdc|dollars?|euros?)\b)?/giu;
const CLOCK = /\b\d{1,2}:\d{2}\b/g;
/** Rounding of a headline: half a unit of the last written digit, at most these shares of the value. */
const roundingMax = { large: 0.035, other: 0.02 } as const;
/** "Nearly 100 million" may be 96. */
const HEDGED = 0.05;
const YEARS = { first: 2000, last: 2040 };

/** The figures of a text, and the text without them. Ignores durations, times of day and years, which do not distinguish events. */
export function readFigures(text: string): { figures: Figure[]; text: string } {
  const figures: Figure[] = [];
  const rest = text.replace(CLOCK, ' ').replace(FIGURE, (...found) => {
    const groups = found.at(-1) as Record<string, string | undefined>;
    const figure = figureOf(groups);
    if (figure !== undefined) figures.push(figure);
    return ' ';
  });
  return { figures, text: rest };
}

function figureOf(groups: Record<string, string | undefined>): Figure | undefined {
  const { before, digits = '', points, word, unit, span } = groups;
  if (span !== undefined) return undefined;
  const written = digits.replaceAll(',', '');
  const scale = scales.get((word ?? unit ?? '').toLowerCase()) ?? 1;
  const kind = kindOf(groups);
  if (kind === 'count' && scale === 1 && isYear(digits)) return undefined;
  const value = Number(written) * (points === undefined ? scale : 0.01);
  return { kind, value, tolerance: toleranceOf(written, value, { kind, isHedged: before !== undefined }) };
}

function kindOf({ sign, percent, points, money }: Record<string, string | undefined>): Kind {
  if (percent !== undefined || points !== undefined) return 'percent';
  return sign !== '' || money !== undefined ? 'money' : 'count';
}

const isYear = (digits: string): boolean =>
  /^\d{4}$/.test(digits) && Number(digits) >= YEARS.first && Number(digits) <= YEARS.last;

function toleranceOf(written: string, value: number, { kind, isHedged }: { kind: Kind; isHedged: boolean }): number {
  const [whole = '', decimals = ''] = written.split('.');
  const zeros = decimals === '' ? (/0*$/.exec(whole)?.[0].length ?? 0) : 0;
  const unitOfLast = 10 ** (zeros - decimals.length);
  const share =
    Number(written) === 0
      ? 0
      : Math.min(
          unitOfLast / 2 / Number(written),
          kind === 'percent' ? 1 : value >= 1e6 ? roundingMax.large : roundingMax.other,
        );
  return value * Math.max(share, isHedged ? HEDGED : 0);
}

/** Equal within the rounding of the less exact one. */
const isSameFigure = (a: Figure, b: Figure): boolean =>
  a.kind === b.kind && Math.abs(a.value - b.value) <= Math.max(a.tolerance, b.tolerance) * (1 + 1e-9);

/** Number of figures in one list that the other contains. */
export const countSame = (a: readonly Figure[], b: readonly Figure[]): number =>
  Math.min(
    a.filter((own) => b.some((other) => isSameFigure(own, other))).length,
    b.filter((own) => a.some((other) => isSameFigure(own, other))).length,
  );

/** True when both contain percentages, amounts or counts, and none of that kind is equal. */
export const areFiguresAtOdds = (a: readonly Figure[], b: readonly Figure[]): boolean =>
  (['percent', 'money', 'count'] as const).some((kind) => {
    const [own, other] = [a, b].map((figures) => figures.filter((figure) => figure.kind === kind)) as [
      Figure[],
      Figure[],
    ];
    return own.length > 0 && other.length > 0 && countSame(own, other) === 0;
  });
