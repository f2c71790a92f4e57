import { useEffect, useState } from 'react';

/**
 * The token of a mailed link, from behind the #. It leaves the address bar once the page stands: it must not stay in the history,
 * and a browser never sends the fragment to a server. Not while rendering, which may happen twice.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    if (window.location.hash !== '') window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}
