import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import type { Amount, ExitStatement, LevelSyntax } from '@sextant/workers/src/rules/syntax.ts';

/** Exits of the builder; an absent one is that of a text without it. Values are numbers or names of parameters, as they are written. */
export interface ExitRows {
  stop?: Level | undefined;
  target?: Level | undefined;
  trail?: Trail | undefined;
  /** Times the stop. */
  breakEven?: string | undefined;
  /** Candles. */
  hold?: string | undefined;
  opposite?: OppositeAction | undefined;
  size?: PositionSize | undefined;
}

export interface Level {
  unit: LevelSyntax['unit'];
  amount: string;
  /** Period of the average true range. */
  period?: string;
}

/** `step` and `after` are percent. */
export interface Trail extends Level {
  step?: string;
  after?: string;
}

export type OppositeAction = Extract<ExitStatement, { kind: 'on opposite' }>['action'];

/** `share`: percent of the balance. */
export type PositionSize = { by: 'risk'; share: string } | { by: 'fixed' };

const STANDARD_PERIOD = String(runParameters.atrPeriod.default);

export const exitKeys: Readonly<Record<ExitStatement['kind'], keyof ExitRows>> = {
  stop: 'stop',
  target: 'target',
  trail: 'trail',
  'break even': 'breakEven',
  hold: 'hold',
  'on opposite': 'opposite',
  risk: 'size',
  'size fixed': 'size',
};

/** The row of a statement, with its key alone. */
export function exitRow(statement: ExitStatement): ExitRows {
  switch (statement.kind) {
    case 'stop':
      return { stop: levelOf(statement.level) };
    case 'target':
      return { target: levelOf(statement.level) };
    case 'trail': {
      const { level, step, after } = statement;
      return {
        trail: {
          ...levelOf(level),
          ...(step && { step: amountText(step) }),
          ...(after && { after: amountText(after) }),
        },
      };
    }
    case 'break even':
      return { breakEven: amountText(statement.amount) };
    case 'hold':
      return { hold: amountText(statement.amount) };
    case 'on opposite':
      return { opposite: statement.action };
    case 'risk':
      return { size: { by: 'risk', share: amountText(statement.amount) } };
    case 'size fixed':
      return { size: { by: 'fixed' } };
  }
}

const amountText = (amount: Amount): string => (amount.kind === 'number' ? String(amount.value) : amount.name);

const levelOf = ({ unit, amount, period }: LevelSyntax): Level => ({
  unit,
  amount: amountText(amount),
  ...(period && { period: amountText(period) }),
});

/** A statement for each row, in the order of docs/rules.md. */
export function exitLines({ stop, target, trail, breakEven, hold, opposite, size }: ExitRows): string[] {
  return [
    stop && `stop ${levelText(stop)}`,
    target && `target ${levelText(target)}`,
    trail && `trail ${trailText(trail)}`,
    breakEven && `break even after ${timesText(breakEven)}`,
    hold && `hold ${hold}`,
    opposite && `on opposite ${opposite}`,
    size && (size.by === 'fixed' ? 'size fixed' : `risk ${size.share} %`),
  ].filter((line) => line !== undefined);
}

const timesText = (amount: string): string => (/^\d/.test(amount) ? `${amount}R` : `${amount} R`);

function levelText({ unit, amount, period = STANDARD_PERIOD }: Level): string {
  if (unit === 'atr') return `${amount} * atr(${period})`;
  return unit === '%' ? `${amount} %` : timesText(amount);
}

function trailText({ step, after, ...level }: Trail): string {
  const parts = [levelText(level), step && `step ${step} %`, after && `after ${after} %`];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Period of the average true range of the exits, which have one; undefined where none is measured by it. */
export function exitPeriod({ stop, target, trail }: ExitRows): string | undefined {
  const level = [stop, target, trail].find((each) => each?.unit === 'atr');
  return level && (level.period ?? STANDARD_PERIOD);
}

/** The exits that are measured by the average true range, with another period. */
export function withPeriod({ stop, target, trail }: ExitRows, period: string): ExitRows {
  const isByRange = (level: Level | undefined): boolean => level?.unit === 'atr';
  return {
    ...(isByRange(stop) && stop && { stop: { ...stop, period } }),
    ...(isByRange(target) && target && { target: { ...target, period } }),
    ...(isByRange(trail) && trail && { trail: { ...trail, period } }),
  };
}

/** The exit in another unit. @param period of the other exits */
export function withLevelUnit<T extends Level>(
  level: T | undefined,
  unit: Level['unit'],
  amount: string,
  period: string = STANDARD_PERIOD,
): Level & Omit<T, keyof Level> {
  const { unit: _, amount: __, period: ___, ...rest } = level ?? ({} as T);
  return { ...(rest as Omit<T, keyof Level>), unit, amount, ...(unit === 'atr' ? { period } : {}) };
}
