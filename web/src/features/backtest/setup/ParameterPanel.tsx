import { voteIds } from '@sextant/workers/src/wire/defaults.ts';
import { RotateCcw } from 'lucide-react';
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
      {voteIds.map((id) => {
        const definition = voteDefinition(id);
        return (
          <SliderRow
            key={id}
            {...weightRule}
            name={`${definition.name} weight`}
            label={<DefinedTerm definition={definition} />}
            value={params.weights[id] ?? 0}
            isChanged={params.weights[id] !== start.weights[id]}
            onChange={(value) => {
              draft.params.weights[id] = value;
            }}
          />
        );
      })}
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
      <PercentRow
        rule="stopLoss"
        value={params.stopLossFraction}
        onChange={(value) => (draft.params.stopLossFraction = value)}
      />
      <PercentRow
        rule="takeProfit"
        value={params.takeProfitFraction}
        onChange={(value) => (draft.params.takeProfitFraction = value)}
      />
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
        onChange={(value) => (draft.params.trailing.callbackFraction = value)}
      />
      <PercentRow
        rule="trailStep"
        isDisabled={!params.trailing.enabled}
        value={params.trailing.stepFraction}
        onChange={(value) => (draft.params.trailing.stepFraction = value)}
      />
    </div>
  );
}

interface PercentProps {
  rule: keyof typeof percentRules;
  /** A fraction; the row shows percent. */
  value: number;
  isDisabled?: boolean;
  onChange: (fraction: number) => void;
}

function PercentRow({ rule, value, isDisabled = false, onChange }: PercentProps) {
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
}
