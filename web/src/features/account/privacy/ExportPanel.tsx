import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { fetchExport } from '../../../api/account.ts';
import { toast } from '../../../state/toasts.ts';
import { downloadText } from '../../../ui/download.ts';
import { Panel } from '../../../ui/Panel.tsx';

export function ExportPanel() {
  const exporting = useMutation({
    mutationFn: fetchExport,
    onSuccess: ({ text }) => {
      downloadText(`sextant-export-${new Date().toISOString().slice(0, 10)}.json`, text, 'application/json');
      toast('Data exported successfully!', 'success');
    },
    onError: () => toast('Failed to export data', 'error'),
  });
  const files = exporting.data?.files ?? [];
  return (
    <Panel title="Export" bodyClassName="flex flex-col items-start gap-3 p-3">
      <p className="text-muted">
        All data stored about you, as one JSON file. Password hashes, tokens and keys are excluded and listed by name.
      </p>
      <button type="button" className="btn" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download size={14} aria-hidden="true" /> {exporting.isPending ? 'Collecting…' : 'Export my data'}
      </button>
      {exporting.isSuccess && (
        <div>
          <p className="text-label text-muted">
            {files.length === 0 ? 'You have no stored files.' : 'Your files, one download each:'}
          </p>
          <ul>
            {files.map(({ path, url }) => (
              <li key={path}>
                <a href={url} download className="text-accent underline underline-offset-2">
                  {path.split('/').at(-1)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}
