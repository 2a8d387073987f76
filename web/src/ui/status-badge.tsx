import { documentStatusNames } from '../../../src/documents/status-names.ts';
import type { DocumentStatus } from '../documents/types.ts';
import { inLanguage, language } from '../language.ts';

type Tone = 'neutral' | 'active' | 'good' | 'bad' | 'warn';

const tones: Record<Tone, string> = {
  neutral: 'bg-wash text-soft',
  active: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  bad: 'bg-bad-wash text-bad',
  warn: 'bg-warn-wash text-warn',
};

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`inline-block rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${tones[tone]}`}>
      {children}
    </span>
  );
}

const toneOf: Record<DocumentStatus, Tone> = {
  draft: 'neutral',
  in_review: 'warn',
  sent: 'active',
  partially_signed: 'active',
  completed: 'good',
  declined: 'bad',
  voided: 'bad',
  expired: 'warn',
};

export const statusNames = documentStatusNames[language];

export function StatusBadge({ status }: { status: DocumentStatus }) {
  return <Badge tone={toneOf[status]}>{statusNames[status]}</Badge>;
}

const testName = inLanguage('Test', 'Prueba');

/** Marks a document that was sent with a test key. */
export function TestBadge() {
  return <Badge tone="warn">{testName}</Badge>;
}
