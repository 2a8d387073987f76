import { fill } from '../language.ts';
import { attachText } from './attach-texts.ts';

interface NotTakenProps {
  isTemplate: boolean;
  /** The error code, as `refusalOf` returns it. */
  refused: string;
  onClose?: () => void;
}

/** Says why the PDF of a new document was not attached. */
export function NotTaken({ isTemplate, refused }: NotTakenProps) {
  const { notTaken, notTakenTemplate, failures } = attachText;
  const why = failures[refused] ?? failures[refused.replace(/:.*/, '')] ?? '';
  return (
    <p className="mt-3 rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">
      {fill(isTemplate ? notTakenTemplate : notTaken, { why })}
    </p>
  );
}
