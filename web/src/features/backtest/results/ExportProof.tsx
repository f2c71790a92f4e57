import type { BacktestHashes } from '@sextant/workers/src/protocol/backtest.ts';
import { useMutation } from '@tanstack/react-query';
import { FileLock2 } from 'lucide-react';
import { api, dataOf } from '../../../api/client.ts';
import { patientHeaders, waitForExchange } from '../../../data/exchangeWait.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { downloadText } from '../../../ui/download.ts';
import { type Run, useSettling } from '../backtestState.ts';
import { differenceWords, differentHashes } from '../hashes.ts';
import { runBodyOf } from '../verify.ts';

/**
 * Runs the same candles, rules and costs on the server, which signs its result. The text is the file, byte for byte.
 * @returns `different`: hashes in which the server's run is not the one on screen
 * @throws ApiFailure when the server rejects it
 */
export async function fetchProof(run: Run): Promise<{ text: string; different: (keyof BacktestHashes)[] }> {
  const body = runBodyOf(run);
  const text = await waitForExchange(() =>
    dataOf<string>(api.POST('/api/backtest/proof', { body, headers: patientHeaders, parseAs: 'text' })),
  );
  const { hashes } = (JSON.parse(text) as { result: { hashes: BacktestHashes } }).result;
  return { text, different: differentHashes(run.result.hashes, hashes) };
}

/** Downloads the run as a signed file that the stand-alone verifier checks offline. */
export function ExportProof({ run, name }: { run: Run; name: string }) {
  // The run with the minutes that are loading is the one to export.
  const isSettling = useSettling() > 0;
  const proof = useMutation({
    mutationFn: () => fetchProof(run),
    onSuccess({ text, different: [first] }) {
      downloadText(`${name}-proof.json`, text, 'application/json');
      if (first !== undefined) toast(`The proof holds the server's run: ${differenceWords[first]}.`, 'error');
    },
    onError: (failure) => toastFailure('The proof was not made', failure),
  });
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      disabled={isSettling || proof.isPending}
      title="Signed by this server; anyone can verify it offline"
      onClick={() => proof.mutate()}
    >
      <FileLock2 size={14} aria-hidden="true" className="max-md:hidden" />
      {proof.isPending ? (
        'Signing…'
      ) : (
        <>
          <span className="max-md:sr-only">Export proof</span>
          {/* A narrow screen has room for one word. */}
          <span aria-hidden="true" className="md:hidden">
            Proof
          </span>
        </>
      )}
    </button>
  );
}
