import type { DeliveryError as Failure } from '../../../src/message-log/message-json.ts';
import { deliveryText } from './delivery-texts.ts';

/** Why a message was not delivered, in plain words. The reply of the server opens below. */
export function DeliveryError({ error }: { error: Failure }) {
  return (
    <details className="text-sm">
      <summary className="min-h-6">{error.text}</summary>
      <p className="mt-1 text-soft">
        {deliveryText.reply}: <code className="font-mono text-xs wrap-anywhere">{error.reply}</code>
      </p>
    </details>
  );
}
