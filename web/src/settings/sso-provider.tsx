import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextField, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { SaveRow } from './save-row.tsx';
import type { ChangeSso, ProviderTest, Sso } from './sso.ts';
import { SsoRoles } from './sso-roles.tsx';
import { ssoText } from './sso-texts.ts';
import { withoutSent } from './use-changes.ts';

type Edits = Partial<Sso & { client_secret: string }>;

/** The form for the provider, the roles and "only single sign-on". */
export function SsoProvider({ sso, change }: { sso: Sso; change: ChangeSso }) {
  const [edits, setEdits] = useState<Edits>({});
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const enter = (changes: Edits) => {
    setEdits((others) => ({ ...others, ...changes }));
    setSaved(false);
  };
  const entered = { client_secret: '', ...sso, ...edits };
  const isTypedAfter = Object.keys(edits).length > 0;
  useLeaveQuestion(() => isTypedAfter);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    // With the version that is shown: a change of the domains that is under way may return newer settings of someone else.
    const { version, issuer, client_id, client_secret, role_claim, roles, default_role, is_required } = entered;
    const body = { version, issuer, client_id, client_secret, role_claim, roles, default_role, is_required };
    const problem = await change(() => api.post('/sso', { body }));
    setFailure(problem);
    setSaved(problem === null);
    if (problem === null) setEdits((now) => withoutSent(now, edits));
    setSaving(false);
  };
  return (
    <form noValidate className="grid gap-8" onSubmit={save}>
      <section className="grid gap-5" aria-labelledby="sso-provider">
        <h2 id="sso-provider" className="text-xl">
          {ssoText.provider}
        </h2>
        <Issuer issuer={entered.issuer} onChange={(issuer) => enter({ issuer })} />
        <TextField
          label={ssoText.clientId}
          autoComplete="off"
          spellCheck={false}
          value={entered.client_id}
          onChange={({ target }) => enter({ client_id: target.value })}
        />
        <TextField
          label={ssoText.clientSecret}
          hint={sso.has_client_secret ? ssoText.secretStored : ssoText.secretHint}
          type="password"
          autoComplete="off"
          value={entered.client_secret}
          onChange={({ target }) => enter({ client_secret: target.value })}
        />
      </section>
      <section className="grid gap-5" aria-labelledby="sso-roles">
        <h2 id="sso-roles" className="text-xl">
          {ssoText.people}
        </h2>
        <Select
          label={ssoText.defaultRole}
          hint={ssoText.defaultRoleHint}
          value={entered.default_role}
          onChange={({ target }) => enter({ default_role: target.value as Sso['default_role'] })}
        >
          <option value="">{ssoText.invitedOnly}</option>
          <option value="member">{ssoText.roles.member}</option>
          <option value="admin">{ssoText.roles.admin}</option>
        </Select>
        <SsoRoles claim={entered.role_claim} roles={entered.roles} onChange={enter} />
        <Tick
          label={ssoText.required}
          hint={ssoText.requiredHint}
          checked={entered.is_required}
          onChange={({ target }) => enter({ is_required: target.checked })}
        />
      </section>
      <div className="grid gap-3">
        <Problem of={failure} failures={ssoText.failures} />
        <SaveRow name={ssoText.save} isSaving={isSaving} said={isSaved && !isTypedAfter ? ssoText.saved : ''} />
      </div>
    </form>
  );
}

function Issuer({ issuer, onChange }: { issuer: string; onChange: (issuer: string) => void }) {
  const [isTesting, setTesting] = useState(false);
  const [result, setResult] = useState<ProviderTest | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const test = async () => {
    setTesting(true);
    setResult(null);
    setFailure(null);
    try {
      setResult(await api.post('/sso/test', { body: { issuer } }));
    } catch (reason) {
      setFailure(reason);
    } finally {
      setTesting(false);
    }
  };
  return (
    <div className="grid gap-2">
      <TextField
        label={ssoText.issuer}
        hint={ssoText.issuerHint}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://login.example.com"
        value={issuer}
        onChange={({ target }) => {
          onChange(target.value);
          setResult(null);
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button isBusy={isTesting} onClick={test}>
          {ssoText.test}
        </Button>
        <p role="status" className={`min-w-0 font-medium ${result?.works ? 'text-good' : 'text-bad'}`}>
          {result !== null && explain(result)}
        </p>
      </div>
      <Problem of={failure} />
    </div>
  );
}

function explain(result: ProviderTest): string {
  if (result.works) return ssoText.works;
  return ssoText.problems[result.problem]?.(result.value ?? '') ?? ssoText.otherProblem;
}
