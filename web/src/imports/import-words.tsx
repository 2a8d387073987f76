import { fill } from '../language.ts';
import { Badge } from '../ui/status-badge.tsx';
import { importsText } from './texts.ts';
import type { ImportView, Starter } from './types.ts';

export function ImportStatus({ of: { status, failed } }: { of: ImportView }) {
  if (status === 'running') return <Badge tone="active">{importsText.statuses.running}</Badge>;
  if (failed > 0) return <Badge tone="warn">{importsText.withFailures}</Badge>;
  return <Badge tone="good">{importsText.statuses.finished}</Badge>;
}

export function starterName(starter: Starter | null): string {
  if (starter === null) return importsText.byOperator;
  if (starter.kind === 'person') return starter.email;
  return starter.name === null ? importsText.byUnnamedKey : fill(importsText.byKey, { name: starter.name });
}
