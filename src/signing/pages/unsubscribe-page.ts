import type { SenderNoticeKind } from '../../accounts/own-notices.ts';
import { type Html, html } from '../../http/html.ts';
import type { Language } from '../../platform/language.ts';
import { personText } from './masthead.ts';
import { renderNotice } from './notice-pages.ts';

interface UnsubscribeView {
  language: Language;
  accountName: string;
  kind: SenderNoticeKind;
  /** Whether the notice is switched off already. */
  isOff: boolean;
}

interface Texts {
  title: string;
  /** After "e-mails when" of the company's documents. */
  kinds: Record<SenderNoticeKind, string>;
  question: (account: Html, when: string) => Html;
  action: string;
  doneTitle: string;
  done: (account: Html, when: string) => Html;
  back: string;
}

const en: Texts = {
  title: 'Switch off these e-mails?',
  kinds: {
    sender_completed: 'a document that you sent is completed',
    sender_declined: 'a recipient declines a document that you sent',
    sender_bounced: 'an e-mail about a document that you sent comes back',
    sender_delegated: 'a recipient names someone else for a document that you sent',
    sender_commented: 'a recipient writes a comment about a document that you sent',
  },
  question: (account, when) => html`You will get no more e-mails from ${account} when ${when}.`,
  action: 'Switch off',
  doneTitle: 'Switched off',
  done: (account, when) => html`You will get no more e-mails from ${account} when ${when}.`,
  back: 'You can switch them on again in the console, in your account.',
};

const es: Texts = {
  title: '¿Desactivar estos correos?',
  kinds: {
    sender_completed: 'se complete un documento que usted envió',
    sender_declined: 'un destinatario rechace un documento que usted envió',
    sender_bounced: 'se devuelva un correo sobre un documento que usted envió',
    sender_delegated: 'un destinatario indique a otra persona para un documento que usted envió',
    sender_commented: 'un destinatario escriba un comentario sobre un documento que usted envió',
  },
  question: (account, when) => html`Ya no recibirá correos de ${account} cuando ${when}.`,
  action: 'Desactivar',
  doneTitle: 'Desactivado',
  done: (account, when) => html`Ya no recibirá correos de ${account} cuando ${when}.`,
  back: 'Puede volver a activarlos en la consola, en su cuenta.',
};

const texts: Record<Language, Texts> = { en, es };

/** Members read the console's languages. */
const noMenu = { hasMenu: false };

/** Renders the page of a link in a notice: the question, or that the notice is off. */
export function renderUnsubscribePage({ language, accountName, kind, isOff }: UnsubscribeView): string {
  const text = texts[language];
  const [account, when] = [personText(accountName), text.kinds[kind]];
  if (isOff)
    return renderNotice(
      language,
      text.doneTitle,
      html`<p>${text.done(account, when)}</p>\n<p>${text.back}</p>`,
      noMenu,
    );
  return renderNotice(
    language,
    text.title,
    html`<p>${text.question(account, when)}</p>
<form method="post" action=""><button class="button button-primary" type="submit">${text.action}</button></form>`,
    noMenu,
  );
}
