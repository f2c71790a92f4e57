import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { tuningKeys, tuningNames } from '../../api/tuningView.ts';
import { voteName } from '../../format/voteName.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { SettingField } from '../../ui/SettingField.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SettingsForm } from '../../ui/SettingsForm.tsx';
import { SliderRow } from '../../ui/SliderRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { PresetsPage } from './PresetsPage.tsx';
import { RescorePanel } from './RescorePanel.tsx';
import { pageOf, tuningPages } from './pages.ts';
import { PerformancePage } from './performance/PerformancePage.tsx';
import { setWeights, type TuningDraft, tuningForm } from './tuningState.ts';
import { useTuning } from './useTuning.ts';

const TAB = 'settings';

/** Signal Tuning: the scanner's own settings are one click away. */
export function TuningTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  return (
    <PagedTab
      tab={TAB}
      title="Signal Tuning"
      pages={tuningPages}
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
      unreadText={messageOf(tuning.failure, 'The tuning could not be read.')}
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

/** Where the field starts when it is switched on. */
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
        {floor === null ? 'Off: every LONG or SHORT is a result' : 'On'}
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
        A scan drops signals below the floor before it ranks the results. The minimum confidence in the scanner settings
        applies later: such a signal is shown but not opened.
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
        <SliderRow
          key={key}
          name={voteName(tuningNames[key])}
          label={voteName(tuningNames[key])}
          value={draft.weights[key]}
          isChanged={draft.weights[key] !== 1}
          min={0.5}
          max={1.5}
          step={0.05}
          decimals={2}
          unit="×"
          onChange={(value) => setWeights({ [key]: Math.round(value * 20) / 20 })}
        />
      ))}
      <p className="mt-2 text-label text-muted">
        A factor on the vote of each indicator, 0.5 to 1.5 in steps of 0.05; 1 changes nothing.
      </p>
    </Panel>
  );
}
