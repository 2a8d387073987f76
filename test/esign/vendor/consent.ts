/** Answers the vendor's question as a person. Returns the address to which the vendor redirects. */
export async function consent(authorizationUrl: string, answer: 'allow' | 'refuse' = 'allow'): Promise<URL> {
  const vendor = new URL(authorizationUrl).origin;
  const cookies = new Map<string, string>();
  const go = async (url: URL, method = 'GET') => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the vendor answered ${response.status}: ${await response.text()}`);
    return new URL(location, url);
  };
  const question = await go(new URL(authorizationUrl));
  let next = question.origin === vendor ? await go(new URL(`${question.href}/${answer}`), 'POST') : question;
  while (next.origin === vendor) next = await go(next);
  return next;
}
