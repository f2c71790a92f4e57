import { SettingField } from '../../ui/SettingsForm.tsx';

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
