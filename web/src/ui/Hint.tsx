import { Popover } from '@base-ui/react/popover';
import { memo, type ReactNode } from 'react';
import { HelpLink, type HelpTopic, isTopic } from './HelpLink.tsx';

interface Props {
  /** Name of the trigger for screen readers. */
  label?: string;
  lines: readonly ReactNode[];
  title?: string;
  className?: string;
  /** For a trigger that does not scroll with the page, as in the bar: its popup is fixed too. */
  isFixed?: boolean;
  children: ReactNode;
}

/** More information, one hover, tap, or Enter away. Unlike a title attribute it works on touch and by keyboard. */
export function Hint({ label, lines, title, className, isFixed = false, children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger openOnHover delay={120} aria-label={label} className={className}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner
          positionMethod={isFixed ? 'fixed' : 'absolute'}
          sideOffset={6}
          collisionPadding={8}
          className="z-40"
        >
          <Popover.Popup className="popup flex max-w-80 flex-col gap-1.5 px-3 py-2 text-label outline-none">
            {title !== undefined && <Popover.Title className="font-semibold">{title}</Popover.Title>}
            {lines.map((line, at) => (
              <p key={at} className={at === 0 ? '' : 'text-muted'}>
                {line}
              </p>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface Meaning {
  name: string;
  /** One sentence: the meaning of the number. */
  meaning: string;
  formula?: string;
  /** A case small enough to check by head. */
  example?: string;
}

/** A definition written in the web names its help topic; null while no article explains it. */
export type WrittenDefinition = Meaning & { topic: HelpTopic | null };

/** A registry definition has an id, which is its topic. */
export type Definition = WrittenDefinition | (Meaning & { id: string });

function topicOf(definition: Definition): HelpTopic | null {
  if ('topic' in definition) return definition.topic;
  return isTopic(definition.id) ? definition.id : null;
}

interface TermProps {
  definition: Definition;
  label?: ReactNode;
}

/** A name with its definition. Memoised: a screen has dozens, and its figures change with each step of a slider. */
export const DefinedTerm = memo(function DefinedTerm({ definition, label }: TermProps) {
  const topic = topicOf(definition);
  const lines = [
    definition.meaning,
    ...(definition.formula === undefined ? [] : [<span className="font-mono">{definition.formula}</span>]),
    ...(definition.example === undefined ? [] : [`Example: ${definition.example}`]),
    ...(topic === null ? [] : [<HelpLink topic={topic}>Read more in the help</HelpLink>]),
  ];
  return (
    <Hint title={definition.name} lines={lines} className="definition-trigger">
      {label ?? definition.name}
    </Hint>
  );
});
