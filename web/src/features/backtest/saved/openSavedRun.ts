import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribe, useSnapshot } from 'valtio';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { SavedRun } from '../../../api/types.ts';
import { navigation, setOpened } from '../../../state/navigation.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draft, type Run, runState } from '../backtestState.ts';
import { differenceWords, differentHashes } from '../hashes.ts';
import { chooseRules } from '../own/chosenRules.ts';
import { paramsFromJson } from '../params.ts';
import { runOn } from '../runner.ts';
import { isOfThisForm, NotOpened, restoreCandles, type Restored, restoreSetup, rulesOfSaved } from './restoreSetup.ts';

/** Runs saved under a name. */
export const savedRuns = queryOptions({
  queryKey: queryKeys.backtest.saved,
  queryFn: ({ signal }) => dataOf(api.GET('/api/backtest/saved', { signal })),
});

/** The saved run on screen: its id, and what identifies it. The same run settles with minute candles. */
let shown: { id: string; loaded: Run['loaded']; params: string } | null = null;
onUserReset(() => {
  shown = null;
});

const isShown = (run: Run | null): boolean =>
  shown !== null && run !== null && run.loaded === shown.loaded && run.result.hashes.params === shown.params;

/**
 * Restores parameters, costs and candles of a saved run and runs it; then shows `Backtest restored`. Nothing changes until its candles are
 * loaded; it can be cancelled like any run.
 * @throws NotOpened when this page cannot show it, ApiFailure when its candles cannot be loaded
 */
async function openSavedRun(saved: SavedRun): Promise<void> {
  const { setup, params, strategy, hashes, interval } = saved;
  if (!isOfThisForm(saved)) throw new NotOpened('it uses API rules this page does not support');
  const rules = strategy === null ? null : await rulesOfSaved(saved.name, strategy);
  let restored: Restored | undefined;
  const hasRun = await runOn(
    async (loading) => {
      restored = await restoreCandles(interval, setup, hashes.data, loading);
      return restored.loaded;
    },
    () => {
      chooseRules(rules);
      if (rules === null) Object.assign(draft.params, paramsFromJson(params));
      if (restored !== undefined) restoreSetup(setup, restored);
    },
  );
  const { run, loaded, phase } = runState;
  if (!hasRun || phase.name !== 'result' || run === null || loaded !== restored?.loaded) return;
  shown = { id: saved.id, loaded: run.loaded, params: run.result.hashes.params };
  setOpened('run', saved.id);
  const different = differentHashes(run.result.hashes, hashes);
  if (!different.includes('result')) toast('Backtest restored', 'success');
  else toast(`Backtest restored with a different result: ${differenceWords[different[0] ?? 'result']}`, 'error');
}

/** Opens a saved run and reports a failure. */
export async function openReported(saved: SavedRun): Promise<void> {
  try {
    await openSavedRun(saved);
  } catch (failure) {
    toast(`${saved.name} was not opened: ${messageOf(failure, 'its candles did not load')}`, 'error');
  }
}

async function openById(client: QueryClient, id: string): Promise<void> {
  try {
    const { runs } = await client.query(savedRuns);
    const saved = runs.find((each) => each.id === id);
    if (navigation.opened.run !== id) return;
    if (saved !== undefined) {
      await openReported(saved);
      return;
    }
    setOpened('run', null);
    toast('This saved run was deleted or belongs to another account.', 'error');
  } catch (failure) {
    toastRejection(messageOf(failure, 'The saved runs did not load.'), failure);
  }
}

/** Opens the saved run that the address names. Another run on screen removes it from the address. */
export function useRunOfAddress(): void {
  const client = useQueryClient();
  const id = useSnapshot(navigation).opened.run;
  useEffect(() => {
    if (id !== null && !(shown?.id === id && isShown(runState.run))) void openById(client, id);
  }, [client, id]);
  useEffect(
    () =>
      subscribe(runState, () => {
        if (shown !== null && shown.id === navigation.opened.run && runState.run !== null && !isShown(runState.run))
          setOpened('run', null);
      }),
    [],
  );
}
