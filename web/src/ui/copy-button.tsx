import { useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import { uiText } from './texts.ts';

/** `name`: what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  const words = uiText[outcome ?? 'copy'];
  return (
    <Button
      aria-label={`${words}: ${name}`}
      onClick={async () => {
        setOutcome((await copyText(text)) ? 'copied' : 'notCopied');
        setTimeout(() => setOutcome(null), 2000);
      }}
    >
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />
      {words}
    </Button>
  );
}
