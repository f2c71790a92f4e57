import type { TrailingView } from '../../../api/positionView.ts';
import { SettingField } from '../../../ui/SettingsForm.tsx';

interface PercentProps {
  callback: number;
  step: number;
  onCallback: (value: number) => void;
  onStep: (value: number) => void;
}

/** A trailing stop in percent of the best price: for the account and for a what-if. */
export function TrailingPercents({ callback, step, onCallback, onStep }: PercentProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <SettingField id="trail_callback_pct" label="Callback (%)" value={callback} onChange={onCallback} />
      <SettingField id="trail_step_pct" label="Step (%)" value={step} onChange={onStep} />
    </div>
  );
}

interface RangeProps {
  multiplier: number;
  period: number;
  onMultiplier: (value: number) => void;
  onPeriod: (value: number) => void;
}

/** A trailing stop in average true ranges. */
export function TrailingRanges({ multiplier, period, onMultiplier, onPeriod }: RangeProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <SettingField id="trail_atr_mult" label="ATR multiplier" value={multiplier} onChange={onMultiplier} />
      <SettingField id="trail_atr_period" label="ATR period" value={period} onChange={onPeriod} />
    </div>
  );
}

interface NumbersProps {
  trailing: TrailingView;
  onChange: (trailing: TrailingView) => void;
}

/** The numbers of a position's trailing stop, in its own measure. */
export function TrailingNumbers({ trailing, onChange }: NumbersProps) {
  return trailing.mode === 'percent' ? (
    <TrailingPercents
      callback={trailing.callbackPct}
      step={trailing.stepPct}
      onCallback={(callbackPct) => onChange({ ...trailing, callbackPct })}
      onStep={(stepPct) => onChange({ ...trailing, stepPct })}
    />
  ) : (
    <TrailingRanges
      multiplier={trailing.atrMultiplier}
      period={trailing.atrPeriod}
      onMultiplier={(atrMultiplier) => onChange({ ...trailing, atrMultiplier })}
      onPeriod={(atrPeriod) => onChange({ ...trailing, atrPeriod })}
    />
  );
}
