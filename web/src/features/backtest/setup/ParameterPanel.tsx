import { setClassicNumber } from '@sextant/workers/src/protocol/classicNumbers.ts';
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
  type FormRow,
  formRows,
  percentToFraction,
  shownNumber,
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
      {formRows.filter(isOfPart('params')).map((each) => (
        <NumberRow key={each.id} field={each} value={shownNumber(params, each)} />
      ))}
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
      {formRows.filter(isOfPart('trailing')).map((each) => (
        <NumberRow key={each.id} field={each} isDisabled={!params.trailing.enabled} value={shownNumber(params, each)} />
      ))}
    </div>
  );
}

const isOfPart =
  (part: 'params' | 'trailing') =>
  ({ row }: FormRow): boolean =>
    row.classic.part === part;

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

interface NumberProps {
  field: FormRow;
  /** In the unit of the field. */
  value: number;
  isDisabled?: boolean;
}

/** Only the row whose slider moves is rendered again. */
const NumberRow = memo(function NumberRow({ field: { id, row, rule }, value, isDisabled = false }: NumberProps) {
  const toNumber = (shown: number): number =>
    row.unit === 'fraction' ? percentToFraction(shown) : clampToRule(shown, rule);
  return (
    <SliderRow
      {...rule}
      name={rule.label}
      label={<DefinedTerm definition={parameterDefinitions[id]} />}
      value={value}
      isDisabled={isDisabled}
      isChanged={value !== rule.default}
      onChange={(shown) => setClassicNumber(draft.params, row, toNumber(shown))}
    />
  );
});
