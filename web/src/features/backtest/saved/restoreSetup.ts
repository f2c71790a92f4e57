import { type ClassicParameterRow, classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { contractOfCosts } from '@sextant/workers/src/candles/contract.ts';
import type { Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { RUN_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import { LAB_LOADED, SCORED_DEFAULT, withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { ref, snapshot } from 'valtio';
import { WordedError } from '../../../api/failure.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import type { SavedRun } from '../../../api/types.ts';
import { countOf, draft, historyCounts, runState } from '../backtestState.ts';
import { historyOf, scoredOf } from '../setup/scored.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { startCosts } from '../costs.ts';
import { candlesOfFile } from '../csv/candlesOfFile.ts';
import { readSavedCsv, type SavedCsv } from '../csvStore.ts';
import { loadFromExchange, withCount, withScored } from '../history.ts';
import { accountTuning } from '../live/liveRun.ts';
import { settingsOfRun } from '../live/liveSettings.ts';
import { type ChosenRules, chosenOf } from '../own/chosenRules.ts';
import { formRows, fractionToPercent, sentNumber } from '../params.ts';
import { daysOf } from '../setup/dateRange.ts';
import type { Loading } from '../run/setupCandles.ts';

type Setup = SavedRun['setup'];

export interface Restored {
  loaded: LoadedCandles;
  /** The file the candles came from. */
  csv: SavedCsv | null;
}

/** Why saved data cannot be shown here, as a message for the user. */
export class NotOpened extends WordedError {
  override name = 'NotOpened';
}

/** A long history of an exchange is sent as own candles under its symbol; a file of that size may have the same name. */
const symbolOf = ({ exchange, label, loaded }: Setup): string | null => {
  const isNamed = label !== null && isSymbol(label);
  return isNamed && (exchange !== null || loaded > RUN_CANDLES_MAX) ? label : null;
};

/**
 * The candles of a saved setup: those of the file when this browser still has it, otherwise those of the exchange at that time.
 * @throws NotOpened when this page cannot load them, ApiFailure when the exchange cannot be reached
 */
export async function restoreCandles(
  interval: string,
  setup: Setup,
  dataHash: string,
  loading: Loading,
): Promise<Restored> {
  const file = setup.exchange === null ? await readSavedCsv(dataHash) : undefined;
  if (file !== undefined) return { loaded: candlesOfFile(file.fileName, file.parsed), csv: file };
  const symbol = symbolOf(setup);
  if (symbol === null) throw new NotOpened(`drop ${setup.label ?? 'the file'} again, then open it`);
  if (setup.exchange !== null && setup.exchange !== 'binance')
    throw new NotOpened(`it uses ${setup.exchange} candles; this page has Binance candles`);
  const known = intervals.find((name) => name === interval);
  if (known === undefined) throw new NotOpened(`this page has no ${interval} candles`);
  const options = { symbol, interval: known, count: setup.loaded, endTimeMs: setup.end_time, ...loading };
  const loaded = await loadFromExchange(options);
  const contract = contractOfCosts(costsIn(setup));
  const ruled = contract === undefined ? loaded : { ...loaded, contract, rulesVenue: contract.exchange };
  const ranged = withScored(ruled, setup.scored);
  const isDates = isRange(setup, ranged.scoredFromMs);
  return { loaded: isDates ? ranged : withCount(ruled, setup.scored), csv: null };
}

const DAY_MS = 86_400_000;

/**
 * Whether the window was a range of dates. Older setups do not store it: a scored share other than the standard one means dates; so does
 * the standard share of at least SCORED_DEFAULT candles that starts at UTC midnight, when the form does not offer the number of candles.
 */
export function isRange(
  { loaded, scored, isRange: said }: Pick<Setup, 'loaded' | 'scored' | 'isRange'>,
  scoredFromMs: number | undefined,
): boolean {
  if (scoredFromMs === undefined) return false;
  if (said !== undefined) return said;
  if (scored !== scoredOf(loaded)) return true;
  return scored >= SCORED_DEFAULT && scoredFromMs % DAY_MS === 0 && !historyCounts.some((count) => count === loaded);
}

/** Costs without a field: they come with the contract. */
const contractCosts = new Set(['rulesOf', 'tickSize', 'stepSize', 'minNotional', 'maxQuantity', 'tiers']);
/** The wire format allows `undefined` where the engine has no field. */
const costsIn = ({ costs }: Setup): Partial<Costs> => costs;

/** Whether the sliders and fields of this page can represent it: the API accepts rules without a control here. */
export function isOfThisForm({
  params,
  strategy,
  setup,
}: Pick<SavedRun, 'params' | 'setup'> & Partial<Pick<SavedRun, 'strategy'>>): boolean {
  const isRuled = setup.costs.rulesOf !== undefined;
  const isOfForm = (key: string) => key in startCosts() || key === 'liquidationModel';
  const hasCosts = Object.keys(setup.costs).every((key) => isOfForm(key) || (isRuled && contractCosts.has(key)));
  if ((strategy ?? null) !== null) return hasCosts;
  return (params.trailing.mode ?? 'percent') === 'percent' && optionalRows.every(isInForm(params)) && hasCosts;
}

/** What a set of Classic need not have, without what only a trailing stop by ranges has. */
const optionalRows = classicRows.filter(
  ({ exit, mode, classic }) => classic.isOptional === true && mode !== 'atr' && exit !== 'range',
);

/** Whether the form has a field for the value: one within its slider, or 0 where it has no slider. */
const isInForm =
  (params: SavedRun['params']) =>
  (row: ClassicParameterRow): boolean => {
    const value = sentNumber(params, row);
    const rule = formRows.find(({ row: each }) => each.name === row.name)?.rule;
    return rule === undefined ? value === 0 : (rule.unit === '%' ? fractionToPercent(value) : value) <= rule.max;
  };

/** Live rules while the scanner has the tuning of the run; otherwise its votes, or its own rules, under the name of the run. */
export async function rulesOfSaved(name: string, strategy: Strategy): Promise<ChosenRules> {
  const named = chosenOf(name, strategy);
  if (named.kind === 'own') return named;
  const stored = structuredClone(snapshot(draft).live);
  const settings = settingsOfRun(strategy, { opened: null, tuning: await accountTuning(), stored });
  return settings.own === null ? { kind: 'live', settings } : named;
}

/** Puts a saved setup into the form. */
export function restoreSetup(setup: Setup, { loaded, csv }: Restored): void {
  // A setup from before order size mattered has no liquidity settings.
  const stored = { ...withoutLiquidity, ...withoutUndefined(setup.costs) };
  const costs = Object.keys(startCosts()).map((key) => [key, stored[key as keyof typeof stored]]);
  Object.assign(draft.costs, Object.fromEntries(costs));
  const { rulesOf, liquidationModel } = costsIn(setup);
  draft.costs.leverage = rulesOf?.leverageAsked ?? draft.costs.leverage;
  draft.feeVenue = rulesOf?.exchange ?? liquidationModel ?? 'binance';
  draft.source = loaded.source;
  if (csv !== null) {
    const contract = contractOfCosts(costsIn(setup));
    runState.fileContract = contract === undefined ? null : ref(contract);
    runState.csv = ref({ fileName: csv.fileName, parsed: csv.parsed });
    draft.csvScored = setup.scored === setup.loaded ? 'all' : 'window';
    return;
  }
  draft.fineData = setup.fineData === true;
  draft.symbol = loaded.label;
  draft.interval = intervals.find((name) => name === loaded.interval) ?? draft.interval;
  draft.window = loaded.scoredFromMs === undefined ? 'count' : 'range';
  if (loaded.scoredFromMs !== undefined) draft.range = daysOf(loaded.scoredFromMs, setup.end_time);
  draft.historyCount = loaded.scoredFromMs === undefined ? countOf(historyOf(setup)) : LAB_LOADED;
}
