import { openTab } from '../../state/navigation.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { setFloor, type TuningDraft } from './tuningState.ts';

/** Where the field starts when it is switched on. */
const FLOOR_START = 0.5;

export function AdvancedPage({ draft: { floor } }: { draft: TuningDraft }) {
  return (
    <Panel title="Confidence floor" bodyClassName="flex flex-col gap-3 p-3">
      <label className="flex items-center gap-2">
        <Switch
          label="Confidence floor"
          isOn={floor !== null}
          onToggle={(isOn) => setFloor(isOn ? FLOOR_START : null)}
        />
        {floor === null ? 'Off: every LONG or SHORT is a result' : 'On'}
      </label>
      {floor !== null && (
        <NumberField
          label="Confidence"
          hint="0.1 to 1.0"
          {...{ min: 0.1, max: 1, step: 0.05, decimals: 2 }}
          value={floor}
          onChange={setFloor}
        />
      )}
      <p className="text-label text-muted">
        A scan drops signals below the floor before it ranks the results. The minimum confidence in the scanner settings
        applies later: such a signal is shown but not opened.
      </p>
      <button type="button" className="btn self-start" onClick={() => openTab('signals', 'trading')}>
        Scanner settings: minimum confidence
      </button>
    </Panel>
  );
}
