import { seriesColours } from './chartModel.ts';

const tokens = [
  'text',
  'muted',
  'line',
  'grid',
  'panel',
  'bg',
  'accent',
  'up',
  'down',
  'warn',
  'up-soft',
  'down-soft',
  ...seriesColours,
] as const;

export type Colours = Record<(typeof tokens)[number], string>;

/** The theme's colours, resolved for a canvas, which supports neither var() nor the tokens behind it. */
export function readColours(): Colours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const entries = tokens.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries) as Colours;
}
