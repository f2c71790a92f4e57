import { HONESTY_CONFIDENCE, type HonestyId, honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import type { HonestyFigure, HonestyReading } from '../../protocol/honesty.ts';
import { chance, figure, percent, plural, probabilitySays, withheld } from './figure.ts';

/** The two tests on the searched candles that account for the number of trials. */
const deciding: readonly HonestyId[] = ['deflatedSharpe', 'realityCheck'];
/** Parts of the joint test and figures that repeat one of them: not counted again. Unseen candles count separately. */
const joint: readonly HonestyId[] = [...deciding, 'bothWindows', 'probabilisticSharpe', 'minimumBacktest'];

const nameOf = (id: HonestyId): string => honestyRegistry.find((each) => each.id === id)?.name ?? id;

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

/** Searched and unseen candles do not overlap, so their tests are independent and can be combined. */
export function bothWindowsFigure(figures: readonly HonestyFigure[]): HonestyFigure {
  const unseen = figures.find(({ id }) => id === 'holdout');
  const rest = { count: unseen?.count ?? 0, window: 'scored' } as const;
  const needed = [...deciding, 'holdout' as const].map((id) => figures.find((each) => each.id === id));
  const missing = needed.find((each) => each === undefined || each.value === null);
  if (missing !== undefined || !needed.every((each) => each !== undefined))
    return withheld('bothWindows', missing?.reason ?? 'a test is missing', rest);
  const value = jointProbability(luckiestOf(figures), 1 - valueOf(figures, 'holdout'));
  const words = `${chance(value, 1)} of random searches look this good on training and unseen candles together. Needs below ${percent(1 - HONESTY_CONFIDENCE)}.`;
  return figure('bothWindows', value, probabilitySays(1 - value), words, rest);
}

type Level = Pick<HonestyReading, 'level' | 'words'>;

/** Where the result stands: beside a search, in a run of rules, or on the page of an account, which has no search. */
export type NextStep = 'search' | 'rules' | 'account';
const hints: Record<NextStep, string> = {
  search: ' Run a search.',
  rules: '',
  account: ' Change rules, interval or limits, then run again.',
};

/**
 * The panel in one plain sentence. A result holds up when luck is improbable on the searched and the unseen candles together, neither
 * deciding test says luck, the unseen candles alone confirm it, and no figure of another kind disagrees. A test that is not significant
 * decides nothing. Rates of error and power: docs/honesty.md.
 * @param trialCount settings tried, earlier ones included
 * @param next what the user can do to compare more of them
 */
export function readingOf(
  figures: readonly HonestyFigure[],
  trialCount: number,
  next: NextStep = 'search',
): HonestyReading {
  const idsThat = (says: HonestyFigure['says']): HonestyId[] =>
    figures.filter((each) => each.says === says).map(({ id }) => id);
  const missing = figures.filter(({ value }) => value === null).map(({ id }) => id);
  const lists = { luck: idsThat('luck'), skill: idsThat('skill'), missing };
  return { ...levelOf(figures, lists, { trialCount, hint: hints[next] }), ...lists };
}

function levelOf(
  figures: readonly HonestyFigure[],
  lists: Pick<HonestyReading, 'luck' | 'skill'>,
  { trialCount, hint }: { trialCount: number; hint: string },
): Level {
  const tried = plural(trialCount, 'setting');
  const tests = deciding.map((id) => figures.find((each) => each.id === id));
  const absent = tests.find((test) => test === undefined || test.value === null);
  if (absent !== undefined) {
    const isAlone = absent.reason?.startsWith('1 set tried') === true;
    return {
      level: 'not enough data',
      words: isAlone
        ? `Try another setting to get a luck estimate.${hint}`
        : `${sentence(absent.reason ?? 'no figures')}.`,
    };
  }
  const together = valueOf(figures, 'bothWindows');
  const isJoint = !Number.isNaN(together);
  const isPassed = isJoint ? 1 - together >= HONESTY_CONFIDENCE : tests.every((test) => test?.says === 'skill');
  if (isPassed) return passed(figures, lists, isJoint, tried);
  const isSeenGood = isJoint && lists.skill.includes('holdout');
  if (tests.some((test) => test?.says === 'luck') && !isSeenGood) {
    return {
      level: 'luck',
      words: `${plural(trialCount, 'random setting')} would usually produce one this good.`,
    };
  }
  const share = chance(isJoint ? together : luckiestOf(figures));
  const where = isJoint ? ', training and unseen candles' : '';
  return {
    level: 'unclear',
    words: `Luck gets this good in ${share} of cases (${tried}${where}). Needs under ${percent(1 - HONESTY_CONFIDENCE)}.`,
  };
}

/** Luck is improbable: each deciding test, the unseen candles by themselves and the figures of another kind must agree. */
function passed(
  figures: readonly HonestyFigure[],
  { luck, skill }: Pick<HonestyReading, 'luck' | 'skill'>,
  isJoint: boolean,
  tried: string,
): Level {
  const where = isJoint ? ' on training and unseen candles together' : '';
  const lucky = deciding.filter((id) => luck.includes(id)).map(nameOf);
  if (lucky.length > 0) {
    const verb = lucky.length === 1 ? 'says' : 'say';
    return unclear(`good${where}, but ${lucky.join(' and ')} ${verb} luck in training`);
  }
  const than = `beats the luckiest of ${tried}${where}`;
  const against = luck.filter((id) => !joint.includes(id)).length;
  if (against > 0) {
    return unclear(`${than}, but with ${plural(against, 'warning sign')} elsewhere`);
  }
  const unseen = valueOf(figures, 'holdout');
  if (Number.isNaN(unseen)) return unclear(`${than}; test it on unseen candles`);
  if (!skill.includes('holdout')) {
    // Rounded down: it must not read as the share that is needed.
    const sure = chance(Math.floor(1000 * unseen) / 1000, 1);
    return unclear(`${than}, but unseen candles are only ${sure} sure (${percent(HONESTY_CONFIDENCE)} needed)`);
  }
  const agree = skill.filter((id) => !joint.includes(id)).length;
  return {
    level: 'holds up',
    words: `${sentence(than)}. ${plural(agree, 'other figure')} ${agree === 1 ? 'confirms' : 'confirm'} it.`,
  };
}

const unclear = (why: string): Level => ({ level: 'unclear', words: `${sentence(why)}.` });

/** With a capital letter. Every screen and response names the level beside the words, so they do not start with it. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
