import { areFiguresAtOdds, countSame, shareAmount, shareSignificantFigure } from './figures.ts';
import { actions, attributions, incidents, nameKinds, opposites, sequels, subjects } from './headlineWords.ts';
import { coins, kindOfName, MAYBE, PLACES, type Signature, strongRoots, weights } from './signature.ts';
import { CHANCE_MIN, storyChance, type StoryFeature } from './storyModel.ts';

/** Whether two headlines report one event: contradictions and similarity. */

/** Minimum similarity of two titles of one story: of any two, and of two with the same distinctive figure or core. */
const SIMILARITY_MIN = { any: 0.55, figure: 0.3, amount: 0.4, core: 0.38, names: 0.5, otherFigure: 0.75 } as const;
/** Largest share of a title that may stand in place of the other's when no figure is the same. */
const REPLACED_MAX = 0.5;
/** The share of common names (Dice) is above this where each title has names that the other has not. */
const NAMES_ABOVE = 0.5;
/** Exchanges and managers of funds have news of many kinds: their name says little about an event. */
const actors = new Set([0, 3].flatMap((kind) => [...(nameKinds[kind] ?? [])]));

const areOpposites = (a: Signature, b: Signature): boolean =>
  opposites.some((group) => {
    const own = group.filter((root) => a.roots.has(root));
    const other = group.filter((root) => b.roots.has(root));
    return own.length > 0 && other.length > 0 && !own.some((root) => other.includes(root));
  });

/** Two names of one kind (exchanges, countries, ...), and none of that kind in common. */
const areKindsAtOdds = (a: Signature, b: Signature): boolean =>
  [...nameKinds.keys()].some((kind) => {
    const own = [...a.names].filter((name) => kindOfName.get(name) === kind);
    const other = [...b.names].filter((name) => kindOfName.get(name) === kind);
    return own.length > 0 && other.length > 0 && !own.some((name) => other.includes(name));
  });

/** Each has a name that replaces a name of the other. */
function areNamesAtOdds(a: Signature, b: Signature): boolean {
  const [ownOnly, otherOnly] = [onlyIn(a, b), onlyIn(b, a)];
  if (ownOnly.length === 0 || otherOnly.length === 0) return false;
  // One exchange lists many tokens in the same words.
  if (a.roots.has('list') && b.roots.has('list')) return true;
  const common = commonNames(a, b).length;
  return (2 * common) / (2 * common + ownOnly.length + otherOnly.length) <= NAMES_ABOVE;
}

/** Names of one that are no word of the other; a place is only an origin. */
const onlyIn = (a: Signature, b: Signature): string[] =>
  [...a.names].filter((name) => !isNamedBy(a, b, name) && kindOfName.get(name) !== PLACES);
/** A word of the first is one of the other, or stands beside a name that is. */
const isNamedBy = ({ beside }: Signature, { roots }: Signature, root: string): boolean =>
  roots.has(root) || [...(beside.get(root) ?? [])].some((name) => roots.has(name));
const commonNames = (a: Signature, b: Signature): string[] =>
  [...a.names, ...a.affiliations].filter((name) => b.names.has(name) || b.affiliations.has(name));

/** Both have names and share none; or they share one name and no action. */
function haveNoCommonGround(a: Signature, b: Signature): boolean {
  const [own, other] = [a, b].map(({ names, affiliations }) => new Set([...names, ...affiliations])) as [
    Set<string>,
    Set<string>,
  ];
  if (
    own.size > 0 &&
    other.size > 0 &&
    ![...own].some((name) => b.roots.has(name)) &&
    ![...other].some((name) => a.roots.has(name))
  )
    return true;
  const names = commonNames(a, b);
  const [ownWords, otherWords] = [wordsIn(a), wordsIn(b)];
  // A country or an exchange has news of many kinds: what it is about must be common too.
  if (
    names.length > 0 &&
    (names.every((name) => actors.has(name)) || names.every((name) => kindOfName.get(name) === PLACES))
  )
    return !ownWords.some((root) => b.roots.has(root) && !everyday.has(root) && !decisions.has(root));
  return (
    ownWords.length + otherWords.length > 0 &&
    !ownWords.some((root) => b.roots.has(root)) &&
    (names.length < 2 || names.every((name) => actors.has(name)))
  );
}
const decisions = new Set(['approve', 'reject', 'delay', 'ban', 'allow', 'plan', 'cut', 'raise']);
/** What an exchange or a fund manager does every day. */
const everyday = new Set([
  'launch',
  'list',
  'allow',
  'approve',
  'win',
  'plan',
  'file',
  'issue',
  'halt',
  'resume',
  'move',
]);
const wordsIn = ({ roots, names }: Signature): string[] =>
  [...roots].flatMap(([root, weight]) => (weight === weights.weak || names.has(root) ? [] : [root]));

/** The new part of one is about a name that the other lacks, as a price reaction to the news. */
const isAboutOthers = (a: Signature, b: Signature): boolean => {
  const own = [...a.names].filter((name) => a.main.has(name));
  return (
    own.length > 0 &&
    b.names.size + b.affiliations.size > 0 &&
    a.main.size < a.roots.size &&
    !own.some((name) => b.roots.has(name))
  );
};

/** One reports a follow-up: its background is the news of the other. */
function isAftermath(a: Signature, b: Signature): boolean {
  const own = [...a.main].filter((root) => actions.has(root));
  return (
    own.length > 0 &&
    !own.some((root) => b.roots.has(root)) &&
    [...a.roots.keys()].some((root) => actions.has(root) && !a.main.has(root) && b.main.has(root))
  );
}

/** A market that opens is listed by some and launched by others, and what is allowed is approved or launched. */
const sameActions: Readonly<Record<string, readonly string[]>> = { list: ['launch'], allow: ['launch', 'approve'] };

const commonIn = (a: Signature, b: Signature, group: ReadonlySet<string>): 'none' | 'some' | 'other' => {
  const [own, other] = [a, b].map(({ roots }) =>
    [...roots.keys()].filter((root) => group.has(root)).flatMap((root) => sameActions[root] ?? root),
  ) as [string[], string[]];
  if (own.length === 0 || other.length === 0) return 'none';
  return own.some((root) => other.includes(root)) ? 'some' : 'other';
};
/** Compares what is new where each says it; the background may differ. */
function areActionsAtOdds(a: Signature, b: Signature): boolean {
  const newOf = (each: Signature): Signature => ({
    ...each,
    roots: new Map([...each.roots].filter(([root]) => each.main.has(root))),
  });
  return commonIn(newOf(a), newOf(b), actions) === 'other' && commonIn(a, b, actions) === 'other';
}
/** With these a rejection may lack its word. */
const denials = ['sue', 'ban'];
const hasAny = ({ roots }: Signature, group: Iterable<string>): boolean => [...group].some((root) => roots.has(root));
const isInOne = (a: Signature, b: Signature, root: string): boolean => a.roots.has(root) !== b.roots.has(root);

/** What follows an incident, and another stage: a test network, the end of a takeover. */
const isSequel = (a: Signature, b: Signature): boolean =>
  isInOne(a, b, 'test') ||
  (commonIn(a, b, takeovers) === 'some' && ['complete', 'abandon'].some((root) => isInOne(a, b, root))) ||
  (incidents.some((root) => a.roots.has(root) || b.roots.has(root)) &&
    sequels.some((group) => hasAny(a, group) !== hasAny(b, group)));
const takeovers = new Set(['buy', 'deal', 'sell', 'merger']);

/** Two who sue are two cases. */
function areClaimantsAtOdds(a: Signature, b: Signature): boolean {
  if (!a.roots.has('sue') || !b.roots.has('sue') || a.claimants.size === 0 || b.claimants.size === 0) return false;
  if ([...a.claimants].some((name) => b.claimants.has(name))) return false;
  return ![a, b].some((each) => hasAny(each, endings));
}
/** With these a headline may start with the defendant. */
const endings = ['dismiss', 'drop', 'settle', 'close'];

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** The mean of two shares of what both say: in all that they say (Dice), and in what the shorter one says. */
function similarity(a: Signature, b: Signature): { score: number; isReplaced: boolean } {
  const same = countSame(a.figures, b.figures);
  const common =
    sumOf([...a.roots].map(([root, weight]) => Math.min(weight, b.roots.get(root) ?? 0))) + same * weights.figure;
  const sizes = [a, b].map(
    ({ roots, figures }) =>
      sumOf(roots.values()) + same * weights.figure + Math.max(0, figures.length - same) * weights.otherFigure,
  );
  const [least, whole] = [Math.min(...sizes), sumOf(sizes)];
  return {
    score: whole === 0 ? 0 : ((2 * common) / whole + common / least) / 2,
    // Without a common figure, words that replace each other mean two events: `staking` and `options`.
    isReplaced: same === 0 && Math.min(ownWeight(a, b), ownWeight(b, a)) > REPLACED_MAX * least,
  };
}

/** Weight of what only the first says, weak words aside. */
const ownWeight = (a: Signature, b: Signature): number =>
  sumOf([...a.roots].map(([root, weight]) => (weight === weights.weak || isNamedBy(a, b, root) ? 0 : weight)));

const isSignificantName = (name: string): boolean =>
  !actors.has(name) && !coins.has(name) && kindOfName.get(name) !== PLACES;

/** Actor, action and object are equal. */
function haveSameCore(a: Signature, b: Signature): boolean {
  const names = commonNames(a, b);
  const objects = wordsIn(a).filter((root) => b.roots.has(root) && !actions.has(root));
  return names.length > 0 && commonIn(a, b, actions) === 'some' && names.length - 1 + objects.length > 0;
}

/** Whether the rules take two reports for one story. */
function areOneByRules(a: Signature, b: Signature, { score, isReplaced }: ReturnType<typeof similarity>): boolean {
  if (isSequel(a, b)) return false;
  const least = leastScore(a, b, isReplaced);
  return least !== undefined && score >= least;
}

/** How alike two reports are, as the model reads it: shares from 0 to 1, and 1 where a claim holds. Undefined when hardly anything is common. */
export function compareFeatures(a: Signature, b: Signature): Record<StoryFeature, number> | undefined {
  const alike = similarity(a, b);
  // Most pairs end here.
  if (alike.score < COMPARED_MIN) return undefined;
  const same = countSame(a.figures, b.figures);
  const names = commonNames(a, b);
  const [own, other] = [strongRoots(a), strongRoots(b)];
  const common = own.filter((root) => other.includes(root)).length;
  const action = commonIn(a, b, actions);
  const claims = {
    sameFigure: same > 0,
    distinctFigure: shareSignificantFigure(a.figures, b.figures),
    otherFigures: same === 0 && a.figures.length > 0 && b.figures.length > 0,
    oneHasFigures: a.figures.length > 0 !== b.figures.length > 0,
    commonName: names.some(isSignificantName),
    commonCoin: names.some((name) => coins.has(name)),
    otherNames: areNamesAtOdds(a, b),
    sequel: isSequel(a, b),
    sameAction: action === 'some',
    otherAction: action === 'other',
    otherSubject: commonIn(a, b, subjects) === 'other',
    aftermath: isAftermath(a, b) || isAftermath(b, a),
    rules: areOneByRules(a, b, alike),
    aboutOthers: isAboutOthers(a, b) || isAboutOthers(b, a),
    attribution: hasAny(a, attributions) !== hasAny(b, attributions),
    amountOfSame: shareAmount(a.figures, b.figures) && areAboutSame(a, b),
    figureAndName: same > 0 && names.length > 0,
    actionAndName: action === 'some' && names.some(isSignificantName),
  };
  return {
    similarity: alike.score,
    commonShare: common / Math.max(1, Math.min(own.length, other.length)),
    commonCount: Math.min(common, COMMON_MAX) / COMMON_MAX,
    ...(Object.fromEntries(Object.entries(claims).map(([name, holds]) => [name, Number(holds)])) as Record<
      keyof typeof claims,
      number
    >),
  };
}
/** Pairs that are less alike are never one story. */
const COMPARED_MIN = 0.15;
/** More common roots say nothing more. */
const COMMON_MAX = 5;

/** How likely two reports are one story; undefined when they are not. */
export function scoreOf(a: Signature, b: Signature): number | undefined {
  const features = compareFeatures(a, b);
  const chance = features === undefined ? 0 : storyChance(features);
  return chance >= CHANCE_MIN ? chance : undefined;
}

/** Similarity that two headlines need, undefined when they report two events: less with a common amount or core. */
function leastScore(a: Signature, b: Signature, isReplaced: boolean): number | undefined {
  if (shareAmount(a.figures, b.figures) && areAboutSame(a, b))
    return shareSignificantFigure(a.figures, b.figures) ? SIMILARITY_MIN.figure : SIMILARITY_MIN.amount;
  if (areNamesAtOdds(a, b) || isAboutOthers(a, b) || isAboutOthers(b, a)) return undefined;
  if (countSame(a.figures, b.figures) > 0) return SIMILARITY_MIN.any;
  if (haveOtherNews(a, b)) return undefined;
  // Each names a figure that the other does not: two events of one kind more often than two wordings.
  const own = a.figures.length > 0 && b.figures.length > 0 ? SIMILARITY_MIN.otherFigure : 0;
  if (haveSameCore(a, b)) return Math.max(own, SIMILARITY_MIN.core);
  if (commonNames(a, b).filter(isSignificantName).length > 1) return Math.max(own, SIMILARITY_MIN.names);
  return isReplaced ? undefined : Math.max(own, SIMILARITY_MIN.any);
}

/** Without a figure in common: another action or subject, the aftermath, a denial, or who was behind it. */
const haveOtherNews = (a: Signature, b: Signature): boolean =>
  isAftermath(a, b) ||
  isAftermath(b, a) ||
  haveNoCommonGround(a, b) ||
  areActionsAtOdds(a, b) ||
  commonIn(a, b, subjects) === 'other' ||
  isOnlyMaybe(a, b) ||
  (isInOne(a, b, 'reject') && !hasAny(a, denials) && !hasAny(b, denials)) ||
  hasAny(a, attributions) !== hasAny(b, attributions);
const isOnlyMaybe = (a: Signature, b: Signature): boolean =>
  isInOne(a, b, MAYBE) && !a.roots.has('plan') && !b.roots.has('plan');

/** One expects what the other reports. */
const isForecastOf = (a: Signature, b: Signature): boolean =>
  a.roots.has('forecast') && !b.roots.has('forecast') && hasAny(b, ['rise', 'fall', 'cross']);

/** A common amount is of one event with a common name, or with a common word where only one headline has names. */
function areAboutSame(a: Signature, b: Signature): boolean {
  if (commonNames(a, b).some((name) => !coins.has(name))) return true;
  const [own, other] = [a, b].map(({ names, affiliations }) =>
    [...names, ...affiliations].filter((name) => !coins.has(name)),
  ) as [string[], string[]];
  return (own.length === 0 || other.length === 0) && wordsIn(a).some((root) => b.roots.has(root));
}

/** What no two reports of one event have, whatever else is common. */
export const doContradict = (a: Signature, b: Signature): boolean =>
  areOpposites(a, b) ||
  areKindsAtOdds(a, b) ||
  isForecastOf(a, b) ||
  isForecastOf(b, a) ||
  commonIn(a, b, coins) === 'other' ||
  areClaimantsAtOdds(a, b) ||
  areFiguresAtOdds(a.figures, b.figures);
