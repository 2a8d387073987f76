import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { askForPasskey, isPasskeyBrowser } from './ask-for-passkey.ts';
import { confirmText } from './confirm-texts.ts';
import { useSignedInElsewhere } from './use-signed-in-elsewhere.ts';

interface DialogProps {
  onConfirmed: () => void;
  onClose: () => void;
}

/** Asks for a code, or else the password, or else a passkey. People who have none of them sign in again, in another tab. */
export function ConfirmIdentityDialog({ onConfirmed, onClose }: DialogProps) {
  const { has_password, totp, passkeys, person } = useMe();
  const queryClient = useQueryClient();
  const asksForCode = totp.confirmed_at !== null;
  const hasPasskey = passkeys.count > 0 && passkeys.are_available && isPasskeyBrowser;
  const confirm = async (form: FormData) => {
    if (asksForCode) await api.post('/confirm/code', { body: { code: form.get('code') } });
    else await api.post('/confirm/password', { body: { password: form.get('password') } });
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    onConfirmed();
  };
  if (!asksForCode && !has_password && !hasPasskey) {
    return <SignInElsewhere {...{ onConfirmed, onClose }} />;
  }
  const asksForPasskey = hasPasskey && !asksForCode && !has_password;
  return (
    <ConfirmDialog
      title={confirmText.title}
      action={asksForPasskey ? confirmText.usePasskey : confirmText.confirm}
      failures={confirmText.failures}
      onClose={onClose}
      onConfirm={asksForPasskey ? () => confirmByPasskey().then(onConfirmed) : confirm}
    >
      <p>{confirmText.why}</p>
      {/* For password managers. */}
      <input type="text" autoComplete="username" value={person.email} readOnly hidden />
      {asksForCode && (
        <TextField
          name="code"
          label={confirmText.code}
          hint={confirmText.codeHint}
          autoComplete="one-time-code"
          required
        />
      )}
      {!asksForCode && has_password && (
        <TextField
          name="password"
          type="password"
          label={confirmText.password}
          autoComplete="current-password"
          required
        />
      )}
      {hasPasskey && !asksForPasskey && <PasskeyButton onConfirmed={onConfirmed} />}
    </ConfirmDialog>
  );
}

/** For people who could also type a code or the password. */
function PasskeyButton({ onConfirmed }: Pick<DialogProps, 'onConfirmed'>) {
  const { mutate, isPending, error } = useMutation({ mutationFn: confirmByPasskey, onSuccess: onConfirmed });
  return (
    <div>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {confirmText.usePasskey}
      </Button>
      <Problem of={error} failures={confirmText.failures} className="mt-3" />
    </div>
  );
}

/** The sign-in opens in a tab of its own, so that what was typed here stays. This page notices it. */
function SignInElsewhere({ onConfirmed, onClose }: DialogProps) {
  const { sso } = useMe();
  const [isUnproven, setUnproven] = useState(false);
  useSignedInElsewhere(onConfirmed, true, () => setUnproven(true));
  return (
    <Dialog title={confirmText.title} onClose={onClose}>
      <p>{sso === null ? confirmText.byLink : confirmText.bySso}</p>
      <div role="status">{isUnproven && <p className="mt-4 font-medium">{confirmText.unproven}</p>}</div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{uiText.cancel}</Button>
        <a
          href={sso?.id ? `/sign-in/sso/${sso.id}?again` : '/?to=/documents'}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('primary')}
        >
          {confirmText.signInAgain}
        </a>
      </div>
    </Dialog>
  );
}

async function confirmByPasskey(): Promise<void> {
  const { options } = await api.post('/confirm/passkey/options');
  await api.post('/confirm/passkey', { body: { response: await askForPasskey(options) } });
}
