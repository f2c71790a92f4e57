export const exitNames = {
  TP: 'Target',
  SL: 'Stop',
  LIQ: 'Liquidation',
  END: 'End of data',
  TIME: 'Time limit',
} as const;
