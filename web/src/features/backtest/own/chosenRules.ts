import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { snapshot } from 'valtio';
import { type Draft, draft } from '../backtestState.ts';
import { type LiveSettings, type OpenedRules, settingsOf } from '../live/liveSettings.ts';
import type { OwnRules } from './ownRules.ts';

/** The rules that a run has in place of the parameters of Classic. */
export type ChosenRules = { kind: 'live'; settings: LiveSettings } | { kind: 'own'; own: OwnRules };

/** The rules of the form as plain data; null for Classic. */
export function chosenRules(): ChosenRules | null {
  const { strategy, live, rules } = snapshot(draft) as Draft;
  if (strategy === 'live') return { kind: 'live', settings: structuredClone(live) };
  return strategy === 'own' ? { kind: 'own', own: structuredClone(rules) } : null;
}

/** Puts rules into the form; null: Classic with the parameters that are there. */
export function chooseRules(chosen: ChosenRules | null): void {
  draft.strategy = chosen?.kind ?? 'classic';
  if (chosen?.kind === 'live') Object.assign(draft.live, chosen.settings);
  if (chosen?.kind === 'own') Object.assign(draft.rules, chosen.own);
}

/** Name and version of the rules that were opened; undefined for those of the scanner and for a new text. */
export function openedOf(chosen: ChosenRules | null): OpenedRules | undefined {
  const opened = chosen?.kind === 'live' ? chosen.settings.own : chosen?.own.opened;
  return opened ? { name: opened.name, version: opened.version } : undefined;
}

/** A saved strategy as the form shows it. */
export function chosenOf(name: string, strategy: Strategy): ChosenRules {
  if (!isOwnRules(strategy)) return { kind: 'live', settings: settingsOf(name, strategy) };
  return { kind: 'own', own: { text: strategy.rules, opened: { name, version: strategyVersion(strategy) } } };
}
