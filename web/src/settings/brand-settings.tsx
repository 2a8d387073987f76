import { type FormEvent, useId, useState } from 'react';
import { accentColours, accentPattern } from '../../../src/branding/accent.ts';
import { api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';
import { controlClass, TextField, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import type { Branding, ChangeBranding } from './branding.ts';
import { brandingText } from './branding-texts.ts';
import { SaveRow } from './save-row.tsx';
import { withoutSent } from './use-changes.ts';

const ownAccent = '#22407a';

/** The form for colour, sender name and reply address, with a preview of the colour. */
export function BrandSettings({ branding, change }: { branding: Branding; change: ChangeBranding }) {
  const [edits, setEdits] = useState<Partial<Branding>>({});
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const enter = (changes: Partial<Branding>) => {
    setEdits((others) => ({ ...others, ...changes }));
    setSaid('');
  };
  const entered = { ...branding, ...edits };
  const isTypedAfter = Object.keys(edits).length > 0;
  useLeaveQuestion(() => isTypedAfter);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    setSaid('');
    const { accent, sender_name, reply_to, always_reply_to } = entered;
    const problem = await change(({ version }) =>
      api.post('/branding', { body: { version, accent, sender_name, reply_to, always_reply_to } }),
    );
    setFailure(problem);
    if (problem === null) {
      setEdits((now) => withoutSent(now, edits));
      setSaid(brandingText.saved);
    }
    setSaving(false);
  };
  return (
    <section className="grid gap-3" aria-labelledby="brand-look">
      <h2 id="brand-look" className="text-lg font-semibold">
        {brandingText.look}
      </h2>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <form className="grid max-w-2xl gap-5" noValidate onSubmit={save}>
          <AccentField accent={entered.accent} onChange={(accent) => enter({ accent })} />
          <TextField
            label={brandingText.senderName}
            hint={brandingText.senderNameHint}
            isOptional
            autoComplete="off"
            value={entered.sender_name}
            onChange={({ target }) => enter({ sender_name: target.value })}
          />
          <TextField
            label={brandingText.replyTo}
            hint={brandingText.replyToHint}
            isOptional
            type="email"
            autoComplete="off"
            value={entered.reply_to}
            onChange={({ target }) => enter({ reply_to: target.value })}
          />
          <Tick
            label={brandingText.alwaysReplyTo}
            hint={brandingText.alwaysReplyToHint}
            checked={entered.always_reply_to}
            onChange={({ target }) => enter({ always_reply_to: target.checked })}
          />
          <Problem of={failure} failures={brandingText.failures} />
          <SaveRow name={brandingText.save} isSaving={isSaving} said={isTypedAfter ? '' : said} />
        </form>
        <AccentPreview accent={entered.accent} logo={branding.logo} />
      </div>
    </section>
  );
}

function AccentField({ accent, onChange }: { accent: string; onChange: (accent: string) => void }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {brandingText.accent}
      </label>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={brandingText.pickAccent}
          value={colourOf(accent)}
          onChange={({ target }) => onChange(target.value)}
          className="h-10 w-12 shrink-0 cursor-pointer rounded-lg border border-edge bg-page p-1 max-lg:h-11"
        />
        <input
          id={id}
          className={controlClass}
          value={accent}
          placeholder={ownAccent}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        {brandingText.accentHint}
      </p>
    </div>
  );
}

function colourOf(accent: string): string {
  const colour = accent.trim().toLowerCase();
  return accentPattern.test(colour) ? colour : ownAccent;
}

/** A piece of a signing page in both themes. */
function AccentPreview({ accent, logo }: { accent: string; logo: Branding['logo'] }) {
  const { light, dark } = accentColours(colourOf(accent));
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">{brandingText.preview}</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        <Sample name={brandingText.light} sheet="#fffefb" ink="#1b1f29" soft="#565c69" colours={light} logo={logo} />
        <Sample name={brandingText.dark} sheet="#1b1e25" ink="#ebe9e3" soft="#a9aeba" colours={dark} logo={logo} />
      </div>
    </div>
  );
}

interface SampleProps {
  name: string;
  sheet: string;
  ink: string;
  soft: string;
  colours: ReturnType<typeof accentColours>['light'];
  logo: Branding['logo'];
}

function Sample({ name, sheet, ink, soft, colours, logo }: SampleProps) {
  const { account } = useMe();
  return (
    <div className="grid gap-3 rounded-xl border border-rule p-4" style={{ background: sheet, color: ink }}>
      <p className="text-xs" style={{ color: soft }}>
        {name}
      </p>
      {logo === null ? (
        <p className="font-semibold break-words">{account.display_name}</p>
      ) : (
        <p>
          <span className="inline-block rounded-md p-1" style={{ background: '#fff' }}>
            <img
              src={logo.address}
              width={logo.width}
              height={logo.height}
              alt=""
              className="h-auto max-h-11 w-auto max-w-full"
            />
          </span>
        </p>
      )}
      <p className="font-serif text-lg">{brandingText.sampleTitle}</p>
      <p>
        <span
          className="inline-block rounded-lg border px-4 py-2 font-semibold"
          style={{ background: colours.fill, color: colours.onFill, borderColor: colours.fillEdge }}
        >
          {brandingText.sampleButton}
        </span>
      </p>
      <p className="text-sm underline" style={{ color: colours.text }}>
        {brandingText.sampleLink}
      </p>
    </div>
  );
}
