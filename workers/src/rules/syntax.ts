import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Span } from './problems.ts';

/** The syntax tree of a rule text. Every node has its characters. */

export type ComparisonSign = '<' | '<=' | '>' | '>=' | '==' | '!=';
export type BinarySign = '+' | '-' | '*' | '/' | ComparisonSign | 'and' | 'or';

export type Expression =
  | { kind: 'number'; value: number; at: Span }
  | { kind: 'name'; name: string; at: Span }
  | { kind: 'unary'; sign: '-' | 'not'; of: Expression; at: Span }
  | { kind: 'binary'; sign: BinarySign; left: Expression; right: Expression; at: Span }
  /** `x in low..high` */
  | { kind: 'within'; of: Expression; low: Expression; high: Expression; at: Span }
  /** `x[back]` */
  | { kind: 'past'; of: Expression; back: Expression; at: Span }
  | { kind: 'call'; name: string; nameAt: Span; inputs: Argument[]; at: Span }
  /** `of.name` */
  | { kind: 'output'; of: Expression; name: string; nameAt: Span; at: Span }
  /** `4h(of)` */
  | { kind: 'frame'; interval: IntervalName; of: Expression; at: Span };

export interface Argument {
  /** Set when it is given as `name = value`. */
  name?: { text: string; at: Span };
  value: Expression;
}

/** A number of an exit: written out or a parameter. */
export type Amount = { kind: 'number'; value: number; at: Span } | { kind: 'name'; name: string; at: Span };

export interface LevelSyntax {
  /** `2 %`, `2 * atr(14)`, `3 R` */
  unit: '%' | 'atr' | 'R';
  amount: Amount;
  /** Period of the average true range; absent: the default. */
  period?: Amount;
}

export const conditionKinds = ['long', 'short', 'exitLong', 'exitShort'] as const;
export type ConditionKind = (typeof conditionKinds)[number];

export type Statement =
  | {
      kind: 'parameter';
      name: string;
      nameAt: Span;
      value: number;
      /** Characters of the value, its sign included. */
      valueAt: Span;
      range?: ParameterRange;
      at: Span;
    }
  /** `of` is absent when the expression has a syntax error; the name is then known but has no value. */
  | { kind: 'value'; name: string; nameAt: Span; of?: Expression; at: Span }
  | { kind: 'condition'; side: ConditionKind; of?: Expression; at: Span }
  | ExitStatement;

export interface ParameterRange {
  from: number;
  to: number;
  step: number;
  at: Span;
}

export type ExitStatement =
  | { kind: 'stop'; level: LevelSyntax; at: Span }
  | { kind: 'target'; level: LevelSyntax; at: Span }
  | { kind: 'trail'; level: LevelSyntax; step?: Amount; after?: Amount; at: Span }
  | { kind: 'break even'; amount: Amount; at: Span }
  | { kind: 'hold'; amount: Amount; at: Span }
  | { kind: 'on opposite'; action: 'hold' | 'exit' | 'reverse'; at: Span }
  | { kind: 'risk'; amount: Amount; at: Span }
  | { kind: 'size fixed'; at: Span };

export const isComparison = (sign: BinarySign): sign is ComparisonSign =>
  sign === '<' || sign === '<=' || sign === '>' || sign === '>=' || sign === '==' || sign === '!=';

export const spanFrom = (first: Span, last: Span): Span => ({ start: first.start, end: last.end });
