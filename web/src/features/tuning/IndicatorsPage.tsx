import { shownTuning, tuningNames } from '../../api/tuningView.ts';
import { voteName } from '../../format/voteNames.ts';
import { Panel } from '../../ui/Panel.tsx';
import { SliderRow } from '../../ui/SliderRow.tsx';
import { setWeights, type TuningDraft } from './tuningState.ts';

export function IndicatorsPage({ draft }: { draft: TuningDraft }) {
  return (
    <Panel title="Indicator weights" bodyClassName="flex flex-col p-3">
      {shownTuning.map((key) => (
        <SliderRow
          key={key}
          name={voteName(tuningNames[key])}
          label={voteName(tuningNames[key])}
          value={draft.weights[key]}
          isChanged={draft.weights[key] !== 1}
          {...{ min: 0.5, max: 1.5, step: 0.05, decimals: 2, unit: '×' }}
          onChange={(value) => setWeights({ [key]: Math.round(value * 20) / 20 })}
        />
      ))}
      <p className="mt-2 text-label text-muted">
        A factor on the vote of each indicator, 0.5 to 1.5 in steps of 0.05; 1 changes nothing.
      </p>
    </Panel>
  );
}
