/** A value of a record by a name that comes from outside: `constructor` and `__proto__` are in no record. */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
