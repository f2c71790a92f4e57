import { showReceipt } from '../../api/alerts.ts';
import { toast } from '../../state/toasts.ts';
import { playAlertSound } from './sound.ts';

/** Shows an alert that fired, with its sound, and stores when. A firing that cannot be read stays in the list of alerts. */
export async function takeFired(alertId: string, receiptId: string): Promise<void> {
  try {
    const { receipt } = await showReceipt(alertId, receiptId);
    const value = receipt.value_text === null ? '' : `, now ${receipt.value_text}`;
    const late = receipt.is_late ? ' Detected late.' : '';
    toast(
      `Alert: ${receipt.text}${value}.${receipt.note === null ? '' : ` ${receipt.note}.`}${late}`,
      'info',
      receiptId,
    );
    playAlertSound();
  } catch {
    // Deleted meanwhile, or the network is gone: the list shows it when it loads.
  }
}

/** Reports alerts that ended with the contract of their symbol. */
export const showEnded = (count: number, reason: string): void =>
  toast(`${count === 1 ? '1 alert' : `${count} alerts`} ended. ${reason}`);
