import { fill, formatWhen } from '../language.ts';
import { Badge } from '../ui/status-badge.tsx';
import type { Webhook } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

export function WebhookStatus({ webhook: { paused_by, failing_since } }: { webhook: Webhook }) {
  if (paused_by === 'failures') return <Badge tone="bad">{webhooksText.pausedByFailures}</Badge>;
  if (paused_by !== null) return <Badge tone="warn">{webhooksText.paused}</Badge>;
  if (failing_since !== null) {
    return <Badge tone="bad">{fill(webhooksText.failing, { when: formatWhen(failing_since) })}</Badge>;
  }
  return <Badge tone="good">{webhooksText.active}</Badge>;
}
