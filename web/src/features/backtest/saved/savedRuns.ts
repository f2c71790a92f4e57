import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../../api/client.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { SavedRun } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { draft, type Run, runState } from '../backtestState.ts';
import { differenceWords, differentHashes } from '../hashes.ts';
import { paramsFromJson } from '../params.ts';
import { runOn } from '../runner.ts';
import { verifyOnServer } from '../verify.ts';
import { isOfThisForm, NotOpened, restoreCandles, type Restored, restoreSetup } from './restoreSetup.ts';

/** Runs that are kept under a name. */
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
    // Not waited for: without a network the list is tried again for a while, and the button with it.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.backtest.saved });
      void client.invalidateQueries({ queryKey: queryKeys.backtest.last });
    },
  });
}

export function useForgetRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE('/api/backtest/saved/{id}', { params: { path: { id } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.backtest.saved }),
  });
}

/**
 * Brings parameters, costs and candles of a kept run back and runs it; the `Backtest restored` message when it is there. Until its candles are
 * there nothing else changes; it can be cancelled like any run.
 * @throws NotOpened when this page cannot show it, ApiFailure when its candles cannot be had
 */
export async function openSavedRun(saved: SavedRun): Promise<void> {
  const { setup, params, hashes, interval } = saved;
  if (!isOfThisForm(saved)) throw new NotOpened('it was made through the API with rules this page does not support');
  let restored: Restored | undefined;
  const hasRun = await runOn(
    async (loading) => {
      restored = await restoreCandles(interval, setup, hashes.data, loading);
      return restored.loaded;
    },
    () => {
      Object.assign(draft.params, paramsFromJson(params));
      if (restored !== undefined) restoreSetup(setup, restored);
    },
  );
  const { run, loaded, status } = runState;
  if (!hasRun || status !== 'result' || run === null || loaded !== restored?.loaded) return;
  const different = differentHashes(run.result.hashes, hashes);
  if (!different.includes('result')) toast('Backtest restored', 'success');
  else toast(`Backtest restored, but not with the kept result: ${differenceWords[different[0] ?? 'result']}`, 'error');
}
