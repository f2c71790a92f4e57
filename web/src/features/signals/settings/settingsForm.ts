import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { usePreferencesForm } from '../../../data/preferences.ts';
import type { Preferences } from '../../../api/types.ts';
import { listErrors, symbolsOf } from '../../../format/symbolList.ts';
import { createDraftForm, findChanges } from '../../../state/draftForm.ts';
import { toast } from '../../../state/toasts.ts';

export type ScannerSettings = Pick<
  Preferences,
  | 'min_auto_conf_pct'
  | 'min_conf_on_score'
  | 'positions_wanted'
  | 'max_symbols'
  | 'dynamic_risk_on'
  | 'risk_min_pct'
  | 'risk_max_pct'
  | 'whitelist'
  | 'blacklist'
  | 'scan_interval'
  | 'interval_opts'
  | 'risk_tolerance'
  | 'auto_scan_enabled'
  | 'keep_scanning'
  | 'ai_soft_approval'
  | 'ai_allow_correction'
>;

const keys = [
  'min_auto_conf_pct',
  'min_conf_on_score',
  'positions_wanted',
  'max_symbols',
  'dynamic_risk_on',
  'risk_min_pct',
  'risk_max_pct',
  'whitelist',
  'blacklist',
  'scan_interval',
  'interval_opts',
  'risk_tolerance',
  'auto_scan_enabled',
  'keep_scanning',
  'ai_soft_approval',
  'ai_allow_correction',
] as const;

export const settingsOf = (preferences: Readonly<Preferences>): ScannerSettings =>
  Object.fromEntries(keys.map((key) => [key, preferences[key]])) as unknown as ScannerSettings;

export const scannerForm = createDraftForm<ScannerSettings>();

/** Percent on screen, a fraction on the wire: 0.5 % is 0.005, without the dust of a division. */
export const toFraction = (pct: number): number => Number((pct / 100).toFixed(6));
export const toPct = (fraction: number): number => Number((fraction * 100).toFixed(4));

const boundsInPct = ({ min, max }: { min: number; max: number }) => ({ min: toPct(min), max: toPct(max) });
/** Percent. */
export const riskBounds = {
  min: boundsInPct(numberSettings.risk_min_pct),
  max: boundsInPct(numberSettings.risk_max_pct),
};

/** At the end of an edit the minimum is capped to the maximum, and the maximum raised to the minimum. */
export function settleRisk(
  edited: 'min' | 'max',
  { risk_min_pct: low, risk_max_pct: high }: Pick<ScannerSettings, 'risk_min_pct' | 'risk_max_pct'>,
): Pick<ScannerSettings, 'risk_min_pct' | 'risk_max_pct'> {
  return edited === 'min'
    ? { risk_min_pct: Math.min(low, high), risk_max_pct: high }
    : { risk_min_pct: low, risk_max_pct: Math.max(low, high) };
}

export const cleanSettings = (draft: ScannerSettings): ScannerSettings => ({
  ...draft,
  whitelist: symbolsOf(draft.whitelist).join(','),
  blacklist: symbolsOf(draft.blacklist).join(','),
});

export const validate = (draft: ScannerSettings): { whitelist?: string; blacklist?: string } => listErrors(draft);

export function useScannerSettings() {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const form = usePreferencesForm({
    form: scannerForm,
    readForm: settingsOf,
    onSaved: () => toast('Scanner settings saved', 'success'),
    onFailed: (failure) => {
      if (failure instanceof ApiFailure && failure.field !== undefined)
        setErrors({ [failure.field]: messageOf(failure, 'Check this value') });
      toast('Failed to save preferences', 'error');
    },
  });
  return {
    ...form,
    errors,
    edit: (change: Partial<ScannerSettings>) => {
      form.edit(change);
      setErrors({});
    },
    discard: () => {
      form.discard();
      setErrors({});
    },
    submit: () => {
      const typed = scannerForm.read();
      if (typed === null) return;
      const result = validate(typed.draft);
      setErrors(result);
      if (Object.keys(result).length === 0)
        form.save(findChanges(cleanSettings(typed.draft), typed.saved), typed.changes);
    },
  };
}
