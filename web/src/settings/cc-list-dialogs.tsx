import { useId } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import type { CcList } from '../documents/cc-lists.ts';
import { fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { ccListsText } from './cc-lists-texts.ts';

const text = ccListsText;
const nameLengthMax = 80;

interface DialogProps {
  list: CcList;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Creates a list, or changes all of one. `list`: null for a new one. */
export function CcListDialog({ list, onClose, onDone }: Omit<DialogProps, 'list'> & { list: CcList | null }) {
  const hint = useId();
  const save = async (form: FormData) => {
    const lines = linesOf(String(form.get('people')));
    const body = {
      name: form.get('name'),
      is_default: form.get('default') !== null,
      people: lines.map(({ person }) => person),
    };
    try {
      if (list === null) await api.post('/cc-lists', { body });
      else await api.post('/cc-lists/:id', { params: { id: list.id }, body: { ...body, version: list.version } });
    } catch (failure) {
      throw withLine(failure, lines);
    }
    await onDone();
  };
  return (
    <ConfirmDialog
      title={list === null ? text.newTitle : text.editTitle}
      action={list === null ? text.create : text.save}
      failures={text.failures}
      onClose={onClose}
      onConfirm={save}
    >
      <TextField
        name="name"
        label={text.name}
        defaultValue={list?.name}
        required
        maxLength={nameLengthMax}
        autoComplete="off"
      />
      <TextArea
        name="people"
        label={text.people}
        hint={text.peopleHint}
        defaultValue={list?.people.map(({ name, email }) => `${name} <${email}>`).join('\n')}
        required
        rows={6}
        spellCheck={false}
        autoComplete="off"
      />
      <div>
        <label className="flex items-center gap-3">
          <input
            type="checkbox"
            name="default"
            aria-describedby={hint}
            defaultChecked={list?.is_default}
            className="size-4 shrink-0 accent-accent"
          />
          {text.addsToAll}
        </label>
        <p id={hint} className="mt-1 text-sm text-soft">
          {text.addsToAllHint}
        </p>
      </div>
    </ConfirmDialog>
  );
}

export function DeleteCcListDialog({ list: { id, name }, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      title={text.deleteTitle}
      action={text.delete}
      isDangerous
      onClose={onClose}
      onConfirm={() => api.remove('/cc-lists/:id', { params: { id } }).then(onDone)}
    >
      <p>
        <bdi className="font-semibold wrap-anywhere">{name}</bdi>
      </p>
      <p>{text.deleteText}</p>
    </ConfirmDialog>
  );
}

interface Line {
  number: number;
  person: { name: string; email: string };
}

/** Reads `Ada Lovelace <ada@example.com>`, one a line. Without a name, the address is the name. */
function linesOf(typed: string): Line[] {
  return typed.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [, name = '', address = line] = /^(.*)<([^<>]*)>[\s,;]*$/.exec(line) ?? [];
    const email = address.replace(/[,;]\s*$/, '').trim();
    return [{ number: index + 1, person: { name: name.trim() || email, email } }];
  });
}

/** Names the line of a person who was refused, instead of their place in the list. */
function withLine(failure: unknown, lines: readonly Line[]): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const [, index] = /^people\[(\d+)\]/.exec(failure.param ?? '') ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined
    ? failure
    : new ApiFailure('invalid_person', failure.status, fill(text.wrongLine, { n: line.number }));
}
