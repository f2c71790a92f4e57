import { useMutation } from '@tanstack/react-query';
import { Check, ShieldCheck, X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { formatMany } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { type Run, runState, useSettling } from '../backtestState.ts';
import { differentHashes, hashNames, UnexpectedResponse, type Verification } from '../hashes.ts';
import { isBusy } from '../run/phase.ts';
import { newestRun } from '../runner.ts';
import { type CandleRevision, verifyOnServer } from '../verify.ts';
import { revisionText } from './revisionText.ts';

const names = { engine: 'Engine file', data: 'Candles', params: 'Parameters', result: 'Result' };
const short = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-8)}`;

/** The hashes of this run, and on request those of the server's repetition. */
export function VerifyPanel({ run }: { run: Run }) {
  // The next run, with these minutes, is the one to verify.
  const isSettling = useSettling() > 0;
  const isRunning = isBusy(useSnapshot(runState).phase);
  const verify = useMutation({ mutationFn: (requested: Run) => verifyOnServer(requested) });
  // A verification holds for every run with the same hashes, such as a repeated one; any other run is not verified.
  const isCurrent =
    verify.variables !== undefined && differentHashes(verify.variables.result.hashes, run.result.hashes).length === 0;
  const verification = isCurrent ? verify.data : undefined;
  const failure = isCurrent ? verify.error : null;
  const verifyNewest = async (): Promise<void> => {
    const newest = await newestRun();
    // Null when cleared, or the user has signed out, while waiting for the run.
    if (newest !== null) verify.mutate(newest);
  };
  return (
    <Panel
      title="Proof"
      aside={
        <button
          type="button"
          className="btn btn-small"
          disabled={isRunning || isSettling || (verify.isPending && isCurrent)}
          onClick={() => void verifyNewest()}
        >
          <ShieldCheck size={14} aria-hidden="true" />
          {verify.isPending && isCurrent ? 'Running on the server…' : 'Verify on the server'}
        </button>
      }
      bodyClassName="flex flex-col gap-2 p-3"
    >
      <HashTable run={run} verification={verification} />
      {verification !== undefined && <Verdict verification={verification} />}
      {verification !== undefined && <Revisions revisions={verification.revisions} />}
      {failure !== null && (
        <Notice tone="error">
          {failure instanceof UnexpectedResponse
            ? messageOf(failure, 'Unexpected response format from backtest')
            : `Backtest failed: ${messageOf(failure, 'the server check failed. Try again.')}`}
        </Notice>
      )}
    </Panel>
  );
}

function HashTable({ run, verification }: { run: Run; verification: Verification | undefined }) {
  return (
    <table className="w-full border-collapse text-label">
      <thead>
        <tr className="text-left text-muted">
          <th scope="col" className="pb-1 font-medium">
            SHA-256
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            This browser
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            Server
          </th>
        </tr>
      </thead>
      <tbody>
        {hashNames.map((name) => {
          const server = verification?.rows.find((row) => row.name === name);
          return (
            <tr key={name} className="border-t border-line">
              <td className="py-1.5 pr-2">{names[name]}</td>
              <td
                className="py-1.5 text-right font-mono"
                title={run.result.hashes[name]}
                data-testid={`browser-${name}`}
                data-hash={run.result.hashes[name]}
              >
                {short(run.result.hashes[name])}
              </td>
              <td
                className="py-1.5 pl-2 text-right font-mono"
                title={server?.server}
                data-testid={`server-${name}`}
                data-hash={server?.server}
              >
                {server === undefined ? (
                  <span className="text-muted">not run yet</span>
                ) : (
                  <span className={`inline-flex items-center gap-1 ${server.isEqual ? 'text-up' : 'text-down'}`}>
                    {short(server.server)}
                    {server.isEqual ? <Check size={12} aria-label="equal" /> : <X size={12} aria-label="different" />}
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const SHOWN_MAX = 5;
/** The candles of the run that the exchange changed after their close, in both versions. */
function Revisions({ revisions }: { revisions: readonly CandleRevision[] }) {
  if (revisions.length === 0) return null;
  return (
    <div className="text-label">
      <p>The exchange revised {formatMany(revisions.length, 'candle')} of this run later:</p>
      <ul className="text-muted" data-testid="candle-revisions">
        {revisions.slice(0, SHOWN_MAX).map((each) => (
          <li key={each.at}>
            {formatUtc(each.at)}: {revisionText(each)}
          </li>
        ))}
      </ul>
      {revisions.length > SHOWN_MAX && <p className="text-muted">Older ones are in the proof file.</p>}
    </div>
  );
}

function Verdict({ verification }: { verification: Verification }) {
  const different = verification.rows.filter((row) => !row.isEqual).map((row) => names[row.name].toLowerCase());
  const { isEqual, problem } = verification;
  return (
    <p role="status" className={`font-medium ${isEqual ? 'text-up' : 'text-down'}`}>
      {isEqual
        ? 'Verified: the server got the same result, bit for bit.'
        : `Different: ${different.join(', ')}. ${problem === null ? 'Do not rely on this result.' : `${problem} Run again, then verify again.`}`}
    </p>
  );
}
