import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { randomId } from '../api/random-id.ts';
import { count, fill, formatMoment } from '../language.ts';
import { formatBytes } from '../settings/usage.ts';
import { UsageShown } from '../settings/usage-shown.tsx';
import { usageText } from '../settings/usage-texts.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Removed } from './companies.tsx';
import { Facts, formatCount } from './facts.tsx';
import { failures, operatorText } from './texts.ts';
import { tiers } from './tiers.ts';

const { company: text } = operatorText;

type CompanyAnswer = AnswerOf<'GET', '/operator/companies/:id'>;

/** One company: what it uses, its plan and its credits. */
export function Company({ id }: { id: string }) {
  const [open, setOpen] = useState<'plan' | 'credits' | null>(null);
  const [said, setSaid] = useState('');
  const queryClient = useQueryClient();
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'company', id],
    queryFn: () => api.get('/operator/companies/:id', { params: { id } }),
  });
  const onDone = async (sentence: string) => {
    setSaid(sentence);
    await queryClient.invalidateQueries({ queryKey: ['operator'] });
  };
  const onClose = () => setOpen(null);
  return (
    <>
      <BackLink to="/operator/$" params={{ _splat: 'companies' }}>
        {operatorText.tabs.companies}
      </BackLink>
      <Problem of={error} failures={failures} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-xl wrap-anywhere">
              <bdi>{data.display_name}</bdi> <Removed of={data} />
            </h2>
            {data.removed_at === null && (
              <div className="flex flex-wrap gap-2">
                <Button onClick={() => setOpen('plan')}>{text.setPlan}</Button>
                <Button onClick={() => setOpen('credits')}>{text.addCredits}</Button>
              </div>
            )}
          </div>
          <p role="status" className="mb-2 font-medium text-good empty:absolute">
            {said}
          </p>
          <CompanyFacts company={data} />
          <section aria-label={text.usage} className="mt-8">
            <UsageShown usage={data.usage} noApi={text.noApi} />
          </section>
          {open === 'plan' && <PlanDialog company={data} onDone={onDone} onClose={onClose} />}
          {open === 'credits' && <CreditsDialog company={data} onDone={onDone} onClose={onClose} />}
        </>
      )}
    </>
  );
}

function CompanyFacts({ company }: { company: CompanyAnswer }) {
  const { measured_at: measuredAt, stored_bytes: bytes, stored_files: files } = company;
  const storage =
    bytes === null || files === null || measuredAt === null
      ? '–'
      : fill(count(files, text.stored), { bytes: formatBytes(bytes), when: formatMoment(measuredAt) });
  return (
    <Facts
      facts={[
        ['ID', company.id],
        [text.made, formatMoment(company.created_at)],
        ...(company.removed_at === null ? [] : ([[text.removedAt, formatMoment(company.removed_at)]] as const)),
        [text.members, formatCount(company.members)],
        [text.documents, formatCount(company.documents_this_month)],
        [text.storage, storage],
      ]}
    />
  );
}

interface ChangeProps {
  company: CompanyAnswer;
  onDone: (sentence: string) => Promise<void>;
  onClose: () => void;
}

function PlanDialog({ company: { id, display_name, tier }, onDone, onClose }: ChangeProps) {
  return (
    <ConfirmDialog
      title={fill(text.planTitle, { name: display_name })}
      action={text.setPlan}
      failures={failures}
      onConfirm={async (form) => {
        await api.post('/operator/companies/:id/plan', { params: { id }, body: { tier: form.get('tier') } });
        await onDone(text.planSet);
      }}
      onClose={onClose}
    >
      <p>{text.planNote}</p>
      <Select label={usageText.plan} name="tier" defaultValue={tier}>
        {tiers.map((each) => (
          <option key={each} value={each}>
            {usageText.tiers[each]}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  );
}

function CreditsDialog({ company: { id, display_name }, onDone, onClose }: ChangeProps) {
  // One for each amount, so that credits are added once however often the request is sent.
  const [requestIds] = useState(() => new Map<number, string>());
  return (
    <ConfirmDialog
      title={fill(text.creditsTitle, { name: display_name })}
      action={text.addCredits}
      failures={{ ...failures, 'invalid_input:amount': text.wrongAmount }}
      onConfirm={async (form) => {
        const amount = Number(form.get('amount'));
        const body = { amount, request_id: requestIds.get(amount) ?? randomId() };
        requestIds.set(amount, body.request_id);
        await api.post('/operator/companies/:id/credits', { params: { id }, body });
        await onDone(count(amount, text.creditsAdded));
      }}
      onClose={onClose}
    >
      <p>{text.creditsNote}</p>
      <TextField label={text.amount} name="amount" type="number" min={1} step={1} inputMode="numeric" required />
    </ConfirmDialog>
  );
}
