import type { HonestyId } from '@sextant/engine-as/abi/honesty.ts';
import type { HonestyFigure, HonestyReading } from '../../protocolHonesty.ts';

/** The two tests that know how many trials were made. Either one that cannot exclude luck is enough to call it that. */
const deciding: readonly HonestyId[] = ['deflatedSharpe', 'realityCheck'];

/**
 * The panel in words. Both deciding tests must clear luck, at least one figure of another kind must agree and none may
 * disagree before a result is said to hold up: no single figure decides for it.
 */
export function readingOf(figures: readonly HonestyFigure[]): HonestyReading {
  const idsThat = (says: HonestyFigure['says']): HonestyId[] =>
    figures.filter((figure) => figure.says === says).map(({ id }) => id);
  const missing = figures.filter(({ value }) => value === null).map(({ id }) => id);
  const lists = { luck: idsThat('luck'), skill: idsThat('skill'), missing };
  const tests = deciding.map((id) => figures.find((figure) => figure.id === id));
  const absent = tests.find((test) => test === undefined || test.value === null);
  if (absent !== undefined) {
    return {
      level: 'not enough data',
      words: `Not enough data to rule out luck: ${absent.reason ?? 'no figures'}.${absent.reason?.includes('tried') === true ? ' A search tries more.' : ''}`,
      ...lists,
    };
  }
  const failed = tests.find((test) => test?.says === 'luck');
  if (failed !== undefined) return { level: 'luck', words: failed.words, ...lists };
  if (lists.skill.length > deciding.length && lists.luck.length === 0) {
    const words = `Holds up: ${lists.skill.length} figures speak against luck, none for it. The past is not the future.`;
    return { level: 'holds up', words, ...lists };
  }
  const words =
    lists.luck.length > 0
      ? `Unclear: ${lists.skill.length} figures speak against luck, ${lists.luck.length} for it.`
      : 'Unclear: no figure of another kind confirms it.';
  return { level: 'unclear', words, ...lists };
}
