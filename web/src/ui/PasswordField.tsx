import { Field } from './Field.tsx';
import { StrengthMeter } from './StrengthMeter.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  /** `new` shows how strong it is; what an attacker would try first is in `about`. */
  kind: 'current' | 'new';
  about?: string[];
}

/** A password: masked, kept as typed. */
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
