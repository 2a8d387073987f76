import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NoticeKind } from '../../../src/accounts/notice-kinds.ts';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { noticesText } from './notices-texts.ts';
import { TabHead } from './tab-head.tsx';

/** The e-mails about documents that the company sends. Each can be switched off. */
export function NoticesPage() {
  const { data, error, isPending } = useQuery({ queryKey: ['notices'], queryFn: () => api.get('/notices') });
  return (
    <>
      <TabHead>{noticesText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Switches chosen={data.kinds} />}
    </>
  );
}

function Switches({ chosen }: { chosen: readonly NoticeKind[] }) {
  const queryClient = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const kinds = new FormData(event.currentTarget).getAll('kinds');
    setSaving(true);
    setFailure(null);
    setSaid('');
    try {
      queryClient.setQueryData(['notices'], await api.post('/notices', { body: { kinds } }));
      setSaid(noticesText.saved);
    } catch (reason) {
      setFailure(reason);
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className="grid max-w-2xl gap-5" onSubmit={save} onChange={() => setSaid('')}>
      {noticesText.groups.map(({ title, kinds }) => (
        <fieldset key={title} className="grid gap-0.5">
          <legend className="mb-1 text-lg font-semibold">{title}</legend>
          {kinds.map((kind) => (
            <Switch key={kind} kind={kind} isOn={chosen.includes(kind)} />
          ))}
        </fieldset>
      ))}
      <Problem of={failure} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {noticesText.save}
        </Button>
        <p role="status" className="font-medium text-good">
          {said}
        </p>
      </div>
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
