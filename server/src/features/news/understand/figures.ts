/** Amounts are of one currency. */
type Kind = 'percent' | 'count' | 'usd' | 'eur' | 'gbp' | 'krw' | 'jpy' | 'other money';

/** A figure of a headline. */
export interface Figure {
  kind: Kind;
  value: number;
  /** How far another figure may be away and still be the same one, rounded. */
  tolerance: number;
  /** What there is after the event, such as holdings or a valuation: it contradicts nothing where another figure is named. */
  isTotal: boolean;
  /** Digits written, without zeros at both ends. */
  digitCount: number;
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
  /(?<before>(?:nearly|almost|about|around|over|roughly|more than|some|up to|least)\s)?(?<![\p{L}\d.,])(?<sign>[$€£₩¥¤]?)(?<digits>\d[\d,]*(?:\.\d+)?)(?:(?<percent>\s?(?:%|percent\b|pct\b))|(?<points>\s?(?:bps\b|basis[\s-]points?\b))|[\s-]?(?<word>thousand|million|billion|trillion)\b|(?<unit>k|mn|m|bn|b|tn|t)\b)?(?![\p{L}\d%])(?<span>[\s-](?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|seconds?)\b)?(?<money>\s(?:usd|usdt|usdc|dollars?|euros?|pounds?|won|yen|yuan|rupees?|lira|francs?|reais|rubles?|cents?)\b)?/giu;
/** A currency by its sign, or by the word behind the amount. */
const currencies: readonly (readonly [Kind, RegExp])[] = [
  ['usd', /^(?:\$|usd[tc]?|dollars?|cents?)$/i],
  ['eur', /^(?:€|euros?)$/i],
  ['gbp', /^(?:£|pounds?)$/i],
  ['krw', /^(?:₩|won)$/i],
  ['jpy', /^(?:¥|yen)$/i],
];
/** Ways to write a figure in words or with another sign. */
const spelled: readonly (readonly [RegExp, string])[] = [
  [/\bUS\$/g, '$'],
  [/\b(?:A|C|CA|HK|NT|S)\$(?=\d)/g, '¤'],
  [/\b(?:a\s)?quarter[\s-](?:percentage[\s-])?point\b/gi, '0.25%'],
  [/\b(?:a\s)?half[\s-](?:percentage[\s-])?point\b/gi, '0.5%'],
  [/(?<=\d)\s(?:percentage\s)?points?\b/gi, '%'],
  [/\b(?:a\s)?(?:quarter|half)(?:\sof)?\san?\shour\b/gi, ' '],
];
const TOTAL = /\b(?:holdings?|holds|stash|treasury|total|reserves|valuation|valued|valuing|values)\b[^\d,;]{0,18}$/i;
const VALUATION = /^\s(?:post-money\s)?valuation\b/i;
const CLOCK = /\b\d{1,2}:\d{2}\b/g;
/** Rounding of a headline: half a unit of the last written digit, at most these shares of the value. */
const roundingMax = { large: 0.035, other: 0.02 } as const;
/** "Nearly 100 million" may be 96. */
const HEDGED = 0.05;
const YEARS = { first: 2000, last: 2040 };

/** The figures of a text, and the text without them. Durations, times of day and years are left out: they do not distinguish events. */
export function readFigures(text: string): { figures: Figure[]; text: string } {
  const figures: Figure[] = [];
  const plain = spelled.reduce((written, [pattern, figure]) => written.replace(pattern, figure), text);
  const rest = plain.replace(CLOCK, ' ').replace(FIGURE, (written: string, ...matches) => {
    const [at, whole, groups] = matches.slice(-3) as [number, string, Record<string, string | undefined>];
    const isTotal = TOTAL.test(whole.slice(0, at)) || VALUATION.test(whole.slice(at + written.length));
    const figure = figureOf(groups, isTotal);
    if (figure !== undefined) figures.push(figure);
    return ' ';
  });
  return { figures, text: rest };
}

function figureOf(groups: Record<string, string | undefined>, isTotal: boolean): Figure | undefined {
  const { before, digits = '', points, word, unit, span, money } = groups;
  // `$95K hours after` is no duration.
  if (span !== undefined && groups.sign === '' && unit === undefined) return undefined;
  const written = digits.replaceAll(',', '');
  const scale = scales.get((word ?? unit ?? '').toLowerCase()) ?? 1;
  const kind = kindOf(groups);
  if (kind === 'count' && scale === 1 && isYear(digits)) return undefined;
  const isCents = /cents?/i.test(money ?? '');
  const value = Number(written) * (points === undefined && !isCents ? scale : 0.01);
  const digitCount = written.replace('.', '').replace(/^0+|0+$/g, '').length;
  const tolerance = toleranceOf(written, value, { kind, isHedged: before !== undefined });
  return { kind, value, tolerance, isTotal, digitCount };
}

function kindOf({ sign, percent, points, money }: Record<string, string | undefined>): Kind {
  if (percent !== undefined || points !== undefined) return 'percent';
  const currency = sign === undefined || sign === '' ? money?.trim() : sign;
  if (currency === undefined) return 'count';
  return currencies.find(([, pattern]) => pattern.test(currency))?.[0] ?? 'other money';
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

/** The same up to the rounding of the less exact one. */
const isSameFigure = (a: Figure, b: Figure): boolean =>
  a.kind === b.kind && Math.abs(a.value - b.value) <= Math.max(a.tolerance, b.tolerance) * (1 + 1e-9);

/** How many figures of one list the other has. */
export const countSame = (a: readonly Figure[], b: readonly Figure[]): number =>
  Math.min(
    a.filter((own) => b.some((other) => isSameFigure(own, other))).length,
    b.filter((own) => a.some((other) => isSameFigure(own, other))).length,
  );

/** Figures that are not totals where there are any. */
const mainFigures = (figures: readonly Figure[]): readonly Figure[] => {
  const main = figures.filter(({ isTotal }) => !isTotal);
  return main.length > 0 ? main : figures;
};

/** Both name percentages, amounts of one currency or counts, and none of that kind is the same. */
export function areFiguresAtOdds(a: readonly Figure[], b: readonly Figure[]): boolean {
  const [own, other] = [mainFigures(a), mainFigures(b)];
  return [...new Set(own.map(({ kind }) => kind))].some((kind) => {
    const [mine, theirs] = [own, other].map((figures) => figures.filter((figure) => figure.kind === kind)) as [
      Figure[],
      Figure[],
    ];
    return (
      mine.length > 0 &&
      theirs.length > 0 &&
      countSame(mine, kindOnly(b, kind)) + countSame(kindOnly(a, kind), theirs) === 0
    );
  });
}
const kindOnly = (figures: readonly Figure[], kind: Kind): readonly Figure[] =>
  figures.filter((figure) => figure.kind === kind);

const AMOUNT_MIN = { money: 1e5, count: 100 } as const;
const isAmount = ({ kind, value }: Figure): boolean =>
  kind !== 'percent' && value >= (kind === 'count' ? AMOUNT_MIN.count : AMOUNT_MIN.money);
const share = (a: readonly Figure[], b: readonly Figure[]): boolean =>
  a.some((own) => b.some((other) => isSameFigure(own, other)));

/** Both name the same amount or count, which is no price. */
export const shareAmount = (a: readonly Figure[], b: readonly Figure[]): boolean =>
  share(a.filter(isAmount), b.filter(isAmount));

/** An amount that two events hardly share: of two digits at least. */
export function shareSignificantFigure(a: readonly Figure[], b: readonly Figure[]): boolean {
  const [own, other] = [a, b].map((figures) =>
    figures.filter((figure) => isAmount(figure) && figure.digitCount > 1),
  ) as [Figure[], Figure[]];
  return share(own, other);
}
