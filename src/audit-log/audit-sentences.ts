import { type AccountAction, accountActions } from '../accounts/account-audit.ts';
import { documentTypeName, documentTypes } from '../document-types.ts';
import type { Language } from '../platform/language.ts';

type Detail = Record<string, unknown>;

/** What someone did, after their name: `ada@example.com` `created an API key`. */
const verbs: Record<Language, Record<AccountAction, string>> = {
  en: {
    signed_in: 'signed in',
    company_opened: 'opened the company',
    sign_in_failed: 'was refused when signing in',
    identity_confirmed: 'confirmed who they are',
    session_ended: 'signed out a browser',
    sessions_ended: 'signed out all other browsers',
    password_set: 'set a password',
    password_removed: 'removed a password',
    totp_confirmed: 'set up an authenticator',
    totp_removed: 'removed an authenticator',
    recovery_codes_replaced: 'created new recovery codes',
    passkey_registered: 'added a passkey',
    passkey_removed: 'removed a passkey',
    signature_saved: 'saved a signature or initials of their own',
    saved_signature_removed: 'removed a saved signature or saved initials',
    member_invited: 'invited a member',
    invitation_sent: 'sent an invitation again',
    member_joined: 'joined through single sign-on',
    sign_in_link_created: 'created a sign-in link for a member',
    member_role_changed: 'changed the role of a member',
    member_removed: 'removed a member',
    key_created: 'created an API key',
    key_revoked: 'revoked an API key',
    webhook_added: 'added a webhook endpoint',
    webhook_removed: 'removed a webhook endpoint',
    webhook_paused: 'paused a webhook endpoint',
    webhook_resumed: 'resumed a webhook endpoint',
    webhook_events_chosen: 'chose the events of a webhook endpoint',
    webhook_limited: 'set the rate limit of a webhook endpoint',
    webhook_payload_chosen: 'chose what a webhook endpoint gets of an event',
    webhook_secret_rolled: 'rolled the signing secret of a webhook endpoint',
    webhook_redelivered: 'redelivered webhook events',
    plan_changed: 'changed the plan',
    credits_added: 'added credits',
    account_removed: 'closed the company',
    account_erased: 'erased the company',
    person_erased: 'erased a person',
    types_restricted: 'chose the restricted document types',
    folder_created: 'created a folder',
    folder_renamed: 'renamed a folder',
    folder_opened: 'opened a folder to everyone',
    folder_closed: 'closed a folder to all but its members',
    folder_deleted: 'deleted a folder',
    folder_member_set: 'gave access to a folder',
    folder_member_removed: 'removed access to a folder',
    cc_list_created: 'created a cc list',
    cc_list_changed: 'changed a cc list',
    cc_list_deleted: 'deleted a cc list',
    document_moved: 'moved a document',
    notices_chosen: 'chose the notices that are sent',
    sending_defaults_set: 'set the defaults for expiry and reminders',
    signing_settings_set: 'set how recipients agree and what sealed documents show',
    embed_origins_set: 'set which sites may show signing pages',
    brand_changed: 'changed the branding',
    unlock_asked: 'unlocked a document',
    unlocked_text_changed: 'changed the text of an unlocked document',
    unlocked_text_reverted: 'restored the text of an unlocked document',
    upload_started: 'started an upload',
    migration_started: 'started an import from the e-signature vendor',
    bulk_send_started: 'started a bulk send',
    bulk_send_cancelled: 'cancelled a bulk send',
    bulk_send_stopped: 'stopped a bulk send',
    bulk_send_deleted: 'deleted a file for a bulk send',
    public_link_created: 'made a public link',
    public_link_changed: 'changed a public link',
    public_link_switched_on: 'switched a public link on',
    public_link_switched_off: 'switched a public link off',
    public_link_deleted: 'deleted a public link',
    custom_domain_set: 'chose a host for signing pages',
    custom_domain_activated: 'proved the host for signing pages',
    custom_domain_broken: 'no longer found the proof of the host for signing pages',
    custom_domain_removed: 'removed the host for signing pages',
    sso_set: 'set up single sign-on',
    sso_removed: 'removed single sign-on',
    sso_unlinked: 'unlinked a person from single sign-on',
    sso_domain_added: 'added an e-mail domain',
    sso_domain_proven: 'proved an e-mail domain',
    sso_domain_removed: 'removed an e-mail domain',
    data_export_requested: 'asked for a data export',
    data_export_cancelled: 'cancelled a data export',
    data_export_deleted: 'deleted a data export',
    data_export_downloaded: 'downloaded a data export',
    audit_stream_set: 'set where the audit log is streamed to',
    audit_stream_paused: 'paused the stream of the audit log',
    audit_stream_resumed: 'resumed the stream of the audit log',
    audit_stream_secret_rolled: 'rolled the signing secret of the audit log’s stream',
    audit_stream_removed: 'removed the stream of the audit log',
    own_notices_chosen: 'chose the notices that they get',
    esign_connected: 'connected the e-signature vendor',
    esign_disconnected: 'disconnected the e-signature vendor',
  },
  es: {
    signed_in: 'inició sesión',
    company_opened: 'abrió la empresa',
    sign_in_failed: 'no pudo iniciar sesión',
    identity_confirmed: 'confirmó su identidad',
    session_ended: 'cerró la sesión de un navegador',
    sessions_ended: 'cerró la sesión de los demás navegadores',
    password_set: 'estableció una contraseña',
    password_removed: 'eliminó una contraseña',
    totp_confirmed: 'configuró un autenticador',
    totp_removed: 'eliminó un autenticador',
    recovery_codes_replaced: 'creó nuevos códigos de recuperación',
    passkey_registered: 'añadió una llave de acceso',
    passkey_removed: 'eliminó una llave de acceso',
    signature_saved: 'guardó su firma o sus iniciales',
    saved_signature_removed: 'eliminó una firma o unas iniciales guardadas',
    member_invited: 'invitó a un miembro',
    invitation_sent: 'volvió a enviar una invitación',
    member_joined: 'se unió con el inicio de sesión único',
    sign_in_link_created: 'creó un enlace de inicio de sesión para un miembro',
    member_role_changed: 'cambió el rol de un miembro',
    member_removed: 'eliminó a un miembro',
    key_created: 'creó una clave de API',
    key_revoked: 'revocó una clave de API',
    webhook_added: 'añadió un webhook',
    webhook_removed: 'eliminó un webhook',
    webhook_paused: 'pausó un webhook',
    webhook_resumed: 'reanudó un webhook',
    webhook_events_chosen: 'eligió los eventos de un webhook',
    webhook_limited: 'fijó el límite de envíos de un webhook',
    webhook_payload_chosen: 'eligió qué recibe un webhook de cada evento',
    webhook_secret_rolled: 'renovó el secreto de firma de un webhook',
    webhook_redelivered: 'reenvió eventos de webhook',
    plan_changed: 'cambió el plan',
    credits_added: 'añadió créditos',
    account_removed: 'cerró la empresa',
    account_erased: 'borró la empresa',
    person_erased: 'borró a una persona',
    types_restricted: 'eligió los tipos de documento restringidos',
    folder_created: 'creó una carpeta',
    folder_renamed: 'cambió el nombre de una carpeta',
    folder_opened: 'abrió una carpeta a toda la empresa',
    folder_closed: 'cerró una carpeta a quienes no son sus miembros',
    folder_deleted: 'eliminó una carpeta',
    folder_member_set: 'dio acceso a una carpeta',
    folder_member_removed: 'quitó el acceso a una carpeta',
    cc_list_created: 'creó una lista de copias',
    cc_list_changed: 'cambió una lista de copias',
    cc_list_deleted: 'eliminó una lista de copias',
    document_moved: 'movió un documento',
    notices_chosen: 'eligió los avisos que se envían',
    sending_defaults_set: 'cambió la caducidad y los recordatorios predeterminados',
    embed_origins_set: 'cambió qué sitios pueden mostrar las páginas de firma',
    signing_settings_set: 'cambió cómo aceptan los destinatarios y qué muestran los documentos sellados',
    brand_changed: 'cambió la marca',
    unlock_asked: 'desbloqueó un documento',
    unlocked_text_changed: 'cambió el texto de un documento desbloqueado',
    unlocked_text_reverted: 'restauró el texto de un documento desbloqueado',
    upload_started: 'inició una subida',
    migration_started: 'inició una importación del proveedor de firma',
    bulk_send_started: 'inició un envío masivo',
    bulk_send_cancelled: 'canceló un envío masivo',
    bulk_send_stopped: 'detuvo un envío masivo',
    bulk_send_deleted: 'eliminó un archivo de envío masivo',
    public_link_created: 'creó un enlace público',
    public_link_changed: 'cambió un enlace público',
    public_link_switched_on: 'activó un enlace público',
    public_link_switched_off: 'desactivó un enlace público',
    public_link_deleted: 'eliminó un enlace público',
    custom_domain_set: 'eligió un nombre de servidor para las páginas de firma',
    custom_domain_activated: 'comprobó el nombre de servidor de las páginas de firma',
    custom_domain_broken: 'dejó de encontrar la comprobación del nombre de servidor de las páginas de firma',
    custom_domain_removed: 'eliminó el nombre de servidor de las páginas de firma',
    sso_set: 'configuró el inicio de sesión único',
    sso_removed: 'eliminó el inicio de sesión único',
    sso_unlinked: 'desvinculó a una persona del inicio de sesión único',
    sso_domain_added: 'añadió un dominio de correo',
    sso_domain_proven: 'comprobó un dominio de correo',
    sso_domain_removed: 'eliminó un dominio de correo',
    data_export_requested: 'pidió una exportación de datos',
    data_export_cancelled: 'canceló una exportación de datos',
    data_export_deleted: 'eliminó una exportación de datos',
    data_export_downloaded: 'descargó una exportación de datos',
    audit_stream_set: 'fijó adónde se transmite el registro de auditoría',
    audit_stream_paused: 'pausó la transmisión del registro de auditoría',
    audit_stream_resumed: 'reanudó la transmisión del registro de auditoría',
    audit_stream_secret_rolled: 'renovó el secreto de firma de la transmisión del registro de auditoría',
    audit_stream_removed: 'eliminó la transmisión del registro de auditoría',
    own_notices_chosen: 'eligió los avisos que recibe',
    esign_connected: 'conectó el proveedor de firma',
    esign_disconnected: 'desconectó el proveedor de firma',
  },
};

/** What the operator does to a member, who has no other browser that stays signed in. */
const signedOutAll: Record<Language, string> = {
  en: 'signed out all browsers of a member',
  es: 'cerró la sesión de todos los navegadores de un miembro',
};

/** Words of details. */
const words: Record<Language, Record<string, string>> = {
  en: {},
  es: {
    'details erased': 'detalles borrados',
    owner: 'propietario',
    admin: 'administrador',
    member: 'miembro',
    live: 'producción',
    test: 'prueba',
    password: 'contraseña',
    passkey: 'llave de acceso',
    link: 'enlace',
    second_factor: 'segundo factor',
    'second factor': 'segundo factor',
    totp: 'autenticador',
    authenticator: 'autenticador',
    'recovery code': 'código de recuperación',
    'single sign-on': 'inicio de sesión único',
    'only single sign-on': 'solo inicio de sesión único',
    'other ways to sign in too': 'también otras formas de iniciar sesión',
    'new people': 'personas nuevas',
    settings: 'color y remitente',
    'colour and sender': 'color y remitente',
    logo: 'logotipo',
    text: 'texto de un correo',
    'text of an e-mail': 'texto de un correo',
    none: 'ninguno',
    'no folder': 'sin carpeta',
    viewer: 'lector',
    editor: 'editor',
    'never expires': 'no caduca',
    'expires after days': 'caduca a los días',
    pages: 'páginas',
    people: 'personas',
    files: 'archivos',
    rows: 'filas',
    'rows not sent': 'filas sin enviar',
    'template changed': 'plantilla modificada',
    'template deleted': 'plantilla eliminada',
    'company removed': 'empresa eliminada',
    events: 'eventos',
  },
};

/** Words that are stored as codes, in English. */
const named: Record<string, string> = {
  second_factor: 'second factor',
  totp: 'authenticator',
  recovery_code: 'recovery code',
  sso: 'single sign-on',
  settings: 'colour and sender',
  text: 'text of an e-mail',
  template_changed: 'template changed',
  template_deleted: 'template deleted',
  company_removed: 'company removed',
};

/** Lists what a sentence says about the details. The rest is in the export. */
function detailsOf(action: AccountAction, detail: Detail, language: Language): string[] {
  const say = (word: string) => words[language][named[word] ?? word] ?? named[word] ?? word;
  const text = (name: string) => (typeof detail[name] === 'string' ? [detail[name]] : []);
  const said = (name: string) => text(name).map(say);
  const counted = (name: string, noun = name) =>
    typeof detail[name] === 'number' ? [`${detail[name]} ${say(noun)}`] : [];
  switch (action) {
    case 'signed_in':
      return [...new Set([...said('method'), ...said('second_factor'), ...text('ip')])];
    case 'sign_in_failed':
    case 'identity_confirmed':
      return [...said('method'), ...text('reason'), ...text('ip')];
    case 'member_invited':
    case 'invitation_sent':
    case 'member_joined':
    case 'member_removed':
      return [...text('email'), ...said('role')];
    case 'member_role_changed':
      return [...text('email'), [...said('from'), ...said('to')].join(' → '), ...said('by')].filter(
        (part) => part !== '',
      );
    case 'key_created':
    case 'key_revoked':
      return [...text('hint'), ...said('mode'), ...listOf(detail.scopes)];
    case 'webhook_added':
    case 'webhook_events_chosen':
      return [...text('url'), ...listOf(detail.events)];
    case 'webhook_removed':
    case 'webhook_paused':
    case 'webhook_resumed':
    case 'webhook_secret_rolled':
    case 'audit_stream_set':
    case 'audit_stream_paused':
    case 'audit_stream_resumed':
    case 'audit_stream_secret_rolled':
    case 'audit_stream_removed':
      return text('url');
    case 'webhook_payload_chosen':
      return [...text('url'), `v${detail.payload_version ?? 1}`];
    case 'webhook_limited':
      return [...text('url'), typeof detail.rate_limit === 'number' ? `${detail.rate_limit}/s` : say('none')];
    case 'sso_set':
      return [
        ...text('issuer'),
        ...(typeof detail.is_required === 'boolean'
          ? [say(detail.is_required ? 'only single sign-on' : 'other ways to sign in too')]
          : []),
        ...said('default_role').map((role) => `${say('new people')}: ${role}`),
      ];
    case 'sso_removed':
      return text('issuer');
    case 'sso_unlinked':
    // Entries by the operator name the member.
    case 'session_ended':
    case 'sessions_ended':
    case 'password_set':
    case 'password_removed':
    case 'totp_removed':
    case 'sign_in_link_created':
    case 'saved_signature_removed':
      return text('email');
    case 'custom_domain_set':
    case 'custom_domain_activated':
    case 'custom_domain_broken':
    case 'custom_domain_removed':
      return text('host');
    case 'sso_domain_added':
    case 'sso_domain_proven':
    case 'sso_domain_removed':
      return text('domain');
    case 'webhook_redelivered':
      return counted('redelivered', 'events');
    case 'plan_changed':
      return [[...text('from'), ...text('to')].join(' → ')];
    case 'credits_added':
      return typeof detail.amount === 'number' ? [String(detail.amount)] : [];
    case 'types_restricted':
      return typesOf(detail.types, language) ?? [say('none')];
    case 'sending_defaults_set':
      return typeof detail.expires_in_days === 'number'
        ? [`${say('expires after days')}: ${detail.expires_in_days}`]
        : [say('never expires')];
    case 'brand_changed':
      return [...said('changed'), ...text('accent'), ...text('language')];
    case 'folder_created':
    case 'folder_opened':
    case 'folder_closed':
    case 'folder_deleted':
      return text('name');
    case 'cc_list_created':
    case 'cc_list_changed':
    case 'cc_list_deleted':
      return [
        [...text('from'), ...text('name')].join(' → '),
        ...(typeof detail.people === 'number' ? [`${say('people')}: ${detail.people}`] : []),
      ];
    case 'folder_renamed':
      return [[...text('from'), ...text('name')].join(' → ')];
    case 'folder_member_set':
      return [...text('name'), ...text('email'), ...said('role')];
    case 'folder_member_removed':
      return [...text('name'), ...text('email')];
    case 'document_moved':
      return [
        [detail.from, detail.to].map((name) => (typeof name === 'string' ? name : say('no folder'))).join(' → '),
        ...text('document_id'),
      ];
    case 'unlock_asked':
      return [...counted('pages'), ...text('document_id')];
    case 'unlocked_text_changed':
    case 'unlocked_text_reverted':
      return text('document_id');
    case 'upload_started':
      return counted('files');
    case 'bulk_send_started':
      return counted('rows');
    case 'bulk_send_stopped':
      return [...said('reason'), ...counted('rows', 'rows not sent')];
    case 'public_link_created':
    case 'public_link_changed':
    case 'public_link_deleted':
      return text('name');
    default:
      return [];
  }
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function typesOf(value: unknown, language: Language): string[] | null {
  const types = documentTypes.filter((type) => listOf(value).includes(type));
  return types.length === 0 ? null : types.map((type) => documentTypeName(type, language));
}

/** Returns what someone did, as the end of a sentence: `created an API key: …abcd, live`. */
export function describeAction(action: AccountAction, detail: Detail, language: Language): string {
  const isOfOperator = action === 'sessions_ended' && typeof detail.email === 'string';
  const verb = isOfOperator ? signedOutAll[language] : (verbs[language][action] ?? action);
  const isErased = typeof detail.erased_at === 'string';
  const details = isErased
    ? [words[language]['details erased'] ?? 'details erased']
    : detailsOf(action, detail, language);
  return details.length === 0 ? verb : `${verb}: ${details.join(', ')}`;
}

/** Returns the actions whose sentence has a word in either language. `detailsWithWord` returns the details that have it. */
export function actionsWithWord(word: string): AccountAction[] {
  return accountActions.filter((action) => {
    const sentences = (['en', 'es'] as const).flatMap((language) => [
      verbs[language][action],
      ...countedNouns(action, language),
    ]);
    return hasWord([action, ...sentences], word);
  });
}

const counts = { redelivered: 1, pages: 1, files: 1, rows: 1, people: 1 };

/** Returns what a sentence says with a number: `pages`. */
function countedNouns(action: AccountAction, language: Language): string[] {
  const always = detailsOf(action, {}, language);
  const nouns = detailsOf(action, counts, language).filter((part) => !always.includes(part));
  return nouns.map((noun) => noun.replace('1', ''));
}

/** Returns the stored details that are shown as a text with a word, in either language: `owner` for `propietario`. */
export function detailsWithWord(word: string): string[] {
  return Object.entries(shownDetails).flatMap(([stored, shown]) => (hasWord(shown, word) ? [stored] : []));
}

/** What details are shown as in each language, by what is stored. */
const shownDetails: Record<string, string[]> = {
  ...Object.fromEntries(Object.entries(words.es).map(([english, spanish]) => [english, [english, spanish]])),
  ...Object.fromEntries(
    Object.entries(named).map(([code, english]) => [code, [english, words.es[english] ?? english]]),
  ),
  ...Object.fromEntries(
    documentTypes.map((type) => [type, [documentTypeName(type, 'en'), documentTypeName(type, 'es')]]),
  ),
};

function hasWord(texts: readonly string[], word: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(word.toLowerCase()));
}
