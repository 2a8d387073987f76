import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import type { ChangeSso, Sso } from './sso.ts';
import { ssoText } from './sso-texts.ts';

type Domain = Sso['domains'][number];

/** The e-mail domains of the company, and how each is proven. */
export function SsoDomains({ domains, change }: { domains: readonly Domain[]; change: ChangeSso }) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const problem = await change(() => api.post('/sso/domains', { body: { domain: typed } }));
    setFailure(problem);
    if (problem === null) setTyped('');
    setBusy(false);
  };
  return (
    <section className="grid gap-4" aria-labelledby="sso-domains">
      <h2 id="sso-domains" className="text-xl">
        {ssoText.domains}
      </h2>
      <p className="text-soft">{ssoText.domainsIntro}</p>
      {domains.length > 0 && (
        <ul className="grid gap-4">
          {domains.map((domain) => (
            <DomainItem key={domain.domain} domain={domain} change={change} />
          ))}
        </ul>
      )}
      <form noValidate className="grid gap-3" onSubmit={add}>
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-52">
            <TextField
              label={ssoText.newDomain}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder="example.com"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
          <Button type="submit" isBusy={isBusy}>
            {ssoText.addDomain}
          </Button>
        </div>
        <Problem of={failure} failures={ssoText.failures} />
      </form>
    </section>
  );
}

function DomainItem({ domain, change }: { domain: Domain; change: ChangeSso }) {
  const [isChecking, setChecking] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isProven = domain.proven_at !== null;
  const check = async () => {
    setChecking(true);
    setFailure(await change(() => api.post('/sso/domains/check', { body: { domain: domain.domain } })));
    setChecking(false);
  };
  const remove = async () => {
    const problem = await change(() => api.post('/sso/domains/remove', { body: { domain: domain.domain } }));
    if (problem !== null) throw problem;
  };
  return (
    <li className="grid gap-3 rounded-xl border border-rule bg-raised p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 font-semibold break-all">
          <bdi>{domain.domain}</bdi>
        </h3>
        <Badge tone={isProven ? 'good' : 'warn'}>{isProven ? ssoText.proven : ssoText.unproven}</Badge>
      </div>
      {!isProven && <Record domain={domain} />}
      <Problem of={failure} failures={ssoText.failures} />
      <div className="flex flex-wrap gap-3">
        {!isProven && (
          <Button kind="primary" isBusy={isChecking} aria-label={`${ssoText.check}: ${domain.domain}`} onClick={check}>
            {ssoText.check}
          </Button>
        )}
        <Button aria-label={`${ssoText.removeDomain}: ${domain.domain}`} onClick={() => setRemoving(true)}>
          {ssoText.removeDomain}
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={fill(ssoText.removeDomainTitle, { domain: domain.domain })}
          action={ssoText.removeDomain}
          isDangerous
          failures={ssoText.failures}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          <p>{ssoText.removeDomainText}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function Record({ domain: { domain, record_name, record_value } }: { domain: Domain }) {
  return (
    <>
      <p className="text-sm text-soft">{ssoText.recordHint}</p>
      <dl className="grid gap-3">
        {[
          [ssoText.recordName, record_name],
          [ssoText.recordValue, record_value],
        ].map(([name = '', value = '']) => (
          <div key={name}>
            <dt className="text-sm font-semibold">{name}</dt>
            <dd className="mt-1 flex flex-wrap items-center gap-3">
              <code className="min-w-0 rounded-lg bg-wash px-3 py-2 font-mono text-[0.8125rem] break-all">{value}</code>
              <CopyButton text={value} name={`${name}, ${domain}`} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
