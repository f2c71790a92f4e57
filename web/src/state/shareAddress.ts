/** Prefix of a URL fragment that holds a shared run. */
export const SHARE_PREFIX = '#share=';

export const isShareAddress = (fragment: string): boolean => fragment.startsWith(SHARE_PREFIX);
