import { readSaved, save } from '../../state/storage.ts';

const KEY = 'alertSound';

export const isSoundOn = (): boolean => readSaved(KEY) !== 'off';
export const setSoundOn = (isOn: boolean): void => save(KEY, isOn ? null : 'off');

const TONE_S = 0.16;
/** Two rising tones, Hz. */
const tones = [880, 1320] as const;

/** A short sound, unless it is switched off. A browser without sound, or a page that was never pressed, stays silent. */
export function playAlertSound(): void {
  if (!isSoundOn() || typeof AudioContext === 'undefined') return;
  try {
    const context = new AudioContext();
    const gain = context.createGain();
    gain.gain.value = 0.08;
    gain.connect(context.destination);
    for (const [nth, frequency] of tones.entries()) {
      const oscillator = context.createOscillator();
      oscillator.frequency.value = frequency;
      oscillator.connect(gain);
      oscillator.start(context.currentTime + nth * TONE_S);
      oscillator.stop(context.currentTime + (nth + 1) * TONE_S);
    }
    setTimeout(() => void context.close(), 1000);
  } catch {
    // The toast is shown anyway.
  }
}
