/**
 * Own rules: runs a compiled program. Layouts, operations and bounds: abi/ruleProgram.ts. Addresses and lengths are plain numbers. A program
 * that breaks a bound, reads a register nothing has written or names an input, kind, output or frame that does not exist is
 * STATUS_BAD_PARAMETER, as is a value that is no valid period where one is needed; nothing is then written.
 */
export interface RuleExports {
  /**
   * @param code    i32[instructions * RULE_INSTRUCTION_LENGTH]
   * @param values  f64[valueCount]
   * @param frames  i32[frameCount * RULE_FRAME_LENGTH], the base first; all hold their candles in order of time
   * @param outputs i32[RULE_OUTPUT_COUNT]
   * @param signal  i8[count of the base], written: 1, -1 or 0
   * @param exits   i8[count of the base], written: bits RULE_EXITS_*
   * @returns       STATUS_OK, STATUS_BAD_PARAMETER or STATUS_OUT_OF_MEMORY
   */
  ruleSignals(
    code: number,
    instructions: number,
    values: number,
    valueCount: number,
    frames: number,
    frameCount: number,
    outputs: number,
    signal: number,
    exits: number,
  ): number;
  /**
   * The same program's columns.
   * @param operands i32[operandCount], of frame 0
   * @param out      f64[operandCount * count of the base], column after column
   */
  ruleColumns(
    code: number,
    instructions: number,
    values: number,
    valueCount: number,
    frames: number,
    frameCount: number,
    operands: number,
    operandCount: number,
    out: number,
  ): number;
  /**
   * Prepares a program for many sets of parameter values.
   * @param sweep i32[SWEEP_LENGTH]: every input field written; `market` prepared by optimizePrepare on a frame with the rules of the sets and
   *              no votes, `plain` a frame of its own with score, exits, atr, range, equity and summary, both over the candles of the base
   * @returns     STATUS_OK, STATUS_BAD_PARAMETER or STATUS_OUT_OF_MEMORY
   */
  sweepPrepare(sweep: number): number;
  /**
   * Runs sets on candles [start, end). What it computes stays in the arena for later calls.
   * @param sets    i32[count * parameterCount]: the place of each value in its parameter's list
   * @param exits   f64[count * exitCount]: rules of each set; 0 where exitCount is 0
   * @param target  TARGET_*
   * @param results f64[RESULT_LENGTH * count], column after column
   * @param equity  f64[(end - start) * count], mark-to-market equity of each candle, set after set; or 0
   * @returns       STATUS_OK or STATUS_OUT_OF_MEMORY
   */
  sweepSets(
    sweep: number,
    sets: number,
    exits: number,
    count: number,
    start: number,
    end: number,
    target: number,
    results: number,
    equity: number,
  ): number;
}
