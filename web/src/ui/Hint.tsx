import { Popover } from '@base-ui/react/popover';
import { memo, type ReactNode } from 'react';
import { HelpLink, type HelpTopic, isTopic } from './HelpLink.tsx';

interface Props {
  /** What the trigger is, to a screen reader. */
  label?: string;
  lines: readonly ReactNode[];
  title?: string;
  className?: string;
  /** For a trigger that stays in place while the page scrolls, as in the bar: so does what it opens. */
  isFixed?: boolean;
  children: ReactNode;
}

/** More about a thing: one hover, tap, or Enter away. Unlike a title attribute it works on touch and by keyboard. */
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
  /** One sentence: what the number says. */
  meaning: string;
  formula?: string;
  /** A case small enough to check by head. */
  example?: string;
}

/** A definition that is written in the web names what explains it in the help; null while no article does. */
export type WrittenDefinition = Meaning & { topic: HelpTopic | null };

/** One of a registry has an id, which is its topic. */
export type Definition = WrittenDefinition | (Meaning & { id: string });

function topicOf(definition: Definition): HelpTopic | null {
  if ('topic' in definition) return definition.topic;
  return isTopic(definition.id) ? definition.id : null;
}

interface TermProps {
  definition: Definition;
  label?: ReactNode;
}

/** A name with its definition behind it. There are dozens on a screen whose figures change with each step of a slider. */
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
