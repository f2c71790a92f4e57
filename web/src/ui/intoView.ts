/** As a ref: an element that appears is scrolled into sight, no further than needed. */
export const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
