import { Popover } from '@base-ui/react/popover';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { messageOf } from '../api/failure.ts';
import type { ChartLayouts } from '../api/types.ts';
import { changeLayout, deleteLayout, saveLayout, useChartLayouts, useLayoutChange } from '../data/chartLayouts.ts';
import { formatMany } from '../format/number.ts';
import { toast } from '../state/toasts.ts';
import { ErrorState } from '../ui/Panel.tsx';
import { applyLayout, currentLayout } from './marketLayout.ts';

type Layout = ChartLayouts['layouts'][number];

/** Saved arrangements of the market's charts: symbols, intervals, scales, indicators and panes. */
export function LayoutMenu() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="btn btn-ghost btn-small">
        Layouts <ChevronDown size={14} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-40">
          <Popover.Popup
            aria-label="Layouts"
            className="popup flex max-h-[min(440px,70dvh)] w-80 max-w-[calc(100vw-16px)] flex-col gap-1 overflow-y-auto p-2 outline-none"
          >
            <LayoutList onDone={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function LayoutList({ onDone }: { onDone: () => void }) {
  const stored = useChartLayouts();
  const [renamed, setRenamed] = useState<string | null>(null);
  const remove = useLayoutChange(deleteLayout, 'Could not delete the layout.');
  const layouts = stored.data?.layouts ?? [];
  const show = ({ name, value }: Layout) => {
    applyLayout(value);
    toast(`Layout ${name} applied`, 'success');
    onDone();
  };
  if (stored.error !== null)
    return (
      <ErrorState
        failure={stored.error}
        text={messageOf(stored.error, 'Could not load your layouts.')}
        onRetry={() => void stored.refetch()}
      />
    );
  return (
    <>
      {stored.isPending && <p className="px-2 text-muted">Loading…</p>}
      {stored.data !== undefined && layouts.length === 0 && (
        <p className="px-2 text-label text-muted">Save the charts as they are to return to them by name.</p>
      )}
      <ul>
        {layouts.map((layout) => (
          <li key={layout.id} className="flex items-center gap-1">
            {renamed === layout.id ? (
              <RenameForm layout={layout} onDone={() => setRenamed(null)} />
            ) : (
              <>
                <button type="button" className="menu-item min-w-0 flex-1" onClick={() => show(layout)}>
                  <span className="truncate">{layout.name}</span>
                  <span className="ml-auto shrink-0 text-label text-muted">
                    {formatMany(layout.value.charts.length, 'chart')}
                  </span>
                </button>
                <button
                  type="button"
                  className="btn btn-ghost btn-small btn-icon"
                  aria-label={`Rename ${layout.name}`}
                  onClick={() => setRenamed(layout.id)}
                >
                  <Pencil size={14} aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className="btn btn-ghost btn-small btn-icon"
                  aria-label={`Delete ${layout.name}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(layout.id)}
                >
                  <Trash2 size={14} aria-hidden="true" />
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      <SaveForm layouts={layouts} />
    </>
  );
}

function RenameForm({ layout, onDone }: { layout: Layout; onDone: () => void }) {
  const [name, setName] = useState(layout.name);
  const rename = useLayoutChange(changeLayout, 'Could not rename the layout.');
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === layout.name) onDone();
    else rename.mutate({ id: layout.id, name: name.trim() }, { onSuccess: onDone });
  };
  return (
    <form className="flex flex-1 gap-1" onSubmit={onSubmit}>
      <NameField label="New name" value={name} onChange={setName} />
      <button type="submit" className="btn btn-small" disabled={name.trim() === '' || rename.isPending}>
        Rename
      </button>
    </form>
  );
}

/** Saves the charts in sight; under the name of a stored layout it replaces that one. */
function SaveForm({ layouts }: { layouts: readonly Layout[] }) {
  const [name, setName] = useState('');
  const save = useLayoutChange(saveLayout, 'Could not save the layout.');
  const replace = useLayoutChange(changeLayout, 'Could not replace the layout.');
  const known = layouts.find((layout) => layout.name === name.trim());
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const onSuccess = () => setName('');
    if (known === undefined) save.mutate({ name: name.trim(), value: currentLayout() }, { onSuccess });
    else replace.mutate({ id: known.id, value: currentLayout() }, { onSuccess });
  };
  return (
    <form className="flex gap-1 border-t border-line pt-2" onSubmit={onSubmit}>
      <NameField label="Layout name" value={name} onChange={setName} />
      <button
        type="submit"
        className="btn btn-small"
        disabled={name.trim() === '' || save.isPending || replace.isPending}
      >
        {known === undefined ? 'Save' : 'Replace'}
      </button>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function NameField({ label, value, onChange }: FieldProps) {
  return (
    <input
      className="input h-7 min-w-0 flex-1"
      aria-label={label}
      placeholder={label}
      value={value}
      maxLength={SAVED_NAME_MAX}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
