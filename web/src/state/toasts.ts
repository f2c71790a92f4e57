import { proxy } from 'valtio';
import { ApiFailure, failureText } from '../api/failure.ts';
import { readSavedInTab, saveInTab } from './storage.ts';
import { isCancelled } from './stepUp.ts';
import { onUserReset } from './userReset.ts';

export type ToastTone = 'info' | 'success' | 'error';

interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
  /** Code of the error: the help says what to do about it. */
  code?: string;
}

/** A toast that was shown, stored for the list of messages. */
interface Message extends Toast {
  atMs: number;
  /** The event it reports, when the server may report that again. */
  event?: string;
}

const TOAST_MS = 3500;
const SHOWN_MAX = 4;
const RETAINED_MAX = 50;
const STORAGE_KEY = 'messages';

export const toastState = proxy<{ list: Toast[]; messages: Message[]; unreadCount: number }>({
  list: [],
  /** Newest first; preserved across reloads of this browser tab. */
  messages: readMessages(),
  unreadCount: 0,
});
let lastId = Math.max(0, ...toastState.messages.map(({ id }) => id));

onUserReset(() => {
  toastState.list = [];
  toastState.unreadCount = 0;
  keepMessages([]);
});

/**
 * Shows a line for TOAST_MS and stores it in the messages. The same text is not stacked: it only restarts its timer.
 * @param event identifies an event that the server may report again after a reload, so that it is shown once
 */
export function toast(text: string, tone: ToastTone = 'info', event?: string): void {
  if (event !== undefined && toastState.messages.some((reported) => reported.event === event)) return;
  show({ text, tone }, event);
}

/** Shows a failure; an error of the server keeps its code, which links to the help. */
export function toastRejection(text: string, failure: unknown): void {
  show({ text, tone: 'error', ...(failure instanceof ApiFailure ? { code: failure.code } : {}) });
}

function show(line: Omit<Toast, 'id'>, event?: string): void {
  const shown: Toast = { id: ++lastId, ...line };
  toastState.list = [...toastState.list.filter(({ text }) => text !== line.text), shown].slice(-SHOWN_MAX);
  const message: Message = { ...shown, atMs: Date.now() };
  keepMessages([event === undefined ? message : { ...message, event }, ...toastState.messages].slice(0, RETAINED_MAX));
  toastState.unreadCount = Math.min(RETAINED_MAX, toastState.unreadCount + 1);
  setTimeout(() => dismissToast(shown.id), TOAST_MS);
}

export function dismissToast(id: number): void {
  toastState.list = toastState.list.filter((shown) => shown.id !== id);
}

export function clearMessages(): void {
  keepMessages([]);
}

function keepMessages(messages: Message[]): void {
  toastState.messages = messages;
  saveInTab(STORAGE_KEY, JSON.stringify(messages));
}

function isMessage(value: unknown): value is Message {
  const { id, text, tone, atMs, code } = (value ?? {}) as Partial<Message>;
  return (
    Number.isFinite(id) &&
    typeof text === 'string' &&
    (code === undefined || typeof code === 'string') &&
    Number.isFinite(atMs) &&
    /^(info|success|error)$/.test(tone ?? '')
  );
}

function readMessages(): Message[] {
  try {
    const stored: unknown = JSON.parse(readSavedInTab(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isMessage).slice(0, RETAINED_MAX) : [];
  } catch {
    return [];
  }
}

/** Shows what failed and why. A cancelled dialog is not a failure and shows nothing. */
export function toastFailure(what: string, failure: unknown): void {
  if (!isCancelled(failure)) toastRejection(failureText(what, failure), failure);
}
