import { contactEndpoints } from '../documents/contact-endpoints.ts';
import { documentChangeEndpoints } from '../documents/document-change-endpoints.ts';
import { documentDraftEndpoints } from '../documents/document-draft-endpoints.ts';
import { documentEndpoints } from '../documents/document-endpoints.ts';
import { documentFileEndpoints } from '../documents/document-file-endpoints.ts';
import { documentListEndpoints } from '../documents/document-list-endpoints.ts';
import { documentPartEndpoints } from '../documents/document-part-endpoints.ts';
import { folderEndpoints } from '../documents/folder-endpoints.ts';
import { moveEndpoints } from '../documents/move-endpoints.ts';
import { previewEndpoints } from '../documents/preview-endpoints.ts';
import { reviewEndpoints } from '../documents/review-endpoints.ts';
import { viewEndpoints } from '../documents/view-endpoints.ts';
import { importEndpoints } from '../imports/import-endpoints.ts';
import { uploadEndpoints } from '../imports/upload-endpoints.ts';
import { operatorEndpoints } from '../operator/operator-endpoints.ts';
import { auditLogEndpoints } from '../settings/audit-log-endpoints.ts';
import { auditStreamEndpoints } from '../settings/audit-stream-endpoints.ts';
import { brandingEndpoints } from '../settings/branding-endpoints.ts';
import { ccListEndpoints } from '../settings/cc-list-endpoints.ts';
import { connectionEndpoints } from '../settings/connection-endpoints.ts';
import { customDomainEndpoints } from '../settings/custom-domain-endpoints.ts';
import { dataExportEndpoints } from '../settings/data-export-endpoints.ts';
import { deliveryEndpoints } from '../settings/delivery-endpoints.ts';
import { embeddingEndpoints } from '../settings/embedding-endpoints.ts';
import { eventEndpoints } from '../settings/event-endpoints.ts';
import { eventLogEndpoints } from '../settings/event-log-endpoints.ts';
import { factorEndpoints } from '../settings/factor-endpoints.ts';
import { keyEndpoints } from '../settings/key-endpoints.ts';
import { memberEndpoints } from '../settings/member-endpoints.ts';
import { messageLogEndpoints } from '../settings/message-log-endpoints.ts';
import { noticeEndpoints } from '../settings/notice-endpoints.ts';
import { ownEndpoints } from '../settings/own-endpoints.ts';
import { ownNoticeEndpoints } from '../settings/own-notice-endpoints.ts';
import { ownSignatureEndpoints } from '../settings/own-signature-endpoints.ts';
import { requestLogEndpoints } from '../settings/request-log-endpoints.ts';
import { restrictedEndpoints } from '../settings/restricted-endpoints.ts';
import { sendingEndpoints } from '../settings/sending-endpoints.ts';
import { signingEndpoints } from '../settings/signing-endpoints.ts';
import { ssoEndpoints } from '../settings/sso-endpoints.ts';
import { usageEndpoints } from '../settings/usage-endpoints.ts';
import { webhookEndpoints } from '../settings/webhook-endpoints.ts';
import { confirmEndpoints } from '../sign-in/confirm-endpoints.ts';
import { signInEndpoints } from '../sign-in/sign-in-endpoints.ts';
import { ssoSignInEndpoints } from '../sign-in/sso-sign-in-endpoints.ts';
import { bulkSendEndpoints } from '../templates/bulk-send-endpoints.ts';
import { publicLinkEndpoints } from '../templates/public-link-endpoints.ts';
import { templateEndpoints } from '../templates/template-endpoints.ts';
import { renderedEndpoints } from '../unlocked/rendered-endpoints.ts';
import { unlockEndpoints } from '../unlocked/unlock-endpoints.ts';
import { unlockedEndpoints } from '../unlocked/unlocked-endpoints.ts';
import { liveEndpoints } from './live-endpoints.ts';

/** All endpoints of the console API. */
export const consoleEndpoints = [
  ...signInEndpoints,
  ...ssoSignInEndpoints,
  ...ownEndpoints,
  ...confirmEndpoints,
  ...factorEndpoints,
  ...memberEndpoints,
  ...connectionEndpoints,
  ...documentListEndpoints,
  ...viewEndpoints,
  ...documentEndpoints,
  ...documentFileEndpoints,
  ...documentPartEndpoints,
  ...contactEndpoints,
  ...folderEndpoints,
  ...ccListEndpoints,
  ...moveEndpoints,
  ...documentChangeEndpoints,
  ...reviewEndpoints,
  ...documentDraftEndpoints,
  ...templateEndpoints,
  ...bulkSendEndpoints,
  ...publicLinkEndpoints,
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
  ...noticeEndpoints,
  ...ownNoticeEndpoints,
  ...ownSignatureEndpoints,
  ...sendingEndpoints,
  ...signingEndpoints,
  ...embeddingEndpoints,
  ...brandingEndpoints,
  ...customDomainEndpoints,
  ...ssoEndpoints,
  ...requestLogEndpoints,
  ...eventEndpoints,
  ...eventLogEndpoints,
  ...auditLogEndpoints,
  ...auditStreamEndpoints,
  ...messageLogEndpoints,
  ...dataExportEndpoints,
  ...operatorEndpoints,
];

type Endpoint = (typeof consoleEndpoints)[number];

/** The answer to each route, such as `GET /documents/:id`. The console's pages take their types from here. */
export type ConsoleAnswers = {
  [Each in Endpoint as Each['route']]: Awaited<ReturnType<Each['handle']>>;
};
