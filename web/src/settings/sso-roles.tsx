import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import type { Sso } from './sso.ts';
import { ssoText } from './sso-texts.ts';

interface RolesProps {
  claim: string;
  roles: Sso['roles'];
  onChange: (changes: { role_claim?: string; roles?: Sso['roles'] }) => void;
}

/** The claim with the groups of a person, and the role of each group. */
export function SsoRoles({ claim, roles, onChange }: RolesProps) {
  const replace = (index: number, changes: Partial<Sso['roles'][number]>) =>
    onChange({ roles: roles.map((role, each) => (each === index ? { ...role, ...changes } : role)) });
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 font-semibold">{ssoText.groups}</legend>
      <p className="text-sm text-soft">{ssoText.groupsHint}</p>
      <TextField
        label={ssoText.claim}
        hint={ssoText.claimHint}
        isOptional
        autoComplete="off"
        spellCheck={false}
        value={claim}
        onChange={({ target }) => onChange({ role_claim: target.value })}
      />
      {roles.map((role, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other name, and their fields are controlled
          key={index}
          className="grid items-end gap-3 border-l-2 border-rule pl-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]"
        >
          <TextField
            label={fill(ssoText.group, { n: index + 1 })}
            autoComplete="off"
            spellCheck={false}
            value={role.value}
            onChange={({ target }) => replace(index, { value: target.value })}
          />
          <Select
            label={fill(ssoText.roleOf, { n: index + 1 })}
            value={role.role}
            onChange={({ target }) => replace(index, { role: target.value === 'admin' ? 'admin' : 'member' })}
          >
            <option value="member">{ssoText.roles.member}</option>
            <option value="admin">{ssoText.roles.admin}</option>
          </Select>
          <Button
            aria-label={`${ssoText.removeGroup}: ${role.value || index + 1}`}
            onClick={() => onChange({ roles: roles.filter((_, each) => each !== index) })}
          >
            {ssoText.removeGroup}
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange({ roles: [...roles, { value: '', role: 'member' }] })}>
          {ssoText.addGroup}
        </Button>
      </div>
    </fieldset>
  );
}
