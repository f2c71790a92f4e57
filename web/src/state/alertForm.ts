import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { proxy } from 'valtio';
import { onUserReset } from './userReset.ts';

/** What the form of an alert starts with. */
export interface AlertStart {
  condition?: Partial<AlertCondition>;
  /** An existing alert to edit. */
  id?: string;
}

/** The form of an alert, which opens from anywhere; null: closed. */
export const alertFormState = proxy<{ start: AlertStart | null }>({ start: null });

export function openAlertForm(start: AlertStart = {}): void {
  alertFormState.start = start;
}

export function closeAlertForm(): void {
  alertFormState.start = null;
}

onUserReset(closeAlertForm);
