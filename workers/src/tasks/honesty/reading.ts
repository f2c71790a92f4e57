import type { HonestyFigure, HonestyReading } from '../../protocolHonesty.ts';

/**
 * The panel in words. The deflated Sharpe ratio must clear luck, at least one other figure must agree and none may disagree
 * before a result is said to hold up: no single figure decides for it. One figure that cannot exclude luck is enough against.
 */
export function readingOf(figures: readonly HonestyFigure[]): HonestyReading {
  const idsThat = (says: HonestyFigure['says']): HonestyFigure['id'][] =>
    figures.filter((figure) => figure.says === says).map(({ id }) => id);
  const missing = figures.filter(({ value }) => value === null).map(({ id }) => id);
  const lists = { luck: idsThat('luck'), skill: idsThat('skill'), missing };
  const deflated = figures.find(({ id }) => id === 'deflatedSharpe');
  if (deflated === undefined || deflated.value === null) {
    const reason = deflated?.reason ?? 'no figure could be given';
    return { level: 'not enough data', words: `Too little data to tell this from luck: ${reason}.`, ...lists };
  }
  if (deflated.says === 'luck') return { level: 'luck', words: deflated.words, ...lists };
  const others = lists.skill.length - 1;
  if (others >= 1 && lists.luck.length === 0) {
    const words = `Holds up: ${lists.skill.length} figures speak against luck, none for it. The past is not the future.`;
    return { level: 'holds up', words, ...lists };
  }
  const words =
    lists.luck.length > 0
      ? `Unclear: ${lists.skill.length} against luck, ${lists.luck.length} for it.`
      : 'Unclear: only one figure speaks against luck.';
  return { level: 'unclear', words, ...lists };
}
