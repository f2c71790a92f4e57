import { useEffect, useState } from 'react';
import { loadStrengthCheck, type Strength } from './passwordStrength.ts';

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;

interface Props {
  password: string;
  /** What an attacker would try first: the email, the name. */
  about: string[];
}

/** How long a password would hold, as four bars and a word. Advice only: the server's rules decide. */
export function StrengthMeter({ password, about }: Props) {
  const [strength, setStrength] = useState<Strength | null>(null);
  const hints = about.join('\n');
  useEffect(() => {
    let isStale = false;
    if (password !== '') {
      loadStrengthCheck().then(
        (check) => {
          if (!isStale) setStrength(check(password, hints.split('\n')));
        },
        // Without the estimator there is no meter; the password can be chosen all the same.
        () => undefined,
      );
    }
    return () => {
      isStale = true;
    };
  }, [password, hints]);
  const shown = password === '' ? null : strength;
  return (
    <div className="flex min-h-4 flex-col gap-1" aria-live="polite">
      <div className="grid grid-cols-4 gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={`h-1 rounded-full ${shown !== null && shown.score >= bar ? 'bg-accent' : 'bg-line'}`}
          />
        ))}
      </div>
      <p className="text-label text-muted">
        {shown === null ? ' ' : `${words[shown.score]}${shown.advice === null ? '' : `. ${shown.advice}.`}`}
      </p>
    </div>
  );
}
