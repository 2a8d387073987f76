import { api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Choices } from './choices.tsx';
import { keysText } from './keys-texts.ts';
import { settingsText } from './texts.ts';

export type ApiKey = ItemOf<'/keys'>;

export const scopes = Object.keys(keysText.scopeHints);

interface NewKeyDialogProps {
  onClose: () => void;
  onCreated: (key: string) => void;
}

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const create = async (form: FormData) => {
    const days = form.get('days');
    const { key } = await api.post('/keys', {
      body: {
        name: form.get('name'),
        mode: form.get('mode'),
        scopes: form.getAll('scopes'),
        ...(days ? { expires_in_days: Number(days) } : {}),
      },
    });
    onCreated(key);
  };
  return (
    <ConfirmDialog
      title={keysText.createTitle}
      action={keysText.create}
      failures={{ ...keysText.failures, plan_required: settingsText.teamPlan }}
      onClose={onClose}
      onConfirm={create}
    >
      <TextField name="name" label={keysText.name} hint={keysText.nameHint} maxLength={100} required />
      <Select name="mode" label={keysText.mode}>
        <option value="test">{keysText.modes.test}</option>
        <option value="live">{keysText.modes.live}</option>
      </Select>
      <Choices
        legend={keysText.scopes}
        name="scopes"
        choices={scopes.map((value) => ({ value, label: value, hint: keysText.scopeHints[value] as string }))}
        chosen={scopes}
      />
      <Select name="days" label={keysText.expiry} defaultValue="">
        {['', '30', '90', '365'].map((days) => (
          <option key={days} value={days}>
            {keysText.expiries[days]}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  );
}
