import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, ApiFailure, api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { isPasskeyBrowser } from '../shell/ask-for-passkey.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { accountText } from './account-texts.ts';

type Passkey = AnswerOf<'GET', '/passkeys'>['data'][number];

type Open = { kind: 'add' } | { kind: 'remove'; passkey: Passkey };

export function Passkeys() {
  const { passkeys } = useMe();
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => api.get('/passkeys'),
  });
  const renew = async () => {
    await queryClient.invalidateQueries({ queryKey: ['passkeys'] });
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const close = () => setOpen(null);
  const addFailures = {
    ...accountText.failures,
    cancelled: accountText.passkeyCancelled,
    passkey_exists: accountText.passkeyExists,
  };
  const supported = isPasskeyBrowser ? accountText.passkeysText : accountText.passkeysUnsupported;
  return (
    <>
      <p>{passkeys.are_available ? supported : accountText.passkeysUnavailable}</p>
      <Problem of={error} />
      <ul className="grid gap-2">
        {data?.data.map((passkey) => (
          <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 flex-1 basis-52">
              <bdi className="font-semibold">{passkey.name}</bdi>
              <span className="block text-sm text-soft">
                {accountText.added} <Time at={passkey.created_at} /> · {accountText.used}{' '}
                {passkey.last_used_at === null ? accountText.never : <Time at={passkey.last_used_at} />}
              </span>
            </span>
            <Button
              kind="danger"
              aria-label={`${accountText.remove}: ${passkey.name}`}
              onClick={() => setOpen({ kind: 'remove', passkey })}
            >
              {accountText.remove}
            </Button>
          </li>
        ))}
      </ul>
      {passkeys.are_available && isPasskeyBrowser && (
        <p>
          <Button onClick={() => setOpen({ kind: 'add' })}>{accountText.addPasskey}</Button>
        </p>
      )}
      {open?.kind === 'add' && (
        <ConfirmDialog
          title={accountText.addPasskey}
          action={accountText.addPasskey}
          failures={addFailures}
          onClose={close}
          // A failure may come from a passkey that is stored although its answer was lost.
          onConfirm={(form) => register(String(form.get('name'))).finally(renew)}
        >
          <TextField
            name="name"
            label={accountText.passkeyName}
            hint={accountText.passkeyNameHint}
            maxLength={100}
            required
          />
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={accountText.removePasskeyTitle}
          action={accountText.remove}
          isDangerous
          onClose={close}
          onConfirm={() => api.remove('/passkeys/:id', { params: { id: open.passkey.id } }).then(renew)}
        >
          <p>{fill(accountText.removePasskeyText, { name: open.passkey.name })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Creates a passkey. The browser asks the user. */
async function register(name: string): Promise<void> {
  const { options } = await api.post('/passkeys/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as object as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    // The browser found one of the passkeys that the options exclude.
    const exists = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new ApiFailure(exists ? 'passkey_exists' : 'cancelled', 0, '');
  });
  if (!(credential instanceof PublicKeyCredential)) throw new ApiFailure('cancelled', 0, '');
  await api.post('/passkeys', { body: { name, response: credential.toJSON() } });
}
