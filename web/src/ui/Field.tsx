import { type ReactNode, useId } from 'react';
import { type HelpTopic, SettingHelp } from './HelpLink.tsx';

interface Props {
  label: ReactNode;
  /** Bounds and default, or what the field wants. */
  hint?: ReactNode;
  error?: string | undefined;
  /** What the help says about it. */
  topic?: HelpTopic | undefined;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}

/** Label above, the control, then its hint, or in its place what is wrong with it. */
export function Field({ label, hint, error, topic, children }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {topic === undefined ? (
        <label htmlFor={id} className="text-label font-medium">
          {label}
        </label>
      ) : (
        <span className="-my-1 flex items-center">
          <label htmlFor={id} className="text-label font-medium">
            {label}
          </label>
          <SettingHelp topic={topic} />
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
