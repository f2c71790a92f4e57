import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../../api/client.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { SavedRun } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { draft, historyCounts, LOADED_COUNT, type Run, runState, setupIntervals } from '../backtestState.ts';
import { startCosts } from '../costs.ts';
import { openSavedCsv } from '../csvStore.ts';
import { paramsFromJson } from '../params.ts';
import { loadAndRun } from '../runner.ts';
import { verifyOnServer } from '../verify.ts';

/** Runs that are kept under a name (DATA-019). */
export function useSavedRuns() {
  return useQuery({
    queryKey: queryKeys.backtest.saved,
    queryFn: ({ signal }) => dataOf(api.GET('/api/backtest/saved', { signal })),
    select: (answer) => answer.runs,
  });
}

/** Keeps a run: the server computes it itself, so what is kept is never only this browser's word. */
export function useSaveRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ run, name }: { run: Run; name: string }) => {
      const { isEqual, rows } = await verifyOnServer(run, name);
      const different = rows.filter((row) => !row.isEqual).map((row) => row.name);
      return { isEqual, different };
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.backtest.saved }),
        client.invalidateQueries({ queryKey: queryKeys.backtest.last }),
      ]),
  });
}

export function useForgetRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE('/api/backtest/saved/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.backtest.saved }),
  });
}

/** Brings parameters, costs and candles of a kept run back and runs it; BT-012's message when it is there. */
export async function openSavedRun(saved: SavedRun): Promise<void> {
  const { setup, params } = saved;
  Object.assign(draft.params, paramsFromJson(params));
  const costs = Object.keys(startCosts()).map((key) => [key, setup.costs[key as keyof typeof setup.costs]]);
  Object.assign(draft.costs, Object.fromEntries(costs));
  draft.csvScored = setup.scored === setup.loaded ? 'all' : 'window';
  const isOpen = saved.symbol === 'CSV' ? await openFile(saved) : await openMarket(saved);
  if (!isOpen) return;
  const isSame = runState.run?.result.hashes.result === saved.hashes.result;
  toast(
    isSame ? 'Backtest restored' : 'Backtest restored, but its result differs from the kept one',
    isSame ? 'success' : 'error',
  );
}

async function openFile({ hashes, setup }: SavedRun): Promise<boolean> {
  if (await openSavedCsv(hashes.data)) return true;
  toast(`Drop ${setup.label ?? 'the file'} again to see its result; parameters and costs are restored`);
  return false;
}

async function openMarket({ symbol, interval, setup }: SavedRun): Promise<boolean> {
  const known = setupIntervals.find((name) => name === interval);
  if (known === undefined) return false;
  Object.assign(draft, { source: 'exchange', symbol, interval: known });
  draft.historyCount = historyCounts.find((count) => count >= setup.loaded) ?? LOADED_COUNT;
  await loadAndRun(setup.end_time);
  return runState.status === 'result';
}
