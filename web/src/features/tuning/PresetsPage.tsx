import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { evenly, tuningKeys, tuningView } from '../../api/tuningView.ts';
import { Field } from '../../ui/Field.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { setWeights, type TuningDraft } from './tuningState.ts';
import type { useTuning } from './useTuning.ts';

const names = { conservative: 'Conservative', balanced: 'Balanced', aggressive: 'Aggressive' } as const;
type PresetId = keyof typeof names;
const ids = Object.keys(names) as PresetId[];

interface Props {
  tuning: ReturnType<typeof useTuning>;
  draft: TuningDraft;
}

export function PresetsPage({ tuning, draft }: Props) {
  const { presets } = tuning;
  const current =
    presets === undefined ? undefined : ids.find((id) => tuningKeys.every((key) => draft.weights[key] === presets[id]));
  return (
    <div className="flex flex-col gap-3">
      <Panel title="Presets" bodyClassName="flex flex-col gap-2 p-3">
        {presets !== undefined && (
          <div role="group" aria-label="Preset" className="flex flex-wrap gap-2">
            {ids.map((id) => (
              <button
                key={id}
                type="button"
                className="btn"
                aria-pressed={id === current}
                onClick={() => setWeights(evenly(presets[id]))}
              >
                {id === current && <Check size={14} aria-hidden="true" />}
                {names[id]} {presets[id].toFixed(1)}
              </button>
            ))}
          </div>
        )}
        <p className="text-label text-muted">
          A preset sets every weight to the same factor. It moves the tuned indicators against RSI, MACD, Bollinger
          bands and the others, whose weights stay.
        </p>
      </Panel>
      <VersionPanel tuning={tuning} />
    </div>
  );
}

function VersionPanel({ tuning }: Pick<Props, 'tuning'>) {
  const [name, setName] = useState('');
  return (
    <Panel title="Your versions" bodyClassName="flex flex-col gap-3 p-3">
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Field label="Name" hint="The same name replaces a version; 50 are kept">
            {(ids) => (
              <input
                {...ids}
                className="input"
                maxLength={50}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        </div>
        <button
          type="button"
          className="btn mb-5"
          disabled={name.trim() === '' || tuning.isSaving}
          onClick={() => {
            tuning.saveAs(name.trim());
            setName('');
          }}
        >
          Save as version
        </button>
      </div>
      {tuning.versions.length > 0 && (
        <ul aria-label="Versions">
          {tuning.versions.map((version) => (
            <li key={version.id} className="flex min-h-9 items-center gap-2 border-t border-line">
              <span className="min-w-0 flex-1 truncate font-medium">{version.name}</span>
              <span className="text-label text-muted">
                <Time at={version.created_at} />
              </span>
              <button type="button" className="btn btn-small" onClick={() => setWeights(tuningView(version.weights))}>
                Use {version.name}
              </button>
              <button
                type="button"
                aria-label={`Delete ${version.name}`}
                className="btn btn-ghost btn-small btn-icon"
                onClick={() => tuning.forget(version.id)}
              >
                <Trash2 size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
