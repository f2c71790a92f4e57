import { type DataMark, isSameData, type TrialCount } from '@sextant/workers/src/candles/sameData.ts';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';

/** Results of one set of rules that were seen on many markets at once, as in a heat map. trialCounts.ts counts them. */

export interface MarketLook {
  /** The same for all markets of the rules: their sets differ by interval. */
  family: string;
  /** Name of the set that ran on this market. */
  set: string;
  /** As in DataMark. */
  series: string;
  fromMs: number;
  toMs: number;
}

const KEY = 'trials.markets';
/** Four full heat maps: older looks are dropped first. */
const LOOKS_MAX = 1000;

let looks = readLooks();
onUserReset(() => {
  looks = [];
  save(KEY, null);
});

/** Storage format: `[family, set, series, fromMs, toMs]`. */
function readLooks(): MarketLook[] {
  try {
    const saved = JSON.parse(readSaved(KEY) ?? '[]') as unknown;
    return (Array.isArray(saved) ? saved : []).flatMap((entry): MarketLook[] => {
      const [family, set, series, fromMs, toMs] = (Array.isArray(entry) ? entry : []) as unknown[];
      const isNamed = [family, set, series].every((each) => typeof each === 'string');
      return isNamed && Number.isFinite(fromMs) && Number.isFinite(toMs)
        ? [
            {
              family: family as string,
              set: set as string,
              series: series as string,
              fromMs: Number(fromMs),
              toMs: Number(toMs),
            },
          ]
        : [];
    });
  } catch {
    return [];
  }
}

/** Closes are not stored: a thousand samples would fill the browser's store. */
const markOfLook = ({ series, fromMs, toMs }: MarketLook): DataMark => ({ hash: '', series, fromMs, toMs });

export const looksOfData = (data: DataMark): MarketLook[] => looks.filter((look) => isSameData(markOfLook(look), data));

/** Looks of the families to which a set on these candles belongs. */
export function familyLooks(data: DataMark, set: string): MarketLook[] {
  const families = new Set(looksOfData(data).flatMap((look) => (look.set === set ? [look.family] : [])));
  return looks.filter(({ family }) => families.has(family));
}

export const allLooks = (): readonly MarketLook[] => looks;

/** As rows for `familyOf`: one trial each, seen on the scored candles. */
export const countedLooks = (list: readonly MarketLook[]): (DataMark & TrialCount & { isSearch: true })[] =>
  list.map((look) => ({ ...markOfLook(look), trials: 1, looks: 1, isSearch: true }));

/** Marks of looks have no hash: an invented one keeps two of them apart. */
const isSameMarket = (a: MarketLook, b: MarketLook): boolean =>
  isSameData({ ...markOfLook(a), hash: 'a' }, { ...markOfLook(b), hash: 'b' });

/** Adds looks; a set on a market counts once, however often it is run there. */
export function noteLooks(added: readonly MarketLook[]): void {
  const isKnown = (look: MarketLook) => looks.some((each) => each.set === look.set && isSameMarket(each, look));
  looks = [...looks, ...added.filter((look) => !isKnown(look))].slice(-LOOKS_MAX);
  save(KEY, JSON.stringify(looks.map(({ family, set, series, fromMs, toMs }) => [family, set, series, fromMs, toMs])));
}
