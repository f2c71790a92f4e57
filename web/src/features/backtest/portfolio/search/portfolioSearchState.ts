import {
  PORTFOLIO_SAMPLES,
  type PortfolioRange,
  type PortfolioRangeName,
  portfolioRangeNames,
  portfolioRangeRules,
  type PortfolioRanges,
  type PortfolioTarget,
} from '@sextant/workers/src/protocol/portfolioSearch.ts';
import { proxy, ref, snapshot } from 'valtio';
import { api, dataOf } from '../../../../api/client.ts';
import { messageOf, WordedError } from '../../../../api/failure.ts';
import type { PortfolioSearch, PortfolioSearchBody, Preferences, Strategies } from '../../../../api/types.ts';
import { waitForExchange } from '../../../../data/exchangeWait.ts';
import { followPortfolioSearch } from '../../../../data/portfolioSearch.ts';
import { createLatestTask } from '../../../../state/latestTask.ts';
import { onUserReset } from '../../../../state/userReset.ts';
import {
  bodyOf,
  isOfOwnRules,
  portfolioDraft,
  type PortfolioDraft,
  rangedParameters,
  shownLimits,
} from '../portfolioState.ts';

/** The search of the page Portfolio: which sets it draws, and its last result. The server runs it. */

export const portfolioModes = ['run', 'search'] as const;

export interface PortfolioSearchForm {
  mode: (typeof portfolioModes)[number];
  samples: number;
  seed: number;
  target: PortfolioTarget;
  ranges: Record<PortfolioRangeName, PortfolioRange & { isOn: boolean }>;
}

/** What a search varied. */
type SearchedRules = Pick<PortfolioDraft, 'strategy' | 'set'>;

interface PortfolioSearchState {
  status: 'idle' | 'running';
  error: { text: string; failure: unknown } | null;
  /** The last search and the request it belongs to. */
  search: { result: PortfolioSearch; body: string; from: SearchedRules } | null;
}

const startForm = (): PortfolioSearchForm => ({
  mode: 'run',
  samples: PORTFOLIO_SAMPLES.default,
  seed: 1,
  target: 'pnl',
  ranges: Object.fromEntries(
    portfolioRangeNames.map((name) => [name, { ...portfolioRangeRules[name].proposed, isOn: name !== 'openingsMax' }]),
  ) as PortfolioSearchForm['ranges'],
});
const startState = (): PortfolioSearchState => ({ status: 'idle', error: null, search: null });

export const portfolioSearchForm = proxy<PortfolioSearchForm>(startForm());
export const portfolioSearch = proxy<PortfolioSearchState>(startState());
const task = createLatestTask();
onUserReset(() => {
  Object.assign(portfolioSearchForm, startForm());
  Object.assign(portfolioSearch, startState());
});

/** Ranges that the form has: own rules have only slots here, and the others in their text. */
export const namesFor = (isOwn: boolean): PortfolioRangeName[] =>
  portfolioRangeNames.filter((name) => !isOwn || !portfolioRangeRules[name].isOfVotes);

/** What the rules to search have: whether they are own rules, and how many parameters have a range in their text. */
interface Searchable {
  isOwn: boolean;
  rangedCount: number;
}

export const searchableOf = (strategy: string, saved: Strategies | undefined): Searchable => ({
  isOwn: isOfOwnRules(strategy, saved),
  rangedCount: rangedParameters(strategy, saved).length,
});

/** The chosen ranges, or what is wrong with them. */
export function rangesOf(
  form: Readonly<Pick<PortfolioSearchForm, 'ranges'>>,
  { isOwn, rangedCount }: Searchable,
): { ranges: PortfolioRanges } | { error: string } {
  const chosen = namesFor(isOwn).filter((name) => form.ranges[name].isOn);
  if (chosen.length === 0 && rangedCount === 0) return { error: 'Select a parameter to search.' };
  const wrong = chosen.find((name) => form.ranges[name].min > form.ranges[name].max);
  if (wrong !== undefined) return { error: 'Set From to at most To.' };
  const pairs = chosen.map((name): [PortfolioRangeName, PortfolioRange] => {
    const { min, max } = form.ranges[name];
    const { step } = portfolioRangeRules[name];
    return [name, { min: onGrid(min, step), max: onGrid(max, step) }];
  });
  return { ranges: Object.fromEntries(pairs) };
}

/** A typed value on the grid of its parameter. */
const onGrid = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

/** @throws WordedError for symbols or ranges that cannot be read */
export function searchBodyOf(
  draft: Readonly<PortfolioDraft>,
  form: Readonly<PortfolioSearchForm>,
  saved: Strategies | undefined,
): Omit<PortfolioSearchBody, 'progressId'> {
  const read = rangesOf(form, searchableOf(draft.strategy, saved));
  if ('error' in read) throw new WordedError(read.error);
  const { samples, seed, target } = form;
  return { run: bodyOf(draft, saved), ranges: read.ranges, samples, seed, target };
}

/** Whether the result on screen is that of the form. */
export function isSearchOfForm(
  body: string,
  draft: Readonly<PortfolioDraft>,
  form: Readonly<PortfolioSearchForm>,
  saved: Strategies | undefined,
): boolean {
  try {
    return JSON.stringify(searchBodyOf(draft, form, saved)) === body;
  } catch {
    return false;
  }
}

/** Searches with the form. A newer call replaces a running one. */
export async function runPortfolioSearch(saved: Strategies | undefined): Promise<void> {
  Object.assign(portfolioSearch, { status: 'running', error: null });
  await task.run({
    work: async (signal) => {
      const draft = snapshot(portfolioDraft);
      const body = searchBodyOf(draft, snapshot(portfolioSearchForm), saved);
      const progressId = crypto.randomUUID();
      followPortfolioSearch(progressId);
      const send = () => dataOf(api.POST('/api/backtest/portfolio/search', { body: { ...body, progressId }, signal }));
      const from = structuredClone({ strategy: draft.strategy, set: draft.set });
      return { result: await waitForExchange(send, signal), body: JSON.stringify(body), from };
    },
    onDone: (search) => {
      Object.assign(portfolioSearch, { status: 'idle', search: ref(search) });
    },
    onFailed: (failure) => {
      const text = messageOf(failure, 'The search failed. Try again.');
      Object.assign(portfolioSearch, { status: 'idle', error: ref({ text, failure }) });
    },
  });
}

/** Closing the request stops the server too. */
export function stopPortfolioSearch(): void {
  task.cancel();
  portfolioSearch.status = 'idle';
}

/**
 * Puts a set into the form and shows its Run button.
 * @param from what the search varied: the form may have other rules by now
 * @param preferences of the user, for the limits that the set leaves alone
 */
export function applySet(
  { set, limits }: Pick<PortfolioSearch['own'], 'set' | 'limits'>,
  from: Readonly<SearchedRules>,
  preferences: Preferences | null,
): void {
  const shown = shownLimits(portfolioDraft.limits, preferences);
  if (Object.keys(limits).length > 0 && shown !== null) portfolioDraft.limits = { ...shown, ...limits };
  portfolioDraft.strategy = from.strategy;
  portfolioDraft.set = Object.keys(set).length > 0 ? { ...from.set, ...structuredClone(set) } : from.set;
  portfolioSearchForm.mode = 'run';
}
