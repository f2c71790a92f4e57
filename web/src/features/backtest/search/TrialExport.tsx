import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { toast } from '../../../state/toasts.ts';
import { downloadBlob } from '../../../ui/download.ts';
import { fileNameOf } from '../results/ExportButtons.tsx';
import { trialsCsv, trialsJson } from './exportTrials.ts';
import type { SearchRun } from './searchState.ts';

const kinds = [
  { name: 'Sets CSV', ending: 'csv', write: trialsCsv },
  { name: 'Sets JSON', ending: 'json', write: trialsJson },
] as const;

/** Every set of the search as a file, with its figures and its parameters in full. */
export function TrialExport({ run }: { run: SearchRun }) {
  const [writing, setWriting] = useState<string | null>(null);
  const save = async ({ ending, write }: (typeof kinds)[number]) => {
    setWriting(ending);
    try {
      downloadBlob(`${fileNameOf(run)}-seed-${run.result.seed}-sets.${ending}`, await write(run));
    } catch (failure) {
      toast(messageOf(failure, 'The file could not be written'), 'error');
    } finally {
      setWriting(null);
    }
  };
  return (
    <span className="flex gap-1">
      {kinds.map((kind) => (
        <button
          key={kind.ending}
          type="button"
          className="btn btn-ghost btn-small"
          disabled={writing !== null}
          onClick={() => void save(kind)}
        >
          <FileDown size={14} aria-hidden="true" /> {writing === kind.ending ? 'Writing…' : kind.name}
        </button>
      ))}
    </span>
  );
}
