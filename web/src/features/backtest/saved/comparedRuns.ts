import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { proxy } from 'valtio';
import { api, dataOf } from '../../../api/client.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { SavedRun } from '../../../api/types.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { Run } from '../backtestState.ts';
import { differenceWords } from '../hashes.ts';
import { verifyOnServer } from '../verify.ts';
import { savedRuns } from './openSavedRun.ts';
import { type PinnedPortfolio, pinPortfolio, unpinPortfolio } from './pinnedPortfolios.ts';

/** Runs saved under a name, and those of them that stand side by side. */

export const COMPARED_MAX = 4;
const KEY = 'lab.compared';

function readIds(): string[] {
  try {
    const stored = JSON.parse(readSaved(KEY) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(-COMPARED_MAX) : [];
  } catch {
    return [];
  }
}

/** Ids of the compared runs, in the order in which they were added; this browser remembers them. */
export const compared = proxy<{ ids: string[] }>({ ids: readIds() });
onUserReset(() => {
  compared.ids = [];
  save(KEY, null);
});

function put(ids: string[]): void {
  compared.ids = ids;
  save(KEY, JSON.stringify(ids));
}

/** Adds a run; a fifth takes the slot of the first. */
export const compareRun = (id: string): void =>
  put([...compared.ids.filter((each) => each !== id), id].slice(-COMPARED_MAX));
export function dropCompared(id: string): void {
  put(compared.ids.filter((each) => each !== id));
  unpinPortfolio(id);
}

/** Puts a portfolio run beside the others. */
export function comparePortfolio(run: PinnedPortfolio): void {
  pinPortfolio(run);
  compareRun(run.id);
}

/** The compared runs that still exist: one may have been deleted meanwhile, here or in another window. */
export const comparedOf = <R extends { id: string }>(runs: readonly R[], ids: readonly string[]): R[] =>
  ids.map((id) => runs.find((each) => each.id === id)).filter((each) => each !== undefined);

/** A free name such as `BTCUSDT 1h, Classic 2`. @param names of the saved runs */
export function freeName(market: string, strategy: string, names: readonly string[]): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`;
    const name = `${`${market}, ${strategy}`.slice(0, SAVED_NAME_MAX - end.length)}${end}`;
    if (!names.includes(name)) return name;
  }
}

/** The saved run with the same result on the same candles, parameters and engine. */
export const sameRun = (runs: readonly SavedRun[], { result: { hashes } }: Pick<Run, 'result'>): SavedRun | undefined =>
  runs.find((each) =>
    (['engine', 'data', 'params', 'result'] as const).every((name) => each.hashes[name] === hashes[name]),
  );

export function useSavedRuns() {
  return useQuery({ ...savedRuns, select: (response) => response.runs });
}

/** Saves a run. The server computes it again, so a saved run never rests on this browser alone. */
export function useSaveRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ run, name }: { run: Run; name: string }) => {
      const { isEqual, rows, id } = await verifyOnServer(run, name);
      const different = rows.filter((row) => !row.isEqual).map((row) => differenceWords[row.name]);
      return { isEqual, different, id };
    },
    // Not waited for: without a network the list is tried again for a while, and the button with it.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.backtest.saved });
      void client.invalidateQueries({ queryKey: queryKeys.backtest.last });
    },
  });
}

export function useRenameRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      dataOf(api.PATCH('/api/backtest/saved/{id}', { params: { path: { id } }, body: { name } })),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.backtest.saved }),
  });
}

export function useForgetRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE('/api/backtest/saved/{id}', { params: { path: { id } } })),
    onSuccess: (_runs, id) => dropCompared(id),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.backtest.saved }),
  });
}
