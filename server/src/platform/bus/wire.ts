/** Key of an encoded array of numbers. */
const NUMBERS = '$f64';

/** JSON text of a value; arrays of numbers as base64 of their bytes, which is shorter and exact. */
export const encode = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Float64Array
      ? { [NUMBERS]: Buffer.from(each.buffer, each.byteOffset, each.byteLength).toString('base64') }
      : each,
  );

export const decode = (text: string): unknown =>
  JSON.parse(text, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null || !(NUMBERS in each)) return each;
    const bytes = Buffer.from(String(each[NUMBERS]), 'base64');
    // Copied: the buffer of the bytes is shared and not aligned.
    return new Float64Array(new Uint8Array(bytes).buffer);
  });
