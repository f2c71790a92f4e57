import { RULE_EXITS_LONG, RULE_EXITS_SHORT } from '../../abi/ruleProgram';
import { at } from '../series';

// What a program's conditions say, as the simulator reads it. A condition holds only where it is true.

/** 1 where long alone holds, -1 where short alone does, else 0. @param long f64[count]; 0: never, as `short` */
export function writeSignal(long: usize, short: usize, count: i32, signal: usize): void {
  for (let i = 0; i < count; i++) {
    store<i8>(signal + <usize>i, <i8>(holds(long, i) - holds(short, i)));
  }
}

export function writeExits(long: usize, short: usize, count: i32, exits: usize): void {
  for (let i = 0; i < count; i++) {
    store<i8>(exits + <usize>i, <i8>(holds(long, i) * RULE_EXITS_LONG + holds(short, i) * RULE_EXITS_SHORT));
  }
}

function holds(condition: usize, i: i32): i32 {
  if (condition === 0) return 0;
  const value = at(condition, i);
  return i32(value < 0) | i32(value > 0);
}
