import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { uiText } from './texts.ts';

/** `name`: what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      aria-label={`${isCopied ? uiText.copied : uiText.copy}: ${name}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), 2000);
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
      {isCopied ? uiText.copied : uiText.copy}
    </Button>
  );
}
