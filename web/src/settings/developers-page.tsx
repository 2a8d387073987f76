import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { developersText } from './developers-texts.ts';
import { scopes } from './new-key-dialog.tsx';
import { NewestEvents } from './newest-events.tsx';
import { curlSnippet, javascriptSnippet } from './snippets.ts';
import { settingsText } from './texts.ts';

const languages = { curl: curlSnippet, JavaScript: javascriptSnippet };
const placeholder = 'svc_test_…';

/** The first steps with the API: a key, a request and the first event. */
export function DevelopersPage() {
  const { role } = useMe();
  return (
    <div className="max-w-3xl">
      <PageTitle>{developersText.title}</PageTitle>
      {isAtLeast(role, 'admin') ? (
        <>
          <p className="mt-2 text-soft">{developersText.intro}</p>
          <Steps />
        </>
      ) : (
        <p className="mt-2">{developersText.adminsOnly}</p>
      )}
      <Section title={developersText.next}>
        <ul className="grid gap-2 [&_a]:text-accent [&_a]:underline">
          <li>
            <a href="/docs">{developersText.reference}</a>
          </li>
          <li>
            <a href="/docs/openapi.json">{developersText.openapi}</a>
          </li>
          <li>
            <Link to="/settings/webhooks">{developersText.webhooks}</Link>
          </li>
          <li>
            <Link to="/settings/events">{developersText.events}</Link>
          </li>
          <li>
            <Link to="/settings/requests">{developersText.requests}</Link>
          </li>
        </ul>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-xl">{title}</h2>
      <div className="grid gap-3">{children}</div>
    </section>
  );
}

function Steps() {
  const [language, setLanguage] = useState<keyof typeof languages>('curl');
  const queryClient = useQueryClient();
  const { data: recent } = useQuery({ queryKey: ['events'], queryFn: () => api.get('/events') });
  const key = useMutation({
    mutationFn: () =>
      api.post('/keys', { body: { name: developersText.keyName, mode: 'test', scopes, expires_in_days: 30 } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  const baseUrl = recent?.base_url ?? `${location.origin}/api/v1`;
  return (
    <>
      <Section title={developersText.keyStep}>
        <p>{key.data === undefined ? developersText.keyText : developersText.keyMade}</p>
        {key.data !== undefined && <CodeBlock code={key.data.key} name={settingsText.tabs.keys} />}
        {key.data === undefined && (
          <p>
            <Button kind="primary" isBusy={key.isPending} onClick={() => key.mutate()}>
              {developersText.makeKey}
            </Button>
          </p>
        )}
        <Problem of={key.error} failures={{ plan_required: settingsText.teamPlan }} />
      </Section>
      <Section title={developersText.requestStep}>
        <p>{developersText.requestText}</p>
        <fieldset className="flex gap-4">
          <legend className="sr-only">{developersText.languages}</legend>
          {(Object.keys(languages) as (keyof typeof languages)[]).map((name) => (
            <label key={name} className="flex min-h-9 items-center gap-2">
              <input
                type="radio"
                name="language"
                checked={language === name}
                onChange={() => setLanguage(name)}
                className="size-4"
              />
              {name}
            </label>
          ))}
        </fieldset>
        <CodeBlock code={languages[language](baseUrl, key.data?.key ?? placeholder)} name={developersText.example} />
      </Section>
      <Section title={developersText.eventStep}>
        <NewestEvents />
      </Section>
    </>
  );
}
