import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { keptWhileEdited } from '../api/read-again.ts';
import { showAnswer } from '../api/show-answer.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import type { Sso } from './sso.ts';
import { SsoDomains } from './sso-domains.tsx';
import { SsoProvider } from './sso-provider.tsx';
import { ssoText } from './sso-texts.ts';
import { SsoUnlink } from './sso-unlink.tsx';
import { TabHead } from './tab-head.tsx';
import { useChanges } from './use-changes.ts';

/** Sign-in with the company's own OpenID Connect provider. */
export function SsoPage() {
  // Not read again while it is edited: an edit is based on the version that was shown.
  const { data, error, isPending, dataUpdatedAt } = useQuery({
    queryKey: ['sso'],
    queryFn: () => api.get('/sso'),
    meta: keptWhileEdited,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <>
      <TabHead>{ssoText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Editor key={dataUpdatedAt} saved={data} />}
    </>
  );
}

function Editor({ saved }: { saved: Sso }) {
  const queryClient = useQueryClient();
  const { shown: sso, change, isOutdated } = useChanges(saved);
  return (
    <div className="grid max-w-3xl gap-8">
      {isOutdated && (
        <div>
          <Button onClick={() => queryClient.refetchQueries({ queryKey: ['sso'] })}>{ssoText.reload}</Button>
        </div>
      )}
      <Addresses sso={sso} />
      <SsoProvider sso={sso} change={change} />
      <SsoDomains domains={sso.domains} change={change} />
      {sso.version > 0 && <SsoUnlink />}
      {sso.version > 0 && <Remove sso={sso} onRemoved={(now) => showAnswer(queryClient, ['sso'], now)} />}
    </div>
  );
}

/** What the provider and the members need. */
function Addresses({ sso: { redirect_uri, sign_in_url } }: { sso: Sso }) {
  return (
    <dl className="grid gap-4">
      <Address name={ssoText.redirect} hint={ssoText.redirectHint} address={redirect_uri} />
      {sign_in_url !== null && <Address name={ssoText.link} hint={ssoText.linkHint} address={sign_in_url} />}
    </dl>
  );
}

function Address({ name, hint, address }: { name: string; hint: string; address: string }) {
  return (
    <div>
      <dt className="text-sm font-semibold">{name}</dt>
      <dd className="mt-1 flex flex-wrap items-center gap-3">
        <code className="min-w-0 rounded-lg bg-wash px-3 py-2 font-mono text-[0.8125rem] break-all">{address}</code>
        <CopyButton text={address} name={name} />
      </dd>
      <dd className="mt-1 text-sm text-soft">{hint}</dd>
    </div>
  );
}

function Remove({ sso, onRemoved }: { sso: Sso; onRemoved: (sso: Sso) => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="border-t border-rule pt-5">
      <Button kind="danger" onClick={() => setAsking(true)}>
        {ssoText.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={ssoText.removeTitle}
          action={ssoText.remove}
          isDangerous
          failures={ssoText.failures}
          onConfirm={async () => onRemoved(await api.post('/sso/remove', { body: { version: sso.version } }))}
          onClose={() => setAsking(false)}
        >
          <p>{ssoText.removeText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
