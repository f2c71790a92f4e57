import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ref } from 'valtio';
import { api, dataOf } from '../../../api/client.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { SavedRun } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { draft, type Run, runState } from '../backtestState.ts';
import { paramsFromJson } from '../params.ts';
import { rerun } from '../runner.ts';
import { verifyOnServer } from '../verify.ts';
import { restoreCandles, restoreSetup } from './restoreSetup.ts';

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
  const { setup, params, hashes } = saved;
  const restored = await restoreCandles(saved.interval, setup, hashes.data);
  if (restored === null) {
    toast(`Drop ${setup.label ?? 'the file'} again to see this run`);
    return;
  }
  Object.assign(draft.params, paramsFromJson(params));
  restoreSetup(setup, restored);
  runState.loaded = ref(restored.loaded);
  await rerun();
  if (runState.status !== 'result') return;
  const isSame = runState.run?.result.hashes.result === hashes.result;
  toast(
    isSame ? 'Backtest restored' : 'Backtest restored, but its result differs from the kept one',
    isSame ? 'success' : 'error',
  );
}
