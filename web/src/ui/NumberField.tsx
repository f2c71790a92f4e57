import { type ReactNode, useState } from 'react';
import { Field } from './Field.tsx';
import { NumberInput, type NumberInputProps } from './NumberInput.tsx';

interface Props extends Omit<NumberInputProps, 'onError' | 'id' | 'aria-label'> {
  label: ReactNode;
  /** Bounds and default; the error takes its place. */
  hint?: string;
}

export function NumberField({ label, hint, ...input }: Props) {
  const [error, setError] = useState<string>();
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <NumberInput {...ids} {...input} onError={setError} />}
    </Field>
  );
}
