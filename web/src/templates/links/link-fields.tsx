import { localMinute, localTimeIn, zoneName } from '../../documents/send-time.tsx';
import { fill } from '../../language.ts';
import { Select, TextField, Tick } from '../../ui/field.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

export type LinkValues = Pick<PublicLinkView, 'name' | 'language' | 'ends_at' | 'documents_max' | 'one_per_email'>;

/** The settings of a link, in a form. `settingsIn` reads them. */
export function LinkFields({ values, title }: { values: LinkValues; title: string }) {
  const { name, language, ends_at, documents_max, one_per_email } = values;
  return (
    <>
      <TextField
        name="name"
        label={linkText.name}
        hint={linkText.nameHint}
        defaultValue={name ?? ''}
        placeholder={title}
        maxLength={400}
        isOptional
        dir="auto"
        autoComplete="off"
      />
      <Select name="language" label={linkText.language} hint={linkText.languageHint} defaultValue={language}>
        <option value="en">{linkText.languages.en}</option>
        <option value="es">{linkText.languages.es}</option>
      </Select>
      <TextField
        name="documents_max"
        label={linkText.max}
        hint={linkText.maxHint}
        defaultValue={documents_max}
        required
        inputMode="numeric"
        maxLength={5}
        autoComplete="off"
      />
      <TextField
        type="datetime-local"
        name="ends_at"
        label={linkText.ends}
        hint={fill(linkText.endsHint, { zone: zoneName() })}
        defaultValue={ends_at === null ? '' : localMinute(new Date(ends_at))}
        max="9999-12-31T23:59"
        isOptional
      />
      <Tick
        name="one_per_email"
        label={linkText.onePerEmail}
        hint={linkText.onePerEmailHint}
        defaultChecked={one_per_email}
      />
    </>
  );
}

/** Returns the body of a request. `stored`: the end that the form began with. */
export function settingsIn(form: FormData, stored: string | null): object {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const max = text('documents_max');
  return {
    name: text('name') || null,
    language: text('language'),
    documents_max: /^\d+$/.test(max) ? Number(max) : max,
    ends_at: text('ends_at') === '' ? null : localTimeIn(form, 'ends_at', stored ?? undefined),
    one_per_email: form.get('one_per_email') !== null,
  };
}

/** Returns the body of a request with what differs from the values that the form began with. */
export function changesIn(form: FormData, began: LinkValues): object {
  const typed = Object.entries(settingsIn(form, began.ends_at));
  return Object.fromEntries(typed.filter(([name, value]) => value !== began[name as keyof LinkValues]));
}
