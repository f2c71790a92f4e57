import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { openFromScan } from '../../../api/positions.ts';
import type { AutoRun } from '../../../api/types.ts';
import { outcomeNames } from '../../../format/outcomeNames.ts';
import { toast, type ToastTone } from '../../../state/toasts.ts';

/** What a run says of itself, word by word as the server has it. */
export function runToasts({ messages, opened, failed, reason, refused }: AutoRun): [text: string, tone: ToastTone][] {
  if (refused !== null) return messages.map((message) => [message, 'info']);
  const told = messages.map((message): [string, ToastTone] => [
    message,
    message.startsWith('Auto open failed') ? 'error' : 'success',
  ]);
  const isNothing = opened === 0 && failed === 0 && reason !== null;
  return isNothing ? [...told, [`No position opened: ${outcomeNames[reason].toLowerCase()}`, 'info']] : told;
}

/** Asks the server to open what passes, once the AI checks of a scan have ended. A run that had ended before is not told again. */
export async function openAfterChecks(client: QueryClient, scanId: string): Promise<void> {
  try {
    const { run, is_new: isNew } = await openFromScan(client, scanId);
    if (isNew) for (const [text, tone] of runToasts(run)) toast(text, tone);
  } catch (failure) {
    toast(messageOf(failure, 'The positions could not be opened.'), 'error');
  }
}
