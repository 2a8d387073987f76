import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Faults, recipientFault } from './document-faults.ts';
import { authLevelOf, authLevelsFor, type NewRecipient } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import { type Contact, useContacts } from './use-contacts.ts';

export interface RecipientFormProps {
  recipient: NewRecipient;
  /** Messages for inputs, those of this recipient among them. */
  faults: Faults;
  number: number;
  /** In a template, contact details are optional. */
  isTemplate: boolean;
  /** The number of their fields on the PDF that do not fit the chosen part. */
  losesFields: number;
  /** Whether the order is sequential and this is not the first recipient. */
  mayBeTogether: boolean;
  onChange: (changes: Partial<NewRecipient>) => void;
  /** Null if the recipient cannot be removed or moved there. */
  onRemove: (() => void) | null;
  onMoveUp: (() => void) | null;
  onMoveDown: (() => void) | null;
}

export function RecipientForm({
  recipient,
  faults,
  number,
  isTemplate,
  losesFields,
  mayBeTogether,
  ...on
}: RecipientFormProps) {
  const { onChange, onRemove, onMoveUp, onMoveDown } = on;
  const { name, email, phone, part, role, channel, placeholder, isTogether } = recipient;
  const authLevel = authLevelOf(recipient);
  const needsEmail = channel === 'email' || authLevel === 'l0_account_session';
  const needsPhone = channel === 'sms' || authLevel === 'l1_email_sms_otp';
  // Inputs with a value are shown, because it is saved.
  const hasPhone = useOnceTrue(phone !== '');
  const hasRole = useOnceTrue(role !== '');
  const { contacts, onType } = useContacts(recipient, onChange);
  const list = useId();
  const authLevels = Object.fromEntries(authLevelsFor(part).map((one) => [one, newText.authLevels[one]]));
  return (
    <li className="rounded-xl border border-rule bg-raised p-4">
      <fieldset>
        <legend className={placeholder === '' ? 'sr-only' : 'mb-2 font-semibold'}>
          {fill(newText.recipient, { n: number })}
          {placeholder !== '' && (
            <>
              : <bdi>{placeholder}</bdi>
            </>
          )}
        </legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={isTemplate ? newText.roleOrName : newText.fullName}
            hint={isTemplate ? newText.roleOrNameHint : undefined}
            value={name}
            error={faults[recipientFault(recipient, 'name')]}
            required
            autoComplete="off"
            list={`${list}names`}
            onChange={({ target }) => {
              onChange({ name: target.value });
              onType('name', target.value);
            }}
          />
          <datalist id={`${list}names`}>
            {contacts.map((contact) => (
              <option key={keyOf(contact)} value={contact.name} label={contact.email ?? contact.phone ?? undefined} />
            ))}
          </datalist>
          <TextField
            label={newText.email}
            type="email"
            value={email}
            error={faults[recipientFault(recipient, 'email')]}
            isOptional={isTemplate || !needsEmail}
            autoComplete="off"
            list={`${list}emails`}
            onChange={({ target }) => {
              onChange({ email: target.value });
              onType('email', target.value);
            }}
          />
          <datalist id={`${list}emails`}>
            {contacts.map(
              (contact) => contact.email && <option key={keyOf(contact)} value={contact.email} label={contact.name} />,
            )}
          </datalist>
          <Choice label={newText.part} names={newText.parts} value={part} onChange={(part) => onChange({ part })} />
          <Choice
            label={newText.channel}
            names={newText.channels}
            value={channel}
            onChange={(channel) => onChange({ channel })}
          />
          <Choice
            label={newText.authLevel}
            names={authLevels as typeof newText.authLevels}
            value={authLevel}
            onChange={(authLevel) => onChange({ authLevel })}
          />
          {(needsPhone || hasPhone) && (
            <TextField
              label={newText.phone}
              type="tel"
              value={phone}
              error={faults[recipientFault(recipient, 'phone')]}
              isOptional={isTemplate || !needsPhone}
              autoComplete="off"
              onChange={({ target }) => onChange({ phone: target.value })}
            />
          )}
          {part === 'signer' && (!isTemplate || hasRole) && (
            <TextField
              label={newText.role}
              hint={newText.roleHint}
              isOptional
              value={role}
              error={faults[recipientFault(recipient, 'role')]}
              autoComplete="off"
              onChange={({ target }) => onChange({ role: target.value })}
            />
          )}
        </div>
        {losesFields > 0 && <p className="mt-3 font-medium text-warn">{newText.losesFields}</p>}
        {mayBeTogether && (
          <label className="mt-3 flex items-center gap-3">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={isTogether}
              onChange={({ target }) => onChange({ isTogether: target.checked })}
            />
            {newText.together}
          </label>
        )}
        <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
          {onRemove !== null && (
            <Button kind="quiet" onClick={onRemove}>
              {fill(newText.remove, { n: number })}
            </Button>
          )}
          {onMoveUp !== null && (
            <Button kind="quiet" aria-label={fill(newText.moveUp, { n: number })} onClick={keepingFocus(onMoveUp)}>
              <Icon name="up" />
            </Button>
          )}
          {onMoveDown !== null && (
            <Button kind="quiet" aria-label={fill(newText.moveDown, { n: number })} onClick={keepingFocus(onMoveDown)}>
              <Icon name="down" />
            </Button>
          )}
        </div>
      </fieldset>
    </li>
  );
}

const keyOf = ({ name, email, phone }: Contact) => [name, email, phone].join('\n');

/** Returns whether the condition was ever true, so that an input doesn't vanish while it is cleared. */
function useOnceTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}

/** Restores the focus after a move. If the pressed button is gone, the next one gets the focus. */
function keepingFocus(move: () => void) {
  return ({ currentTarget: button }: React.MouseEvent<HTMLButtonElement>) => {
    const buttons = button.parentElement;
    flushSync(move);
    const next = button.isConnected ? button : buttons?.querySelector<HTMLButtonElement>('[aria-label]');
    next?.focus();
  };
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
