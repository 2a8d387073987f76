import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { showAnswer } from '../api/show-answer.ts';
import { fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { domainText } from './domain-texts.ts';
import { TabHead } from './tab-head.tsx';
import { useSave } from './use-save.ts';

type Answer = AnswerOf<'GET', '/custom-domain'>;
type Domain = NonNullable<Answer['domain']>;

const queryKey = ['custom domain'];
const renewMs = 10_000;
const tones = { waiting: 'warn', active: 'good', broken: 'bad' } as const;

/** The host name of the company's own for its signing pages, and the DNS records that it needs. */
export function DomainPage() {
  const { data, error, isPending } = useQuery({
    queryKey,
    queryFn: () => api.get('/custom-domain'),
    refetchInterval: renewMs,
  });
  return (
    <>
      <TabHead>{domainText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Content of={data} />}
    </>
  );
}

function Content({ of: { service_host: service, domain } }: { of: Answer }) {
  if (service === null) return <p className="rounded-lg bg-wash px-3.5 py-2.5">{domainText.unavailable}</p>;
  return domain === null ? <AddForm /> : <Details domain={domain} service={service} />;
}

function AddForm() {
  const [host, setHost] = useState('');
  const { isSaving, failure, save } = useSave(queryKey, '');
  return (
    <form
      noValidate
      className="grid max-w-2xl gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving) void save(() => api.post('/custom-domain', { body: { host } }));
      }}
    >
      <TextField
        label={domainText.host}
        hint={domainText.hostHint}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder="documents.acme.example"
        value={host}
        onChange={({ target }) => setHost(target.value)}
      />
      <Problem of={failure} failures={domainText.failures} />
      <div>
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {domainText.add}
        </Button>
      </div>
    </form>
  );
}

function Details({ domain, service }: { domain: Domain; service: string }) {
  const queryClient = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const { isSaving, failure, said, save } = useSave(queryKey, domainText.checked);
  const { host, unicode_host, state, problem, checked_at } = domain;
  return (
    <section className="grid max-w-2xl gap-4" aria-labelledby="custom-domain">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="custom-domain" className="min-w-0 text-lg font-semibold break-all">
          <bdi>{host}</bdi>
        </h2>
        <Badge tone={tones[state]}>{domainText.states[state]}</Badge>
      </div>
      {unicode_host !== null && (
        <p className="text-soft break-all">
          <bdi>{unicode_host}</bdi>
        </p>
      )}
      <p>{explain(domain, service)}</p>
      {problem !== null && (
        <p className={state === 'waiting' ? 'text-soft' : 'text-bad'}>{domainText.problems[problem]}</p>
      )}
      {domain.proven_by !== 'operator' && <Records of={domain} />}
      <Problem of={failure} failures={domainText.failures} />
      <div className="flex flex-wrap items-center gap-3">
        {domain.proven_by !== 'operator' && (
          <Button kind="primary" isBusy={isSaving} onClick={() => void save(() => api.post('/custom-domain/check'))}>
            {domainText.check}
          </Button>
        )}
        <Button kind="danger" onClick={() => setRemoving(true)}>
          {domainText.remove}
        </Button>
        <p role="status" className="text-sm text-soft">
          {said}
          {checked_at !== null && ` ${fill(domainText.checkedAt, { when: formatMoment(checked_at) })}`}
        </p>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={fill(domainText.removeTitle, { host })}
          action={domainText.remove}
          isDangerous
          failures={domainText.failures}
          onConfirm={async () => showAnswer(queryClient, queryKey, await api.post('/custom-domain/remove'))}
          onClose={() => setRemoving(false)}
        >
          <p>{fill(domainText.removeText, { service })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function explain({ state, proven_by, failing_since, url }: Domain, service: string): string {
  const { explained } = domainText;
  if (proven_by === 'operator') return `${fill(explained.active, { url })} ${explained.operator}`;
  if (state === 'active' && failing_since !== null) {
    return fill(explained.failing, { when: formatMoment(failing_since), service });
  }
  return fill(explained[state], { service, url });
}

function Records({ of: { records } }: { of: Domain }) {
  return (
    <div className="grid gap-4 rounded-xl border border-rule bg-raised p-4">
      <div>
        <h3 className="font-semibold">{domainText.records}</h3>
        <p className="mt-1 text-sm text-soft">
          {domainText.recordsHint} {records.some(({ type }) => type === 'CNAME') && domainText.aliasHint}
        </p>
      </div>
      {records.map(({ type, name, value }) => (
        <section key={type} aria-label={fill(domainText.record, { type })}>
          <h4 className="text-sm font-semibold">{fill(domainText.record, { type })}</h4>
          <dl className="mt-1 grid gap-2">
            <Part of={type} name={domainText.name} text={name} />
            <Part of={type} name={domainText.value} text={value} />
          </dl>
        </section>
      ))}
    </div>
  );
}

function Part({ of, name, text }: { of: string; name: string; text: string }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="mt-0.5 flex flex-wrap items-center gap-3">
        <code className="min-w-0 rounded-lg bg-wash px-3 py-2 font-mono text-[0.8125rem] break-all">{text}</code>
        <CopyButton text={text} name={`${name}, ${of}`} />
      </dd>
    </div>
  );
}
