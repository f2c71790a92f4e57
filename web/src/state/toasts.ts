import { proxy } from 'valtio';

export type ToastTone = 'info' | 'success' | 'error';

export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
}

export const TOAST_MS = 3500;
const SHOWN_MAX = 4;

export const toastState = proxy<{ list: Toast[] }>({ list: [] });
let lastId = 0;

/** Shows a line for TOAST_MS. The same text is not stacked: it only starts its time again. */
export function toast(text: string, tone: ToastTone = 'info'): void {
  const id = ++lastId;
  toastState.list = [...toastState.list.filter((shown) => shown.text !== text), { id, text, tone }].slice(-SHOWN_MAX);
  setTimeout(() => dismissToast(id), TOAST_MS);
}

export function dismissToast(id: number): void {
  toastState.list = toastState.list.filter((shown) => shown.id !== id);
}
