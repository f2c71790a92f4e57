import { type ReactNode, useState } from 'react';
import { Field } from './Field.tsx';
import type { HelpTopic } from './HelpLink.tsx';
import { NumberInput, type NumberInputProps } from './NumberInput.tsx';

interface Props extends Omit<NumberInputProps, 'onError' | 'id' | 'aria-label'> {
  label: ReactNode;
  /** Bounds and default; the error takes its place. */
  hint?: string;
  topic?: HelpTopic;
}

export function NumberField({ label, hint, topic, ...input }: Props) {
  const [error, setError] = useState<string>();
  return (
    <Field label={label} hint={hint} error={error} topic={topic}>
      {(ids) => <NumberInput {...ids} {...input} onError={setError} />}
    </Field>
  );
}
