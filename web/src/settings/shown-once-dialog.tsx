import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { shownOnceText } from './shown-once-texts.ts';

interface ShownOnceDialogProps {
  title: string;
  /** What the copy button copies, for screen readers. */
  name: string;
  secret: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Shows a key or secret once. */
export function ShownOnceDialog({ title, name, secret, onClose, children }: ShownOnceDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} width="wide">
      <div className="grid gap-4">
        <p className="rounded-lg bg-warn-wash px-3.5 py-2.5 font-medium text-warn">{shownOnceText.once}</p>
        <CodeBlock code={secret} name={name} />
        {children}
      </div>
      <div className="mt-6 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          {shownOnceText.saved}
        </Button>
      </div>
    </Dialog>
  );
}
