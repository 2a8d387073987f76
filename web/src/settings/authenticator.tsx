import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { count } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { accountText } from './account-texts.ts';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

/** `qr.path` is an SVG path of `size` by `size` modules. */
type Enrolment = AnswerOf<'POST', '/totp'>;

type Open = { kind: 'remove' | 'renew' } | { kind: 'codes'; codes: string[] };

export function Authenticator() {
  const { totp } = useMe();
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const renewMe = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  /** An error may mean that another browser has set up or removed the authenticator. */
  const unlessChanged = async <Answer,>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      await renewMe();
      throw error;
    }
  };
  const enrol = useMutation({ mutationFn: () => unlessChanged(api.post('/totp')) });
  const showCodes = ({ recovery_codes: codes }: { recovery_codes: string[] }) => {
    setOpen({ kind: 'codes', codes });
    void renewMe();
  };
  const close = () => setOpen((now) => (now?.kind === 'codes' ? now : null));
  const isOn = totp.confirmed_at !== null;
  return (
    <>
      <p>{isOn ? accountText.totpOn : accountText.totpOff}</p>
      {isOn && <p className="text-soft">{count(totp.recovery_codes_left, accountText.codesLeft)}</p>}
      <p className="flex flex-wrap gap-3">
        {isOn ? (
          <>
            <Button onClick={() => setOpen({ kind: 'renew' })}>{accountText.renewCodes}</Button>
            <Button kind="danger" onClick={() => setOpen({ kind: 'remove' })}>
              {accountText.remove}
            </Button>
          </>
        ) : (
          <Button isBusy={enrol.isPending} onClick={() => enrol.mutate()}>
            {accountText.setUp}
          </Button>
        )}
      </p>
      <Problem of={enrol.error} failures={accountText.failures} />
      {enrol.data !== undefined && open === null && (
        <ConfirmDialog
          title={accountText.setUpTitle}
          action={accountText.confirm}
          failures={accountText.failures}
          onClose={enrol.reset}
          onConfirm={(form) =>
            unlessChanged(api.post('/totp/confirm', { body: { code: form.get('code') } })).then(showCodes)
          }
        >
          <p>{accountText.scan}</p>
          <QrCode {...enrol.data.qr} />
          <CodeBlock code={enrol.data.secret} name={accountText.secret} />
          <TextField
            name="code"
            label={accountText.code}
            hint={accountText.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </ConfirmDialog>
      )}
      {open?.kind === 'renew' && (
        <ConfirmDialog
          title={accountText.renewTitle}
          action={accountText.renewCodes}
          failures={accountText.failures}
          onClose={close}
          onConfirm={() => unlessChanged(api.post('/recovery-codes')).then(showCodes)}
        >
          <p>{accountText.renewText}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={accountText.removeTotpTitle}
          action={accountText.remove}
          isDangerous
          failures={accountText.failures}
          onClose={close}
          onConfirm={() => unlessChanged(api.remove('/totp')).then(renewMe)}
        >
          <p>{accountText.removeTotpText}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'codes' && (
        <ShownOnceDialog
          title={accountText.codesTitle}
          name={accountText.codes}
          secret={open.codes.join('\n')}
          onClose={() => setOpen(null)}
        >
          <p>{accountText.codesText}</p>
        </ShownOnceDialog>
      )}
    </>
  );
}

/** Dark on light in every theme, because cameras expect it. */
function QrCode({ size, path }: Enrolment['qr']) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={accountText.qr}
      shapeRendering="crispEdges"
      className="mx-auto block w-52 rounded-lg"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
