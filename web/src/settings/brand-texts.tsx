import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiFailure, addressOf, api } from '../api/client.ts';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import type { Branding, ChangeBranding } from './branding.ts';
import { brandingText } from './branding-texts.ts';

type Text = Branding['texts'][number];
type Entered = Pick<Text, 'subject' | 'introduction'>;

const keyOf = ({ kind, language }: Pick<Text, 'kind' | 'language'>) => `${kind} ${language}`;

/** Forgets what was saved. What was typed meanwhile stays. */
function withoutSaved(edits: Record<string, Entered>, key: string, sent: Entered | undefined) {
  const { [key]: edit, ...others } = edits;
  return edit === sent ? others : edits;
}

/** The form for the texts of each e-mail in each language, with a preview that the server writes. */
export function BrandTexts({ branding, change }: { branding: Branding; change: ChangeBranding }) {
  const [kind, setKind] = useState<Text['kind']>('request');
  const [language, setLanguage] = useState<Text['language']>(document.documentElement.lang === 'es' ? 'es' : 'en');
  const [edits, setEdits] = useState<Record<string, Entered>>({});
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const saved = branding.texts.find((text) => text.kind === kind && text.language === language) as Text;
  const entered = edits[keyOf(saved)] ?? saved;
  const isTypedAfter = entered !== saved;
  useLeaveQuestion(() => Object.keys(edits).length > 0);
  const show = (text: string, problem: unknown = null) => {
    setSaid(text);
    setFailure(problem);
  };
  const enter = (changes: Partial<Entered>) => {
    const { subject, introduction } = { ...entered, ...changes };
    setEdits((others) => ({ ...others, [keyOf(saved)]: { subject, introduction } }));
    show('');
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    show('');
    const sent = edits[keyOf(saved)];
    const { subject, introduction } = entered;
    const problem = await change(({ version }) =>
      api.post('/branding/texts', { body: { version, kind, language, subject, introduction } }),
    );
    show(problem === null ? brandingText.saved : '', problem);
    if (problem === null) setEdits((now) => withoutSaved(now, keyOf(saved), sent));
    setSaving(false);
  };
  return (
    <section className="grid gap-3" aria-labelledby="brand-texts">
      <h2 id="brand-texts" className="text-lg font-semibold">
        {brandingText.texts}
      </h2>
      <p className="max-w-2xl text-soft">{brandingText.textsIntro}</p>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <form className="grid max-w-2xl gap-5" noValidate onSubmit={save}>
          <div className="grid gap-5 sm:grid-cols-2">
            <Select
              label={brandingText.email}
              value={kind}
              onChange={({ target }) => {
                setKind(target.value as Text['kind']);
                show('');
              }}
            >
              {brandingText.kinds.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
            <Select
              label={brandingText.language}
              value={language}
              onChange={({ target }) => {
                setLanguage(target.value as Text['language']);
                show('');
              }}
            >
              <option value="en">English</option>
              <option value="es">Español</option>
            </Select>
          </div>
          <TextField
            label={brandingText.subject}
            isOptional
            autoComplete="off"
            value={entered.subject}
            placeholder={saved.our_subject}
            onChange={({ target }) => enter({ subject: target.value })}
          />
          <TextArea
            label={brandingText.introduction}
            isOptional
            hint={brandingText.variables}
            rows={5}
            value={entered.introduction}
            placeholder={saved.our_introduction}
            onChange={({ target }) => enter({ introduction: target.value })}
          />
          <Problem of={failure} failures={failuresOf(failure)} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" kind="primary" isBusy={isSaving}>
              {brandingText.saveText}
            </Button>
            <TestButton kind={kind} language={language} show={show} />
            <p role="status" className="font-medium text-good">
              {isTypedAfter && said === brandingText.saved ? '' : said}
            </p>
          </div>
        </form>
        <Preview query={{ kind, language, ...pick(entered) }} version={branding.version} />
      </div>
    </section>
  );
}

const pick = ({ subject, introduction }: Entered) => ({ subject, introduction });

function TestButton({
  kind,
  language,
  show,
}: Pick<Text, 'kind' | 'language'> & { show: (said: string, problem?: unknown) => void }) {
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    show('');
    try {
      const { to } = await api.post('/branding/test', { body: { kind, language } });
      show(brandingText.testSent(to));
    } catch (problem) {
      show('', problem);
    } finally {
      setSending(false);
    }
  };
  return (
    <Button isBusy={isSending} onClick={send}>
      {brandingText.sendTest}
    </Button>
  );
}

const typingMs = 400;

/** Shows the e-mail after a pause in typing. The frame runs no script, and its links do nothing. */
function Preview({ query, version }: { query: Pick<Text, 'kind' | 'language'> & Entered; version: number }) {
  const wanted = JSON.stringify(query);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), typingMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const shown = JSON.parse(asked) as typeof query;
  const { data, error, isError } = useQuery({
    queryKey: ['branding-preview', asked, version],
    queryFn: async ({ signal }) => {
      const head = await api.get('/branding/preview', { query: shown, signal });
      return { ...head, page: addressOf('/console/api/branding/preview/page', { query: { ...shown, version } }) };
    },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return (
    <div className="grid min-w-0 gap-3">
      <h3 className="text-sm font-semibold">{brandingText.preview}</h3>
      <Problem of={error} failures={failuresOf(error)} />
      {data !== undefined && !isError && (
        <>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            {data.from !== null && <Line name={brandingText.from} value={data.from} />}
            {data.reply_to !== null && <Line name={brandingText.replyTo} value={data.reply_to} />}
            <Line name={brandingText.subject} value={data.subject} />
          </dl>
          <iframe
            title={brandingText.previewFrame}
            src={data.page}
            sandbox=""
            className="h-140 w-full rounded-xl border border-rule"
          />
        </>
      )}
    </div>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  );
}

function failuresOf(failure: unknown): Record<string, string> {
  const value = failure instanceof ApiFailure ? (failure.value ?? '') : '';
  return { ...brandingText.failures, unknown_variable: brandingText.unknownVariable(value) };
}
