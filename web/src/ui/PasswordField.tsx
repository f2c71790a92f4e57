import { useEffect, useState } from 'react';
import { Field } from './Field.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  /** `new` shows its strength; `about` has what an attacker would try first. */
  kind: 'current' | 'new';
  about?: string[];
}

/** A password: masked, unchanged as typed. */
export function PasswordField({ label, value, onChange, error, hint, kind, about = [] }: Props) {
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} hint={hint} error={error}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            type="password"
            name="password"
            autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
            required
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {kind === 'new' && <StrengthMeter password={value} about={about} />}
    </div>
  );
}

/** 0 (guessed at once) to 4 (not within a lifetime), with advice. */
interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  advice: string | null;
}

type Check = (password: string, about: string[]) => Strength;

let loading: Promise<Check> | undefined;

/** The estimator and its word lists are large: loaded at the first keystroke of a new password, never with a page. */
function loadStrengthCheck(): Promise<Check> {
  loading ??= (async () => {
    const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
    return (password, about) => {
      const { score } = estimator.check(password.slice(0, 100), about);
      return { score, advice: score >= 3 ? null : 'Add one or two unrelated words' };
    };
  })();
  // A failure is tried again at the next keystroke.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;

interface StrengthMeterProps {
  password: string;
  /** What an attacker would try first: the email, the name. */
  about: string[];
}

/** How long a password would hold, as four bars and a word. Advice only: the server's rules decide. */
function StrengthMeter({ password, about }: StrengthMeterProps) {
  const [strength, setStrength] = useState<Strength | null>(null);
  const hints = about.join('\n');
  useEffect(() => {
    let isStale = false;
    if (password !== '') {
      loadStrengthCheck().then(
        (check) => {
          if (!isStale) setStrength(check(password, hints.split('\n')));
        },
        // Without the estimator there is no meter; the password can still be set.
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
