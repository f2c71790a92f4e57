import { type VoteId, voteIds } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { useSnapshot } from 'valtio';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { draft } from '../backtestState.ts';
import {
  clampToRule,
  defaultParams,
  fractionToPercent,
  percentRules,
  percentToFraction,
  thresholdRule,
  weightRule,
} from '../params.ts';
import { parameterDefinitions, voteDefinition } from './definitions.ts';

export function ParameterPanel() {
  const { params } = useSnapshot(draft);
  const start = defaultParams();
  const isChanged = JSON.stringify(params) !== JSON.stringify(start);
  return (
    <div className="flex flex-col p-3">
      <header className="mb-1 flex h-7 items-center justify-between">
        <h2 className="font-semibold">Vote weights</h2>
        <button
          type="button"
          className="btn btn-ghost btn-small"
          disabled={!isChanged}
          onClick={() => Object.assign(draft.params, defaultParams())}
        >
          <RotateCcw size={12} aria-hidden="true" /> Reset all
        </button>
      </header>
      {voteIds.map((id) => (
        <WeightRow
          key={id}
          id={id}
          value={params.weights[id] ?? 0}
          isChanged={params.weights[id] !== start.weights[id]}
        />
      ))}
      <h2 className="mt-3 mb-1 border-t border-line pt-3 font-semibold">Entry and exit</h2>
      <SliderRow
        {...thresholdRule}
        name={thresholdRule.label}
        label={<DefinedTerm definition={parameterDefinitions.entryThreshold} />}
        value={params.entryThreshold}
        isChanged={params.entryThreshold !== start.entryThreshold}
        onChange={(value) => {
          draft.params.entryThreshold = clampToRule(value, thresholdRule);
        }}
      />
      <PercentRow rule="stopLoss" value={params.stopLossFraction} onChange={take.stopLoss} />
      <PercentRow rule="takeProfit" value={params.takeProfitFraction} onChange={take.takeProfit} />
      <div className="mt-3 mb-1 flex items-center justify-between border-t border-line pt-3">
        <h2 className="font-semibold">
          <DefinedTerm definition={parameterDefinitions.trailing} />
        </h2>
        <Switch
          label="Trailing stop"
          isOn={params.trailing.enabled}
          onToggle={(isOn) => {
            draft.params.trailing.enabled = isOn;
          }}
        />
      </div>
      <PercentRow
        rule="callback"
        isDisabled={!params.trailing.enabled}
        value={params.trailing.callbackFraction}
        onChange={take.callback}
      />
      <PercentRow
        rule="trailStep"
        isDisabled={!params.trailing.enabled}
        value={params.trailing.stepFraction}
        onChange={take.trailStep}
      />
      <PercentRow
        rule="activation"
        isDisabled={!params.trailing.enabled}
        value={params.trailing.activationFraction ?? 0}
        onChange={take.activation}
      />
    </div>
  );
}

/** The same functions each time, so that a row which did not change is not rendered. */
const take: Record<keyof typeof percentRules, (fraction: number) => void> = {
  stopLoss: (fraction) => (draft.params.stopLossFraction = fraction),
  takeProfit: (fraction) => (draft.params.takeProfitFraction = fraction),
  callback: (fraction) => (draft.params.trailing.callbackFraction = fraction),
  trailStep: (fraction) => (draft.params.trailing.stepFraction = fraction),
  activation: (fraction) => {
    if (fraction > 0) draft.params.trailing.activationFraction = fraction;
    else delete draft.params.trailing.activationFraction;
  },
};

interface WeightProps {
  id: VoteId;
  value: number;
  isChanged: boolean;
}

/** Only the row whose slider moves is rendered again. */
const WeightRow = memo(function WeightRow({ id, value, isChanged }: WeightProps) {
  const definition = voteDefinition(id);
  return (
    <SliderRow
      {...weightRule}
      name={`${definition.name} weight`}
      label={<DefinedTerm definition={definition} />}
      value={value}
      isChanged={isChanged}
      onChange={(next) => {
        draft.params.weights[id] = next;
      }}
    />
  );
});

interface PercentProps {
  rule: keyof typeof percentRules;
  /** A fraction; the row shows percent. */
  value: number;
  isDisabled?: boolean;
  onChange: (fraction: number) => void;
}

const PercentRow = memo(function PercentRow({ rule, value, isDisabled = false, onChange }: PercentProps) {
  const numbers = percentRules[rule];
  const percent = fractionToPercent(value);
  return (
    <SliderRow
      {...numbers}
      name={numbers.label}
      label={<DefinedTerm definition={parameterDefinitions[rule]} />}
      value={percent}
      isDisabled={isDisabled}
      isChanged={percent !== numbers.default}
      onChange={(next) => onChange(percentToFraction(next))}
    />
  );
});
