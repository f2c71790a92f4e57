import { choiceSettings } from '@sextant/workers/src/core/settings.ts';
import type { PositionView, TrailingView } from '../../../api/positionView.ts';
import { formatPrice } from '../../../format/number.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { withFurtherTarget } from '../../shared/targets/targetDraft.ts';
import { TargetRows } from '../../shared/targets/TargetRows.tsx';
import { standardTrailing } from '../../shared/trailing/trailing.ts';
import { TrailingNumbers } from '../../shared/trailing/TrailingNumbers.tsx';
import { type LevelDraft, netText } from './useLevelDraft.ts';

const modeNames = { percent: 'Percent', atr: 'ATR' };

interface Props {
  position: PositionView;
  draft: LevelDraft;
  decimals: number | undefined;
}

/** Stop, target and trailing of an open position, with what each gives; the lines of its chart move the same values. */
export function ManagePanel({ position, draft, decimals }: Props) {
  const { breakEven, targets, tickSize } = draft;
  return (
    <Panel title="Stop and target" bodyClassName="p-3">
      <form
        aria-label="Stop and target"
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          draft.save();
        }}
      >
        <PriceField
          label="Stop"
          value={draft.stop}
          hint={netText(draft.netAtStop, position)}
          problem={draft.problems.stop}
          tickSize={tickSize}
          decimals={decimals}
          onChange={draft.moveStop}
        />
        <TargetRows
          targets={targets}
          withNext={withFurtherTarget(targets, { side: position.side, entry: position.entryPrice, tickSize })}
          tickSize={tickSize}
          decimals={decimals}
          hintOf={(_, at) => netText(draft.netAtTargets[at] ?? 0, position)}
          problem={draft.problems.target}
          onChange={draft.setTargets}
        />
        <button
          type="button"
          className="btn self-start"
          disabled={breakEven === null}
          title="Moves the stop to where fees and slippage are earned back"
          onClick={() => breakEven !== null && draft.moveStop(breakEven)}
        >
          Break-even{breakEven !== null && ` at ${formatPrice(breakEven, decimals)}`}
        </button>
        <TrailingPart position={position} trailing={draft.trailing} onChange={draft.setTrailing} />
        {draft.problems.other !== null && <Notice tone="error">{draft.problems.other}</Notice>}
        <SaveButtons draft={draft} />
      </form>
    </Panel>
  );
}

interface SaveProps {
  draft: LevelDraft;
  /** The buttons of the form submit it. */
  isOutside?: boolean;
}

function SaveButtons({ draft, isOutside = false }: SaveProps) {
  const { isUnsaved, isSaving, problems, save, discard } = draft;
  const isPossible = isUnsaved && !isSaving && problems.stop === null && problems.target === null;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <button
        type={isOutside ? 'button' : 'submit'}
        className="btn btn-primary"
        disabled={!isPossible}
        {...(isOutside ? { onClick: save } : {})}
      >
        {isOutside ? 'Save' : 'Save changes'}
      </button>
      <button type="button" className="btn" disabled={!isUnsaved || isSaving} onClick={discard}>
        Discard
      </button>
    </span>
  );
}

/** Below the chart once a line was dragged: what the new levels give, with buttons that save or discard. */
export function MovedBar({ position, draft, decimals }: Props) {
  if (!draft.isStopMoved && !draft.isTargetMoved) return null;
  const texts = [
    ...(draft.isStopMoved ? [`Stop ${formatPrice(draft.stop, decimals)}: ${netText(draft.netAtStop, position)}`] : []),
    ...(draft.isTargetMoved
      ? draft.targets.map(({ price }, at) => {
          const name = draft.targets.length > 1 ? `Target ${at + 1}` : 'Target';
          return `${name} ${formatPrice(price, decimals)}: ${netText(draft.netAtTargets[at] ?? 0, position)}`;
        })
      : []),
  ];
  const problem = draft.problems.stop ?? draft.problems.target ?? draft.problems.other;
  return (
    <div
      role="group"
      aria-label="Moved levels"
      className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2"
    >
      <span role="status" className="min-w-0 text-label">
        {texts.join(' · ')}
        {problem !== null && <span className="block text-down">{problem}</span>}
      </span>
      <SaveButtons draft={draft} isOutside />
    </div>
  );
}

interface TrailingProps {
  position: PositionView;
  trailing: TrailingView | null;
  onChange: (trailing: TrailingView | null) => void;
}

function TrailingPart({ position, trailing, onChange }: TrailingProps) {
  const own = position.trailing;
  const ofMode = (mode: TrailingView['mode']): TrailingView => (own?.mode === mode ? own : standardTrailing[mode]);
  return (
    <div className="flex flex-col gap-2">
      <span className="flex items-center gap-2">
        <Switch
          label="Trailing stop"
          isOn={trailing !== null}
          onToggle={(isOn) => onChange(isOn ? ofMode(own?.mode ?? 'percent') : null)}
        />
        <span aria-hidden="true" className="text-label font-medium">
          Trailing stop
        </span>
      </span>
      {trailing !== null && (
        <Segments
          label="Trailing by"
          isSmall
          options={choiceSettings.trail_mode.choices}
          value={trailing.mode}
          nameOf={(mode) => modeNames[mode]}
          onSelect={(mode) => onChange(ofMode(mode))}
        />
      )}
      {trailing !== null && <TrailingNumbers trailing={trailing} onChange={onChange} />}
    </div>
  );
}
