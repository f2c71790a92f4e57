import type { ScanSignal } from '../../../api/types.ts';
import { chanceText, expectedText, isOfRule, originText, scoreText, statedText } from '../../../format/confidence.ts';

/** Confidence of a result with its meaning: the score and a replayed chance, or the measured chance. */
export function Confidence({ signal, isFull }: { signal: ScanSignal; isFull: boolean }) {
  return (
    <>
      <span>
        {isChanceNoted(signal) && <span className="text-label text-muted">score </span>}
        <span className="font-mono">{statedText(signal)}</span>
      </span>
      {isChanceNoted(signal) ? (
        <ChanceNote signal={signal} isFull={isFull} />
      ) : (
        <ConfidenceNote signal={signal} isFull={isFull} />
      )}
    </>
  );
}

/** Beside the confidence: the expected return of a measured one, where there is room with its score; or a note that it is the score. */
export function ConfidenceNote({ signal, isFull }: { signal: ScanSignal; isFull: boolean }) {
  const { confidence_kind: kind, expected_net_fraction: expected } = signal;
  const note = 'text-label leading-3.5 whitespace-nowrap';
  if (kind === 'score') return <span className={`${note} text-muted`}>{isOfRule(signal) ? 'own rules' : 'score'}</span>;
  const label = `Expected ${expectedText(signal)} after fees; score ${scoreText(signal)}`;
  return (
    <span className={`${note} ${(expected ?? 0) < 0 ? 'text-down' : 'text-up'}`} title={label}>
      <span className="text-muted">{isFull && `score ${scoreText(signal)} · `}exp. </span>
      {expectedText(signal)}
    </span>
  );
}

/** The confidence is the score, and a chance from replayed outcomes stands beside it. */
export const isChanceNoted = ({ confidence_kind: kind, chance }: ScanSignal): boolean =>
  kind === 'score' && chance !== null;

/** Chance of a signal without enough live outcomes: the number, then where it is from. */
function ChanceNote({ signal, isFull }: { signal: ScanSignal; isFull: boolean }) {
  const [chance, origin] = [chanceText(signal), originText(signal)];
  return (
    <span
      className="text-label leading-3.5 whitespace-nowrap text-muted"
      title={`Win chance after fees ${chance}, ${origin}; expected ${expectedText(signal)}`}
    >
      <span className="text-text">chance {chance}</span>
      {isFull && ` ${origin}`}
    </span>
  );
}
