import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface Props {
  label: ReactNode;
  /** Bounds and default, or the expected input. */
  hint?: ReactNode;
  error?: string | undefined;
  /** A link to the help, beside the label. Passed in: the list of help topics is larger than the sign-in page. */
  help?: ReactNode;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}

/** Label above, the control, then its hint, replaced by an error. */
export function Field({ label, hint, error, help, children }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {help === undefined ? (
        <label htmlFor={id} className="text-label font-medium">
          {label}
        </label>
      ) : (
        <span className="-my-1 flex items-center">
          <label htmlFor={id} className="text-label font-medium">
            {label}
          </label>
          {help}
        </span>
      )}
      {children({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error !== undefined,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={`text-label ${error === undefined ? 'text-muted' : 'text-down'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'name' | 'autoComplete' | 'inputMode'
> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

export function TextField({ label, hint, error, value, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          {...input}
          className="input"
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text in the look of every other input. */
export function TextArea({ className = '', ...props }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...props} className={`input text-area ${className}`} />;
}
