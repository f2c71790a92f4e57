import {
  isTag,
  JOURNAL_NOTE_MAX,
  JOURNAL_TAG_MAX,
  JOURNAL_TAGS_MAX,
  normaliseTag,
} from '@sextant/workers/src/core/journal.ts';
import { Camera, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import type { JournalEntry } from '../../../api/types.ts';
import type { ChartHandle } from '../../../charts/Chart.tsx';
import {
  journalPictureUrl,
  useAddPicture,
  useJournalEntry,
  useRemovePicture,
  useSaveEntry,
} from '../../../data/journal.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { Field, TextArea } from '../../../ui/Field.tsx';
import { LoadedPicture } from '../../../ui/LoadedPicture.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

interface Draft {
  note: string;
  /** As typed, separated by commas. */
  tags: string;
  /** Revision at which typing started, so that a later entry of another page is not overwritten. Null: the conflict was reported. */
  revision: number | null;
}

/** Drafts that were not saved yet, by position: another row may be opened meanwhile. */
const drafts = new Map<string, Draft>();
onUserReset(() => drafts.clear());

/** Tags of a typed list, or why they cannot be stored. */
export function readTagList(text: string): { tags: string[]; error?: string } {
  const tags = [...new Set(text.split(',').map(normaliseTag))].filter((tag) => tag !== '');
  const bad = tags.find((tag) => !isTag(tag));
  if (bad !== undefined)
    return { tags, error: `Use at most ${JOURNAL_TAG_MAX} letters, digits, spaces or _ + . / # - in a tag.` };
  if (tags.length > JOURNAL_TAGS_MAX) return { tags, error: `At most ${JOURNAL_TAGS_MAX} tags` };
  return { tags };
}

const draftOf = ({ note, tags, revision }: JournalEntry): Draft => ({ note, tags: tags.join(', '), revision });

interface Props {
  id: string;
  /** Null: not drawn yet. Undefined: the position has none. */
  chart: ChartHandle | null | undefined;
}

/** What its owner writes about a position, with a picture of its chart. */
export function JournalPanel({ id, chart }: Props) {
  const response = useJournalEntry(id);
  const entry = response.data;
  return (
    <Panel title="Journal" aside={entry?.updated_at != null && <Time at={entry.updated_at} />} bodyClassName="p-3">
      {response.error !== null && entry === undefined && (
        <ErrorState
          failure={response.error}
          text={messageOf(response.error, 'Could not load the journal.')}
          onRetry={() => void response.refetch()}
        />
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <EntryForm id={id} entry={entry} />
        <ChartPicture id={id} entry={entry} chart={chart} />
      </div>
    </Panel>
  );
}

function EntryForm({ id, entry }: { id: string; entry: JournalEntry | undefined }) {
  const [draft, setDraft] = useState<Draft | null>(drafts.get(id) ?? null);
  const save = useSaveEntry(id);
  const stored = entry === undefined ? { note: '', tags: '', revision: 0 } : draftOf(entry);
  const shown = draft ?? stored;
  const { tags, error } = readTagList(shown.tags);
  const isTooLong = shown.note.length > JOURNAL_NOTE_MAX;
  const keep = (next: Draft | null) => {
    if (next === null) drafts.delete(id);
    else drafts.set(id, next);
    setDraft(next);
  };
  const edit = (change: Partial<Draft>) => keep({ ...shown, ...change });
  const submit = () => {
    if (entry === undefined || error !== undefined || isTooLong) return;
    const sent = shown;
    save.mutate(
      { note: sent.note, tags, revision: sent.revision ?? entry.revision },
      {
        onSuccess: ({ revision }) => {
          toast('Journal saved', 'success');
          // What was typed meanwhile stays, and is of the saved entry now.
          const now = drafts.get(id);
          keep(now === undefined || (now.note === sent.note && now.tags === sent.tags) ? null : { ...now, revision });
        },
        onError: (failure) => {
          toastRejection(messageOf(failure, 'Could not save the journal.'), failure);
          const now = drafts.get(id);
          if (now !== undefined && failure instanceof ApiFailure && failure.code === 'conflict')
            keep({ ...now, revision: null });
        },
      },
    );
  };
  const isUnsaved = draft !== null && (draft.note !== stored.note || draft.tags !== stored.tags);
  return (
    <form
      noValidate
      aria-label="Journal"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Note"
        hint={`${shown.note.length} of ${JOURNAL_NOTE_MAX}`}
        error={isTooLong ? `At most ${JOURNAL_NOTE_MAX} characters` : undefined}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={5}
            value={shown.note}
            disabled={entry === undefined}
            onChange={({ currentTarget: { value } }) => edit({ note: value })}
          />
        )}
      </Field>
      <Field label="Tags" hint="Separated by commas: breakout, late entry" error={error}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            autoComplete="off"
            value={shown.tags}
            disabled={entry === undefined}
            onChange={({ currentTarget: { value } }) => edit({ tags: value })}
          />
        )}
      </Field>
      <div className="flex items-center gap-2">
        <button
          type="submit"
          className="btn btn-primary"
          disabled={!isUnsaved || save.isPending || error !== undefined || isTooLong}
        >
          Save note
        </button>
        {isUnsaved && <span className="text-label text-muted">Unsaved changes</span>}
      </div>
    </form>
  );
}

function ChartPicture({ id, entry, chart }: Props & { entry: JournalEntry | undefined }) {
  const add = useAddPicture(id);
  const remove = useRemovePicture(id);
  const isBusy = add.isPending || remove.isPending;
  const url = entry === undefined ? null : journalPictureUrl(entry);
  const report = (text: string) => (failure: Error) => toastRejection(messageOf(failure, text), failure);
  const store = async () => {
    const picture = await chart?.picture();
    if (picture === null || picture === undefined) {
      toast('The chart is still loading. Try again shortly.', 'error');
      return;
    }
    add.mutate(picture, {
      onSuccess: () => toast('Chart added to the journal', 'success'),
      onError: report('Could not add the chart.'),
    });
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span className="text-label font-medium">Chart</span>
      <div className="flex h-52 items-center justify-center overflow-hidden rounded border border-line">
        {url === null && <p className="px-3 text-center text-label text-muted">Add the chart as you see it now.</p>}
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer" className="flex h-full w-full items-center justify-center">
            <LoadedPicture src={url} alt="Chart in the journal" className="max-h-full max-w-full object-contain" />
          </a>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {chart !== undefined && (
          <button type="button" className="btn" disabled={entry === undefined || isBusy} onClick={() => void store()}>
            <Camera size={14} aria-hidden="true" /> {url === null ? 'Add the chart' : 'Replace with the chart now'}
          </button>
        )}
        {url !== null && (
          <button
            type="button"
            className="btn"
            disabled={isBusy}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => toast('Chart removed from the journal', 'success'),
                onError: report('Could not remove the chart.'),
              })
            }
          >
            <Trash2 size={14} aria-hidden="true" /> Remove
          </button>
        )}
      </div>
    </div>
  );
}
