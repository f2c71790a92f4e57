import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { isSymbol, toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { limitsOfAuto } from '@sextant/workers/src/signals/autoLimits.ts';
import type { PortfolioLimits } from '@sextant/workers/src/protocol/portfolio.ts';
import { isValueOf, type RuleParameter } from '@sextant/workers/src/rules/checked.ts';
import {
  hasOtherExits as isWithOtherExits,
  searchedParameters,
} from '@sextant/workers/src/tasks/portfolio/setStrategy.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { LIVE_RULES } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { proxy, ref, snapshot } from 'valtio';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf, WordedError } from '../../../api/failure.ts';
import type { PortfolioRun, PortfolioRunBody, Preferences, Strategies } from '../../../api/types.ts';
import { waitForExchange } from '../../../data/exchangeWait.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** The form of the page Portfolio, and its last run. The server loads the candles and runs. */

export const symbolSources = ['universe', 'named'] as const;
/** What Auto trades, or the built-in rules of the interval; otherwise the id of saved rules. */
export const AUTO = 'auto';
export const LIVE = 'live';

type Limits = Required<Omit<PortfolioLimits, 'skipsStopBeyondLiquidation'>>;

export interface PortfolioDraft {
  source: (typeof symbolSources)[number];
  /** As typed: names between commas or blanks. */
  symbols: string;
  interval: IntervalName;
  limit: number;
  strategy: string;
  /** null: those of the Auto settings. */
  limits: Limits | null;
  /** Threshold and levels of a searched set, or its values of own rules, in place of those of the strategy; null: its own. */
  set: PortfolioLevels | null;
}

export type PortfolioLevels = NonNullable<PortfolioRunBody['set']>;

interface PortfolioState {
  status: 'idle' | 'running';
  error: { text: string; failure: unknown } | null;
  /** The last run and the request it belongs to. */
  run: { result: PortfolioRun; body: string } | null;
}

const startDraft = (): PortfolioDraft => ({
  source: 'universe',
  symbols: '',
  interval: '1h',
  limit: LAB_LOADED,
  strategy: AUTO,
  limits: null,
  set: null,
});
/** Other rules have other levels: those of a searched set go with its strategy. */
export function chooseStrategy(strategy: string): void {
  Object.assign(portfolioDraft, { strategy, set: null });
}

const startState = (): PortfolioState => ({ status: 'idle', error: null, run: null });

export const portfolioDraft = proxy<PortfolioDraft>(startDraft());
export const portfolioState = proxy<PortfolioState>(startState());
const task = createLatestTask();
onUserReset(() => {
  Object.assign(portfolioDraft, startDraft());
  Object.assign(portfolioState, startState());
});

/** Typed symbols, each once and in upper case, or what is wrong with them. */
export function readSymbols(text: string): { symbols: string[] } | { error: string } {
  const symbols = [...new Set(toSymbolCase(text).split(/[\s,;]+/))].filter((name) => name !== '');
  const wrong = symbols.find((name) => !isSymbol(name));
  if (symbols.length === 0) return { error: 'Enter a symbol, e.g. BTCUSDT' };
  if (wrong !== undefined) return { error: `${wrong} is no symbol` };
  return symbols.length > PORTFOLIO_SYMBOLS_MAX
    ? { error: `${symbols.length} symbols, at most ${PORTFOLIO_SYMBOLS_MAX}` }
    : { symbols };
}

/** Limits in the form: as typed, else those of the settings. */
export function shownLimits(limits: Readonly<Limits> | null, preferences: Preferences | null): Limits | null {
  if (limits !== null) return { ...limits };
  if (preferences === null) return null;
  const { skipsStopBeyondLiquidation: _always, ...shown } = limitsOfAuto(preferences);
  return shown;
}

/** The interval that decides: that of saved rules, or the one of the form. */
export function fixedInterval(strategy: string, saved: Strategies | undefined): IntervalName | null {
  return chosenOf(strategy, saved)?.value.intervals[0]?.interval ?? null;
}

function chosenOf(strategy: string, saved: Strategies | undefined) {
  const list = saved?.strategies ?? [];
  return strategy === AUTO ? list.find(({ is_used: isUsed }) => isUsed) : list.find(({ id }) => id === strategy);
}

/** Whether the chosen rules are own rules, whose exits stand in their text. */
export const isOfOwnRules = (strategy: string, saved: Strategies | undefined): boolean =>
  chosenOf(strategy, saved)?.value.rules !== undefined;

/** Parameters of the chosen own rules that a search varies: those with a range in the text. */
export function rangedParameters(strategy: string, saved: Strategies | undefined): RuleParameter[] {
  const value = chosenOf(strategy, saved)?.value;
  return value === undefined ? [] : searchedParameters(value);
}

/** Whether the chosen own rules have ranges that no search varies: their exits are not those of the text. */
export function hasOtherExits(strategy: string, saved: Strategies | undefined): boolean {
  const value = chosenOf(strategy, saved)?.value;
  return value !== undefined && isWithOtherExits(value);
}

/** @throws WordedError for symbols that cannot be read */
export function bodyOf(draft: Readonly<PortfolioDraft>, saved: Strategies | undefined): PortfolioRunBody {
  const { source, symbols: text, interval, limit, strategy, limits } = draft;
  const named = source === 'named' ? readSymbols(text) : undefined;
  if (named !== undefined && 'error' in named) throw new WordedError(named.error);
  const own = (saved?.strategies ?? []).find(({ id }) => id === strategy);
  const decider =
    strategy === LIVE
      ? { interval, strategy: liveRules([interval]) }
      : own !== undefined
        ? { strategy: own.value }
        : fixedInterval(AUTO, saved) === null
          ? { interval }
          : {};
  const body: PortfolioRunBody = {
    ...(named === undefined ? {} : named),
    ...decider,
    ...(limits === null ? {} : { limits: { ...limits } }),
    limit,
    asAuto: true,
  };
  const sent = setOfForm(draft, saved);
  if (sent !== null) body.set = sent;
  return body;
}

/**
 * The set as it is sent: what Auto trades may have become own rules since, which have values in place of levels, or votes. Values that the
 * rules do not search are left out. Null: none is sent.
 */
export function setOfForm(
  { set, strategy }: Readonly<Pick<PortfolioDraft, 'set' | 'strategy'>>,
  saved: Strategies | undefined,
): PortfolioLevels | null {
  if (set === null) return null;
  const { values = {}, ...levels } = set;
  if (!isOfOwnRules(strategy, saved)) return Object.keys(levels).length === 0 ? null : { ...levels };
  const fitting = rangedParameters(strategy, saved).flatMap((parameter): [string, number][] => {
    const value = values[parameter.name];
    return value !== undefined && isValueOf(parameter, value) ? [[parameter.name, value]] : [];
  });
  return fitting.length === 0 ? null : { values: Object.fromEntries(fitting) };
}

/** Whether the run on screen is that of the form. */
export function isOfForm(body: string, draft: Readonly<PortfolioDraft>, saved: Strategies | undefined): boolean {
  try {
    return JSON.stringify(bodyOf(draft, saved)) === body;
  } catch {
    return false;
  }
}

/** `Live rules`, or the name of saved rules. */
export const autoName = (saved: Strategies | undefined): string => saved?.used.name ?? LIVE_RULES;

/** Runs the form. A newer call replaces a running one. */
export async function runPortfolio(saved: Strategies | undefined): Promise<void> {
  Object.assign(portfolioState, { status: 'running', error: null });
  await task.run({
    work: async (signal) => {
      const body = bodyOf(snapshot(portfolioDraft), saved);
      const send = () => dataOf(api.POST('/api/backtest/portfolio', { body, signal }));
      return { result: await waitForExchange(send, signal), body: JSON.stringify(body) };
    },
    onDone: (run) => {
      Object.assign(portfolioState, { status: 'idle', run: ref(run) });
    },
    onFailed: (failure) => {
      const text = messageOf(failure, 'The portfolio run failed. Try again.');
      Object.assign(portfolioState, { status: 'idle', error: ref({ text, failure }) });
    },
  });
}

export function cancelPortfolio(): void {
  task.cancel();
  portfolioState.status = 'idle';
}
