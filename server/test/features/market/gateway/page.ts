export interface Account {
  id: string;
  headers: Record<string, string>;
}

/** A new account of a node, signed in. */
export async function signUpAt(url: string): Promise<Account> {
  const response = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'page@example.com', password: 'correct horse battery' }),
  });
  if (!response.ok) throw new Error(`sign-up: HTTP ${response.status}`);
  const { token, user } = (await response.json()) as { token: string; user: { id: string } };
  return { id: user.id, headers: { authorization: `Bearer ${token}` } };
}

/** An open page that listens to the events of its account. */
export async function openPage(
  url: string,
  { headers }: Account,
): Promise<{ topics: () => string[]; close: () => void }> {
  const left = new AbortController();
  const response = await fetch(`${url}/api/events`, { headers, signal: left.signal });
  if (!response.ok || response.body === null) throw new Error(`events: HTTP ${response.status}`);
  let text = '';
  const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const bytes of body) text += Buffer.from(bytes).toString('utf8');
  };
  read(response.body).catch(() => undefined);
  return {
    topics: () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, topic]) => topic ?? ''),
    close: () => left.abort(),
  };
}
