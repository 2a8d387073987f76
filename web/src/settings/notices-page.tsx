import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { NoticeKind } from '../../../src/accounts/notice-kinds.ts';
import { type AnswerOf, api } from '../api/client.ts';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { meanwhileFailures } from './meanwhile-texts.ts';
import { noticesText } from './notices-texts.ts';
import { SaveRow } from './save-row.tsx';
import { TabHead } from './tab-head.tsx';
import { useTypedForm } from './use-typed-form.ts';

/** The e-mails about documents that the company sends. Each can be switched off. */
export function NoticesPage() {
  const { data, error, isPending } = useQuery({ queryKey: ['notices'], queryFn: () => api.get('/notices') });
  return (
    <>
      <TabHead>{noticesText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Switches of={data} />}
    </>
  );
}

function Switches({ of }: { of: AnswerOf<'GET', '/notices'> }) {
  const typed = useTypedForm(of, ['notices'], noticesText.saved);
  const { shown, formKey, onChange, isSaving, failure, said, save } = typed;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const kinds = new FormData(event.currentTarget).getAll('kinds');
    void save(() => api.post('/notices', { body: { kinds, shown: shown.kinds } }));
  };
  return (
    <form key={formKey} className="grid max-w-2xl gap-5" onSubmit={submit} onChange={onChange}>
      {noticesText.groups.map(({ title, kinds }) => (
        <fieldset key={title} className="grid gap-0.5">
          <legend className="mb-1 text-lg font-semibold">{title}</legend>
          {kinds.map((kind) => (
            <Switch key={kind} kind={kind} isOn={shown.kinds.includes(kind)} />
          ))}
        </fieldset>
      ))}
      <Problem of={failure} failures={meanwhileFailures} />
      <SaveRow name={noticesText.save} isSaving={isSaving} said={said} />
    </form>
  );
}

function Switch({ kind, isOn }: { kind: NoticeKind; isOn: boolean }) {
  const { label, hint } = noticesText.kinds[kind];
  return (
    <label className="flex min-h-9 items-start gap-3 rounded-md px-1 py-1.5 hover:bg-wash max-lg:min-h-11">
      <input
        type="checkbox"
        name="kinds"
        value={kind}
        defaultChecked={isOn}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        <span className="block text-sm text-soft">{hint}</span>
      </span>
    </label>
  );
}
