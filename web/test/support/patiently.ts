/** For `vi.waitFor`, whose second is short for a machine that has other work. A limit for a hang only. */
export const patiently = { timeout: 20_000 };
