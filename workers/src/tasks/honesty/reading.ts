import { HONESTY_CONFIDENCE, type HonestyId } from '@sextant/engine-as/abi/honesty.ts';
import type { HonestyFigure, HonestyReading } from '../../protocolHonesty.ts';
import { figure, percent, plural, probabilitySays, withheld } from './figure.ts';

/** The two tests of the searched candles that know how many trials were made. */
const deciding: readonly HonestyId[] = ['deflatedSharpe', 'realityCheck'];
/** Figures that the joint test has in it, or that say the same as one of its parts: they do not vote a second time. */
const joint: readonly HonestyId[] = [...deciding, 'bothWindows', 'probabilisticSharpe', 'minimumBacktest'];

const valueOf = (figures: readonly HonestyFigure[], id: HonestyId): number =>
  figures.find((each) => each.id === id)?.value ?? Number.NaN;

/** The larger of the two probabilities of luck on the searched candles. */
const luckiestOf = (figures: readonly HonestyFigure[]): number =>
  Math.max(1 - valueOf(figures, 'deflatedSharpe'), valueOf(figures, 'realityCheck'));

/** Probability of a product of two independent p values at most this small. Fisher's method for two tests. */
export const jointProbability = (p1: number, p2: number): number => {
  const product = p1 * p2;
  return product > 0 ? product * (1 - Math.log(product)) : 0;
};

/** Searched and unseen candles share none, so their tests are independent and can be joined. */
export function bothWindowsFigure(figures: readonly HonestyFigure[]): HonestyFigure {
  const unseen = figures.find(({ id }) => id === 'holdout');
  const rest = { count: unseen?.count ?? 0, window: 'scored' } as const;
  const needed = [...deciding, 'holdout' as const].map((id) => figures.find((each) => each.id === id));
  const missing = needed.find((each) => each === undefined || each.value === null);
  if (missing !== undefined || !needed.every((each) => each !== undefined))
    return withheld('bothWindows', missing?.reason ?? 'a test is missing', rest);
  const value = jointProbability(luckiestOf(figures), 1 - valueOf(figures, 'holdout'));
  const words = `${percent(value, 1)} of searches without any skill look this good on searched and unseen candles together; below ${percent(1 - HONESTY_CONFIDENCE)} are needed.`;
  return figure('bothWindows', value, probabilitySays(1 - value), words, rest);
}

type Level = Pick<HonestyReading, 'level' | 'words'>;

/**
 * The panel in one plain sentence. Luck must be improbable, on the searched and the unseen candles together or, without unseen ones, for
 * both deciding tests; at least one figure of another kind must agree and none may disagree before a result is said to hold up. A test
 * that is not significant decides nothing.
 * @param trialCount settings tried, earlier ones included
 * @param isOfRules no search could try more of them
 */
export function readingOf(figures: readonly HonestyFigure[], trialCount: number, isOfRules = false): HonestyReading {
  const idsThat = (says: HonestyFigure['says']): HonestyId[] =>
    figures.filter((each) => each.says === says).map(({ id }) => id);
  const missing = figures.filter(({ value }) => value === null).map(({ id }) => id);
  const lists = { luck: idsThat('luck'), skill: idsThat('skill'), missing };
  const hint = isOfRules ? '' : ' A search tries more.';
  return { ...levelOf(figures, lists, { tried: plural(trialCount, 'setting'), hint }), ...lists };
}

function levelOf(
  figures: readonly HonestyFigure[],
  lists: Pick<HonestyReading, 'luck' | 'skill'>,
  { tried, hint }: { tried: string; hint: string },
): Level {
  const tests = deciding.map((id) => figures.find((each) => each.id === id));
  const absent = tests.find((test) => test === undefined || test.value === null);
  if (absent !== undefined) {
    const isAlone = absent.reason?.startsWith('1 set tried') === true;
    return {
      level: 'not enough data',
      words: isAlone
        ? `Only one setting tried. Try another to get a luck estimate.${hint}`
        : `Not enough data to rule out luck: ${absent.reason ?? 'no figures'}.`,
    };
  }
  const together = valueOf(figures, 'bothWindows');
  const isJoint = !Number.isNaN(together);
  const isPassed = isJoint ? 1 - together >= HONESTY_CONFIDENCE : tests.every((test) => test?.says === 'skill');
  if (isPassed) return passed(lists, isJoint, tried);
  const isSeenGood = isJoint && lists.skill.includes('holdout');
  if (tests.some((test) => test?.says === 'luck') && !isSeenGood) {
    return {
      level: 'luck',
      words: `Luck explains it: the best of ${tried} without any skill usually looks at least this good.`,
    };
  }
  const share = percent(isJoint ? together : luckiestOf(figures));
  const where = isJoint ? ', searched and unseen candles' : '';
  return {
    level: 'unclear',
    words: `Not proven: pure luck gets this good in ${share} of cases (${tried} tried${where}); it must be under ${percent(1 - HONESTY_CONFIDENCE)}.`,
  };
}

/** Luck is improbable: what the figures of another kind say decides. */
function passed({ luck, skill }: Pick<HonestyReading, 'luck' | 'skill'>, isJoint: boolean, tried: string): Level {
  const isOther = (id: HonestyId): boolean => !(isJoint ? joint : deciding).includes(id);
  const [against, agree] = [luck.filter(isOther).length, skill.filter(isOther).length];
  const than = `better than the best of ${tried} by luck${isJoint ? ', on searched and unseen candles together' : ''}`;
  if (against > 0) {
    const words = `Unclear: ${than}, but ${plural(against, 'figure')} of another kind ${against === 1 ? 'speaks' : 'speak'} for luck.`;
    return { level: 'unclear', words };
  }
  if (agree === 0) return { level: 'unclear', words: `Unclear: ${than}, but no figure of another kind confirms it.` };
  const words = `Holds up: ${than}, and confirmed by ${plural(agree, 'other figure')}.`;
  return { level: 'holds up', words };
}
