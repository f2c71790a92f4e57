import { TUNING_STEPS, tuningBounds } from '@sextant/workers/src/signals/signalRules.ts';
import { Check, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { useNewsRecords } from '../../api/news.ts';
import { voteName } from '../../format/voteName.ts';
import { openTab } from '../../state/navigation.ts';
import { Field } from '../../ui/Field.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SettingField, SettingsForm } from '../../ui/SettingsForm.tsx';
import { SliderRow } from '../../ui/SliderRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { PerformancePage } from './performance/PerformancePage.tsx';
import { RescorePanel } from './RescorePanel.tsx';
import {
  uniformTuning,
  setWeights,
  type TuningDraft,
  tuningForm,
  tuningKeys,
  tuningNames,
  tuningView,
  useTuning,
} from './useTuning.ts';

const TAB = 'settings';

/** Signal Tuning: the scanner's own settings are one click away. */
export function TuningTab() {
  const page = useOpenPage(TAB);
  return (
    <PagedTab
      tab={TAB}
      title="Signal Tuning"
      pages={tabPages[TAB]}
      page={page}
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'trading')}>
          Scanner settings
        </button>
      }
      layout="full"
    >
      {page === 'performance' ? <PerformancePage /> : <EditPage page={page} />}
    </PagedTab>
  );
}

function EditPage({ page }: { page: 'indicators' | 'presets' | 'advanced' }) {
  const tuning = useTuning();
  return (
    <SettingsForm
      name="Signal Tuning"
      settings={tuning}
      unreadText={messageOf(tuning.failure, 'The tuning did not load.')}
      saveLabel="Save signal tuning"
      isPage
      className="flex-1"
    >
      {(draft) => (
        <div className="grid flex-1 content-start gap-3 lg:grid-cols-[minmax(340px,480px)_minmax(0,1fr)] lg:items-start">
          <Guarded>
            {page === 'indicators' && <IndicatorsPage draft={draft} />}
            {page === 'presets' && <PresetsPage tuning={tuning} draft={draft} />}
            {page === 'advanced' && <AdvancedPage draft={draft} />}
            <RescorePanel draft={draft} />
          </Guarded>
        </div>
      )}
    </SettingsForm>
  );
}

/** Initial value of the field when it is switched on. */
const FLOOR_START = 0.5;

function AdvancedPage({ draft: { floor } }: { draft: TuningDraft }) {
  return (
    <Panel title="Confidence floor" bodyClassName="flex flex-col gap-3 p-3">
      <label className="flex items-center gap-2">
        <Switch
          label="Confidence floor"
          isOn={floor !== null}
          onToggle={(isOn) => tuningForm.edit({ floor: isOn ? FLOOR_START : null })}
        />
        {floor === null ? 'Off: shows every LONG or SHORT' : 'On'}
      </label>
      {floor !== null && (
        <SettingField
          id="tuning_conf_floor"
          label="Confidence"
          value={floor}
          onChange={(floor) => tuningForm.edit({ floor })}
        />
      )}
      <p className="text-label text-muted">
        Scans hide signals below the floor. The scanner's minimum confidence only stops them from opening.
      </p>
      <button type="button" className="btn self-start" onClick={() => openTab('signals', 'trading')}>
        Change Min Confidence
      </button>
    </Panel>
  );
}

function IndicatorsPage({ draft }: { draft: TuningDraft }) {
  return (
    <Panel title="Indicator weights" bodyClassName="flex flex-col p-3">
      {tuningKeys.map((key) => (
        <Fragment key={key}>
          <SliderRow
            name={voteName(tuningNames[key])}
            label={voteName(tuningNames[key])}
            value={draft.weights[key]}
            isChanged={draft.weights[key] !== 1}
            {...tuningBounds}
            decimals={2}
            unit="×"
            onChange={(value) => setWeights({ [key]: Math.round(value * TUNING_STEPS) / TUNING_STEPS })}
          />
          {tuningNames[key] === 'news' && <NewsWeightNote />}
        </Fragment>
      ))}
      <p className="mt-2 text-label text-muted">
        Multiplies each indicator's vote, {tuningBounds.min} to {tuningBounds.max} in steps of {tuningBounds.step}; 1 is
        neutral.
      </p>
    </Panel>
  );
}

type Records = NonNullable<ReturnType<typeof useNewsRecords>['data']>;

/** Current effect of the news weight: a source votes once enough of its stories are measured and they have moved prices. */
export function newsWeightText({ sources, min_count: needed }: Pick<Records, 'sources' | 'min_count'>): string {
  const voting = sources.filter(({ weight }) => weight > 0);
  if (voting.length > 0) return `Stories of ${voting.map(({ name }) => name).join(', ')} vote.`;
  const most = Math.max(0, ...sources.map(({ count, replayed }) => Math.max(count, replayed?.count ?? 0)));
  return most < needed
    ? `No effect yet: a source needs ${needed} measured stories (most so far: ${most}).`
    : "No effect now: no source's stories moved prices measurably.";
}

function NewsWeightNote() {
  const records = useNewsRecords().data;
  return records === undefined ? null : <p className="pb-1 text-label text-muted">{newsWeightText(records)}</p>;
}

const names = { conservative: 'Conservative', balanced: 'Balanced', aggressive: 'Aggressive' } as const;
type PresetId = keyof typeof names;
const ids = Object.keys(names) as PresetId[];

interface Props {
  tuning: ReturnType<typeof useTuning>;
  draft: TuningDraft;
}

function PresetsPage({ tuning, draft }: Props) {
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
                onClick={() => setWeights(uniformTuning(presets[id]))}
              >
                {id === current && <Check size={14} aria-hidden="true" />}
                {names[id]} {presets[id].toFixed(1)}
              </button>
            ))}
          </div>
        )}
        <p className="text-label text-muted">
          Sets every weight here to one factor. RSI, MACD, Bollinger bands and the others stay.
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
          <Field label="Name" hint="Reuse a name to replace its version. Up to 50.">
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
