/** Script of all server-rendered console pages. Sends the forms and shows the results. */
type Texts = Record<string, string>;
type Answer =
  | { kind: 'done'; body: Record<string, unknown> }
  | { kind: 'refused'; code: string; value: string; retryAfterSeconds: number }
  | { kind: 'unreachable' };

const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Texts;
const next = document.querySelector('main')?.dataset.next ?? '/';
const problem = document.getElementById('problem');
const progress = document.getElementById('progress');
/** Whether the provider asks who it is even of a person who is signed in there. */
const asksAgain = new URLSearchParams(location.search).has('again');
const answerWithinMs = 30_000;
const typingPauseMs = 400;
let isSending = false;

onSubmit('password-form', async () => {
  const { value: email } = field('email');
  const { value: password } = field('password');
  if (email.trim() === '') return complain(texts.emailMissing, field('email'));
  if (password === '') return complain(texts.passwordMissing, field('password'));
  goOn(await post('sign-in', { email: email.trim(), password }), field('password'));
});
onClick('send-link', async () => {
  const email = field('email').value.trim();
  if (email === '') return complain(texts.emailMissing, field('email'));
  const answer = await post('sign-in/link', { email, next });
  if (answer.kind === 'done') location.assign(`/sign-in/sent${next === '/' ? '' : `?to=${encodeURIComponent(next)}`}`);
  else explain(answer, field('email'));
});
onSubmit('code-form', async () => {
  const code = field('code').value.trim();
  if (code === '') return complain(texts.codeMissing, field('code'));
  goOn(await post('sign-in/second-factor', { code }), field('code'));
});
onSubmit('link-form', async () => {
  const token = document.getElementById('link-form')?.dataset.token;
  goOn(await post('sign-in/use-link', { token }), null);
});
if (hasPasskeys()) onClick('use-passkey', usePasskey);
else document.getElementById('use-passkey')?.remove();
onClick('sign-out', async () => {
  const answer = await post('sign-out', {});
  if (answer.kind === 'done') location.assign('/');
  else explain(answer, null);
});

for (const button of document.querySelectorAll<HTMLElement>('[data-sso]')) {
  button.addEventListener('click', () => void once(() => startSso(button.dataset.sso ?? '', { again: asksAgain })));
}
if (document.getElementById('sso-callback') !== null) void once(completeSso);
offerSso();
document.documentElement.classList.add('is-scripted');

/** Offers single sign-on while the address is of a company's domain. Only the domain is sent. */
function offerSso(): void {
  const input = document.getElementById('email') as HTMLInputElement | null;
  const offer = document.getElementById('sso-offer');
  const hint = document.getElementById('sso-hint');
  if (input === null || offer === null) return;
  let asked = '';
  let id: string | null = null;
  const look = async () => {
    const domain = /@([^@\s]+\.[^@\s.]+)$/.exec(input.value.trim())?.[1]?.toLowerCase() ?? '';
    if (domain === asked) return;
    asked = domain;
    const answer = domain === '' ? null : await post('sign-in/sso/domain', { domain });
    if (asked !== domain) return;
    id = answer?.kind === 'done' && typeof answer.body.id === 'string' ? answer.body.id : null;
    offer.hidden = id === null;
    // Announced to screen readers, since it appears while the person types.
    if (progress !== null) progress.textContent = id === null ? '' : (hint?.textContent ?? '');
  };
  let timer = 0;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), typingPauseMs);
  });
  input.addEventListener('change', () => void look());
  // The browser may have filled it in.
  void look();
  onClick('use-sso', async () => {
    if (id !== null) await startSso(id, { email: input.value.trim() });
  });
}

async function startSso(id: string, more: { email?: string; again?: boolean }): Promise<void> {
  const answer = await post('sign-in/sso/start', { id, next, ...more });
  if (answer.kind === 'done') location.assign(String(answer.body.redirect_to));
  else explainSso(answer);
}

async function completeSso(): Promise<void> {
  const account = location.pathname.split('/').at(-1) ?? '';
  const answer = await post('sign-in/sso/complete', { account, query: location.search });
  if (answer.kind === 'done') location.replace(String(answer.body.to));
  else explainSso(answer);
}

/** The address of the next page has no code or state. */
function explainSso(answer: Exclude<Answer, { kind: 'done' }>): void {
  if (answer.kind === 'refused' && answer.code === 'sso_failed') {
    location.replace(`/sign-in/sso/failed?reason=${encodeURIComponent(answer.value)}`);
  } else {
    explain(answer, null);
  }
}

/** Older browsers, and those that other apps show, lack passkeys or the functions for their JSON. */
function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

async function usePasskey(): Promise<void> {
  const asked = await post('sign-in/passkey/options', {});
  if (asked.kind !== 'done') return explain(asked, null);
  const options = asked.body.options as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return complain(texts.passkeyCancelled, null);
  goOn(await post('sign-in/passkey', { response: credential.toJSON() }), null);
}

function goOn(answer: Answer, at: HTMLInputElement | null): void {
  if (answer.kind !== 'done') explain(answer, at);
  else if (typeof answer.body.sso_id === 'string') location.assign(withTo(`/sign-in/sso/${answer.body.sso_id}`));
  else if (answer.body.next === 'signed_in' || next === '/') location.assign(next);
  else location.assign(withTo('/'));
}

function withTo(path: string): string {
  return `${path}?to=${encodeURIComponent(next)}`;
}

async function post(path: string, body: object): Promise<Answer> {
  try {
    const response = await fetch(`/console/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.ok) return { kind: 'done', body: answer };
    const { code, value } = (answer.error ?? {}) as { code?: unknown; value?: unknown };
    const retryAfterSeconds = Number(response.headers.get('retry-after'));
    return { kind: 'refused', code: String(code), value: String(value), retryAfterSeconds };
  } catch {
    return { kind: 'unreachable' };
  }
}

function explain(answer: Exclude<Answer, { kind: 'done' }>, at: HTMLInputElement | null): void {
  if (answer.kind === 'unreachable') complain(texts.unreachable, null);
  else if (answer.code === 'too_many_tries') complain(tooManyTries(answer.retryAfterSeconds, at), null);
  else complain(texts[answer.code] ?? texts.failed, at);
}

function tooManyTries(seconds: number, at: HTMLInputElement | null): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const when = new Intl.RelativeTimeFormat(document.documentElement.lang).format(minutes, 'minute');
  const sentence = texts.too_many_tries?.replace('{when}', when) ?? '';
  return at?.id === 'password' ? `${sentence} ${texts.tooManyHint}` : sentence;
}

function complain(sentence: string | undefined, at: HTMLInputElement | null): void {
  if (problem !== null) problem.textContent = sentence ?? '';
  at?.setAttribute('aria-invalid', 'true');
  at?.focus();
  at?.select();
}

function onSubmit(id: string, act: () => Promise<void>): void {
  const form = document.getElementById(id);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void once(act);
  });
}

function onClick(id: string, act: () => Promise<void>): void {
  document.getElementById(id)?.addEventListener('click', () => void once(act));
}

/** Allows one request at a time. It does not use `disabled`, because that would drop the keyboard focus. */
async function once(act: () => Promise<void>): Promise<void> {
  if (isSending) return;
  isSending = true;
  complain('', null);
  for (const input of document.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
  showSending(true);
  await act().catch(() => complain(texts.failed, null));
  showSending(false);
  isSending = false;
}

function showSending(isOn: boolean): void {
  for (const button of document.querySelectorAll('button')) button.setAttribute('aria-disabled', String(isOn));
  if (progress !== null) progress.textContent = isOn ? (texts.working ?? '') : '';
}

function field(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement;
}
