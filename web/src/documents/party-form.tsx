import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { newText } from './new-texts.ts';

type Channel = keyof typeof newText.channels;
type Proof = keyof typeof newText.proofs;
type Part = keyof typeof newText.parts;

/** A party as it is being entered. */
export interface NewParty {
  key: string;
  name: string;
  email: string;
  phone: string;
  part: Part;
  channel: Channel;
  proof: Proof;
}

export function emptyParty(): NewParty {
  return {
    key: crypto.getRandomValues(new Uint32Array(1)).join(),
    name: '',
    email: '',
    phone: '',
    part: 'signer',
    channel: 'email',
    proof: 'l0_email_link',
  };
}

/** As the API takes it. Only who signs proves who they are by more than the link. */
export function recipientOf({ name, email, phone, part, channel, proof }: NewParty): object {
  return {
    name: name.trim(),
    email: email.trim() || null,
    phone: phone.trim() || null,
    role: part === 'signer' ? null : part,
    channel,
    auth_level: part === 'signer' ? proof : 'l0_email_link',
  };
}

interface PartyFormProps {
  party: NewParty;
  number: number;
  onChange: (changes: Partial<NewParty>) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
}

export function PartyForm({ party, number, onChange, onRemove }: PartyFormProps) {
  const { name, email, phone, part, channel, proof } = party;
  const needsPhone = channel === 'sms' || (part === 'signer' && proof === 'l1_email_sms_otp');
  return (
    <li className="rounded-xl border border-rule bg-raised p-4">
      <fieldset>
        <legend className="sr-only">{fill(newText.party, { n: number })}</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={newText.fullName}
            value={name}
            required
            maxLength={120}
            autoComplete="off"
            onChange={({ target }) => onChange({ name: target.value })}
          />
          <TextField
            label={newText.email}
            type="email"
            value={email}
            isOptional={channel !== 'email' && proof !== 'l0_account_session'}
            maxLength={254}
            autoComplete="off"
            onChange={({ target }) => onChange({ email: target.value })}
          />
          <Choice label={newText.part} names={newText.parts} value={part} onChange={(part) => onChange({ part })} />
          <Choice
            label={newText.channel}
            names={newText.channels}
            value={channel}
            onChange={(channel) => onChange({ channel })}
          />
          {part === 'signer' && (
            <Choice
              label={newText.proof}
              names={newText.proofs}
              value={proof}
              onChange={(proof) => onChange({ proof })}
            />
          )}
          {needsPhone && (
            <TextField
              label={newText.phone}
              type="tel"
              value={phone}
              maxLength={40}
              autoComplete="off"
              onChange={({ target }) => onChange({ phone: target.value })}
            />
          )}
        </div>
        {onRemove !== null && (
          <Button kind="quiet" className="mt-3" onClick={onRemove}>
            {fill(newText.remove, { n: number })}
          </Button>
        )}
      </fieldset>
    </li>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, names, value, onChange }: ChoiceProps<Value>) {
  return (
    <Select label={label} value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {(Object.entries(names) as [Value, string][]).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </Select>
  );
}
