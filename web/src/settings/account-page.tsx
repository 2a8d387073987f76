import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { accountText } from './account-texts.ts';
import { Authenticator } from './authenticator.tsx';
import { OwnNotices } from './own-notices.tsx';
import { Passkeys } from './passkeys.tsx';
import { savedSignatureText } from './saved-signature-texts.ts';
import { SavedSignatures } from './saved-signatures.tsx';
import { Sessions } from './sessions.tsx';

/** The user's sign-in methods and sessions. */
export function AccountPage() {
  const { person, sso, account } = useMe();
  return (
    <div className="max-w-3xl">
      <PageTitle>{accountText.title}</PageTitle>
      <p className="mt-2 text-soft">{fill(accountText.intro, { email: person.email })}</p>
      {sso === null ? <OwnProofs /> : <p className="mt-6 max-w-2xl">{accountText.ssoOnly}</p>}
      <AccountSection title={fill(accountText.notices, { company: account.display_name })}>
        <OwnNotices />
      </AccountSection>
      <AccountSection title={accountText.sessions}>
        <Sessions />
      </AccountSection>
    </div>
  );
}

function OwnProofs() {
  return (
    <>
      <Password />
      <AccountSection title={accountText.authenticator}>
        <Authenticator />
      </AccountSection>
      <AccountSection title={accountText.passkeys}>
        <Passkeys />
      </AccountSection>
      <AccountSection title={savedSignatureText.title}>
        <SavedSignatures />
      </AccountSection>
    </>
  );
}

function AccountSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8 border-t border-rule pt-5">
      <h2 className="mb-2 text-xl">{title}</h2>
      <div className="grid gap-3">{children}</div>
    </section>
  );
}

function Password() {
  const { has_password, person } = useMe();
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState('');
  const queryClient = useQueryClient();
  const save = async (form: FormData) => {
    const current = form.get('current');
    await api.post('/password', { body: { password: form.get('password'), ...(current === null ? {} : { current }) } });
    setSaid(accountText.passwordChanged);
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
  };
  const action = has_password ? accountText.changePassword : accountText.setPassword;
  return (
    <AccountSection title={accountText.password}>
      <p>{has_password ? accountText.hasPassword : accountText.noPassword}</p>
      <p role="status" className="font-medium text-good empty:absolute">
        {said}
      </p>
      <p>
        <Button onClick={() => setAsking(true)}>{action}</Button>
      </p>
      {isAsking && (
        <ConfirmDialog
          title={action}
          action={action}
          failures={{ ...accountText.failures, invalid_input: accountText.failures.unsafe_password as string }}
          onConfirm={save}
          onClose={() => setAsking(false)}
        >
          {/* For password managers. */}
          <input type="text" autoComplete="username" value={person.email} readOnly hidden />
          {has_password && (
            <TextField
              name="current"
              type="password"
              label={accountText.current}
              autoComplete="current-password"
              required
            />
          )}
          <TextField
            name="password"
            type="password"
            label={accountText.fresh}
            hint={accountText.passwordHint}
            autoComplete="new-password"
            required
          />
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}
