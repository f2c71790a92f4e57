import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Field } from './Field.tsx';
import { type HelpTopic, SettingHelp } from './HelpLink.tsx';

/** Meaning of a typed text for a field with bounds. */
type NumberDraft = { kind: 'value'; value: number } | { kind: 'error'; text: string };

interface Bounds {
  min: number;
  max: number;
}

/** Plain notation only; Number() alone would accept blanks, 0x10 and Infinity. A decimal comma is accepted. */
const plain = /^[-\u2212]?\d*([.,]\d*)?$/;

export function readNumber(text: string, { min, max }: Bounds): NumberDraft {
  const trimmed = text.trim();
  const value = Number(trimmed.replace('\u2212', '-').replace(',', '.'));
  if (trimmed === '' || !plain.test(trimmed) || !/\d/.test(trimmed) || !Number.isFinite(value))
    return { kind: 'error', text: 'Enter a number' };
  if (value < min || value > max) return { kind: 'error', text: `${min} to ${max}` };
  return { kind: 'value', value };
}

/** A value as editable text: as many decimals as it needs, at most `decimals`, without separators. */
export function numberText(value: number | null, decimals: number): string {
  return value === null ? '' : String(Number(value.toFixed(decimals)));
}

interface NumberInputProps {
  /** Null: an empty field. */
  value: number | null;
  min: number;
  max: number;
  step: number;
  decimals: number;
  unit?: string;
  isSmall?: boolean;
  isDisabled?: boolean;
  /** Each value within the bounds while typing; at the end of the edit the nearest valid one. */
  onChange: (value: number) => void;
  /** The field may be emptied. */
  onClear?: (() => void) | undefined;
  /** Error of the current text; undefined when it is valid. */
  onError?: (text: string | undefined) => void;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean;
}

/** Shown when the field is left: a value is never changed silently. */
function beyondText(typed: number, { min, max, decimals }: Pick<NumberInputProps, 'min' | 'max' | 'decimals'>): string {
  const [side, bound] = typed > max ? ['at most', max] : ['at least', min];
  const shown = numberText(bound, decimals);
  return `${side} ${shown}: ${String(typed)} became ${shown}`;
}

/** A text field for a number: a native number field would hide wrong input. Up and Down step, Shift steps tenfold. */
export function NumberInput(props: NumberInputProps) {
  const {
    value,
    min,
    max,
    step,
    decimals,
    unit = '',
    isSmall = false,
    isDisabled = false,
    onChange,
    onClear,
    onError,
    ...aria
  } = props;
  const [text, setText] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = text ?? numberText(value, decimals);
  // A value may arrive while its field has the focus: what is typed next replaces it, as on entering the field, and is not added to it.
  const isUntyped = text === null;
  useLayoutEffect(() => {
    const field = input.current;
    if (isUntyped && field !== null && field === document.activeElement) field.select();
  }, [isUntyped, shown]);

  const take = (next: number) => onChange(Number(Math.min(max, Math.max(min, next)).toFixed(decimals)));
  const edit = (typed: string) => {
    setText(typed);
    if (typed.trim() === '' && onClear !== undefined) {
      onError?.(undefined);
      onClear();
      return;
    }
    const read = readNumber(typed, { min, max });
    onError?.(read.kind === 'error' ? read.text : undefined);
    if (read.kind === 'value') take(read.value);
  };
  const finish = () => {
    if (text === null) return;
    if (text.trim() === '' && onClear !== undefined) {
      setText(null);
      return;
    }
    const read = readNumber(text, { min: -Infinity, max: Infinity });
    if (read.kind === 'value') take(read.value);
    setText(null);
    const isBeyond = read.kind === 'value' && (read.value < min || read.value > max);
    onError?.(isBeyond ? beyondText(read.value, { min, max, decimals }) : undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') finish();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const steps = (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1);
    setText(null);
    onError?.(undefined);
    take((value ?? min) + (value === null ? 0 : steps * step));
  };

  return (
    <span className="relative block">
      <input
        {...aria}
        ref={input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        disabled={isDisabled}
        className={`input number-input ${isSmall ? 'input-small' : ''}`}
        style={unit === '' ? undefined : { paddingRight: `calc(${unit.length}ch + 14px)` }}
        value={shown}
        onChange={(event) => edit(event.target.value)}
        onBlur={finish}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
      />
      {unit !== '' && (
        <span className="pointer-events-none absolute inset-y-0 right-2 grid place-items-center text-label text-muted">
          {unit}
        </span>
      )}
    </span>
  );
}

export interface NumberFieldProps extends Omit<NumberInputProps, 'onError' | 'id' | 'aria-label'> {
  label: ReactNode;
  /** Bounds and default; an error replaces it. */
  hint?: string | undefined;
  /** What is wrong with the value; an error of the text that is typed replaces it. */
  problem?: string | null | undefined;
  topic?: HelpTopic;
}

export function NumberField({ label, hint, problem, topic, ...input }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Field
      label={label}
      hint={hint}
      error={typed ?? problem ?? undefined}
      help={topic && <SettingHelp topic={topic} />}
    >
      {(ids) => <NumberInput {...ids} {...input} onError={setTyped} />}
    </Field>
  );
}
