const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A count as running text has it, in words up to ten: "one day", "three days", "30 days". @param one the noun of one */
export const manyInWords = (count: number, one: string): string =>
  `${words[count] ?? count} ${one}${count === 1 ? '' : 's'}`;
