import { type InputHTMLAttributes, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import { uiText } from './texts.ts';

interface Labelled {
  label: string;
  hint?: string | undefined;
  isOptional?: boolean;
}

interface Checked extends Labelled {
  /** What is wrong with the value. */
  error?: string | undefined;
}

export const controlClass =
  'block w-full min-h-10 max-lg:min-h-11 rounded-lg border border-edge bg-page px-3 py-1.5 text-ink aria-invalid:border-bad';

function Label({ htmlFor, label, isOptional }: { htmlFor: string; label: string; isOptional?: boolean | undefined }) {
  return (
    <label htmlFor={htmlFor} className="mb-1 block text-sm font-semibold">
      {label}
      {isOptional && <span className="font-normal text-soft"> ({uiText.optional})</span>}
    </label>
  );
}

function Hint({ id, hint }: { id: string; hint: string | undefined }) {
  if (hint === undefined) return null;
  return (
    <p id={id} className="mt-1 text-sm text-soft">
      {hint}
    </p>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={id} className="mt-1 text-sm font-medium text-bad">
      {error}
    </p>
  );
}

/** The attributes of an input that its error and hint describe. */
function describedBy(id: string, { error, hint }: Pick<Checked, 'error' | 'hint'>) {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(
    (each) => each !== false,
  );
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error === undefined ? undefined : true,
  };
}

export function TextField({
  label,
  hint,
  error,
  isOptional,
  ...rest
}: Checked & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div>
      <Label htmlFor={id} label={label} isOptional={isOptional} />
      <input id={id} className={controlClass} {...describedBy(id, { error, hint })} {...rest} />
      <FieldError id={`${id}-error`} error={error} />
      <Hint id={`${id}-hint`} hint={hint} />
    </div>
  );
}

export function TextArea({
  label,
  hint,
  error,
  isOptional,
  ...rest
}: Checked & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div>
      <Label htmlFor={id} label={label} isOptional={isOptional} />
      <textarea id={id} rows={3} className={controlClass} {...describedBy(id, { error, hint })} {...rest} />
      <FieldError id={`${id}-error`} error={error} />
      <Hint id={`${id}-hint`} hint={hint} />
    </div>
  );
}

export function Select({ label, hint, isOptional, ...rest }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div>
      <Label htmlFor={id} label={label} isOptional={isOptional} />
      <select id={id} className={controlClass} aria-describedby={hint && `${id}-hint`} {...rest} />
      <Hint id={`${id}-hint`} hint={hint} />
    </div>
  );
}

/** A checkbox with its label and hint next to it. */
export function Tick({
  label,
  hint,
  ...rest
}: Required<Pick<Labelled, 'label' | 'hint'>> & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex items-start gap-3">
      <input type="checkbox" className="mt-1 size-4 shrink-0 accent-accent" {...rest} />
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        <span className="block text-sm text-soft">{hint}</span>
      </span>
    </label>
  );
}
