import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { ssoText } from './sso-texts.ts';

/** For members whose account at the provider was made again. */
export function SsoUnlink() {
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const unlink = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setSaid('');
    setFailure(null);
    try {
      await api.post('/sso/unlink', { body: { email } });
      setEmail('');
      setSaid(ssoText.unlinked);
    } catch (reason) {
      setFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="grid gap-3" aria-labelledby="sso-unlink">
      <h2 id="sso-unlink" className="text-xl">
        {ssoText.unlinkTitle}
      </h2>
      <p className="text-soft">{ssoText.unlinkIntro}</p>
      <form noValidate className="grid gap-3" onSubmit={unlink}>
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-52">
            <TextField
              label={ssoText.memberEmail}
              type="email"
              autoComplete="off"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </div>
          <Button type="submit" isBusy={isBusy}>
            {ssoText.unlink}
          </Button>
        </div>
        <Problem of={failure} failures={ssoText.failures} />
        <p role="status" className="font-medium text-good empty:hidden">
          {said}
        </p>
      </form>
    </section>
  );
}
