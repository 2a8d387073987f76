import { confirmEndpoints } from './confirm-endpoints.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import type { ConsoleEndpoint } from './console-endpoint.ts';
import { deliveryEndpoints } from './delivery-endpoints.ts';
import { documentChangeEndpoints } from './document-change-endpoints.ts';
import { documentDraftEndpoints } from './document-draft-endpoints.ts';
import { documentEditEndpoints } from './document-edit-endpoints.ts';
import { documentEndpoints } from './document-endpoints.ts';
import { documentFileEndpoints } from './document-file-endpoints.ts';
import { documentKeepingEndpoints } from './document-keeping-endpoints.ts';
import { eventEndpoints } from './event-endpoints.ts';
import { factorEndpoints } from './factor-endpoints.ts';
import { importEndpoints } from './import-endpoints.ts';
import { keyEndpoints } from './key-endpoints.ts';
import { liveEndpoints } from './live-endpoints.ts';
import { memberEndpoints } from './member-endpoints.ts';
import { ownEndpoints } from './own-endpoints.ts';
import { previewEndpoints } from './preview-endpoints.ts';
import { renderedEndpoints } from './rendered-endpoints.ts';
import { requestLogEndpoints } from './request-log-endpoints.ts';
import { restrictedEndpoints } from './restricted-endpoints.ts';
import { signInEndpoints } from './sign-in-endpoints.ts';
import { templateEndpoints } from './template-endpoints.ts';
import { unlockEndpoints } from './unlock-endpoints.ts';
import { unlockedEndpoints } from './unlocked-endpoints.ts';
import { uploadEndpoints } from './upload-endpoints.ts';
import { usageEndpoints } from './usage-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** All endpoints of the console API. */
export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  ...signInEndpoints,
  ...ownEndpoints,
  ...confirmEndpoints,
  ...factorEndpoints,
  ...memberEndpoints,
  ...connectionEndpoints,
  ...documentEndpoints,
  ...documentFileEndpoints,
  ...documentChangeEndpoints,
  ...documentKeepingEndpoints,
  ...documentDraftEndpoints,
  ...documentEditEndpoints,
  ...templateEndpoints,
  ...previewEndpoints,
  ...unlockEndpoints,
  ...unlockedEndpoints,
  ...renderedEndpoints,
  ...importEndpoints,
  ...uploadEndpoints,
  ...liveEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...usageEndpoints,
  ...restrictedEndpoints,
  ...requestLogEndpoints,
  ...eventEndpoints,
];
