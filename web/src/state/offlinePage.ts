/** Whether the service worker opened this page, because there is no network. False during prerendering, which has no document. */
export const isOfflinePage = (): boolean =>
  typeof document !== 'undefined' && document.getElementById('root')?.dataset['for'] === 'offline';
