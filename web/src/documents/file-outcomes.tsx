import { useEffect } from 'react';
import { forgetOutcomes, useFileChanges } from './file-changes.ts';

/** The progress of changes of a document's files, and why some were refused. Outcomes are shown once. */
export function FileOutcomes({ id, className }: { id: string; className: string; onClose?: () => void }) {
  const { said, refused } = useFileChanges(id);
  useEffect(() => () => forgetOutcomes(id), [id]);
  return (
    <>
      <p role="status" className={said === '' ? 'sr-only' : `text-sm text-soft ${className}`}>
        {said}
      </p>
      <div role="alert" className={refused.length === 0 ? 'hidden' : className}>
        <ul className="grid gap-2">
          {refused.map((text) => (
            <li key={text} className="rounded-lg bg-bad-wash px-3.5 py-2.5 font-medium break-words text-bad">
              {text}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
