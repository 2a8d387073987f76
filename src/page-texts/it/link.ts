import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const linkItalian: PageTexts['link'] = {
  from: (sender) => html`Da ${sender}`,
  lead: (sender) =>
    html`Inserisca il Suo nome e il Suo indirizzo e-mail. Le inviamo un codice, così ${sender} sa che l’indirizzo è Suo. Poi potrà leggere e firmare il documento. Non serve alcun account.`,
  name: 'Nome e cognome',
  nameHint: 'Come deve comparire nel documento.',
  email: 'Indirizzo e-mail',
  emailHint: 'Qui arrivano il codice e un link al Suo documento.',
  sendCode: 'Invia codice',
  personal: 'Ogni persona che apre questa pagina firma un documento proprio.',
  codeHeading: 'Inserisca il codice',
  codeSent: (address) => html`Abbiamo inviato un codice di 6 cifre a ${address}.`,
  codeHint: 'Vale 10 minuti. Se non vede l’e-mail, controlli la cartella della posta indesiderata.',
  code: 'Codice di verifica',
  continue: 'Continua',
  newCode: 'Invia un nuovo codice',
  otherAddress: 'Usa un altro indirizzo',
  sentAgain: 'Abbiamo inviato un nuovo codice. I precedenti non valgono più.',
  noCookie:
    'Il Suo browser non ha conservato il nostro cookie, quindi non può inserire il codice inviato. Consenta i cookie per questa pagina e chieda un nuovo codice.',
  ownTab: 'Oppure apra questa pagina in una scheda a parte',
  closed: {
    off: {
      title: 'Al momento non disponibile',
      text: (sender) => html`Ora nessuno può firmare con questo link. Si rivolga a ${sender}.`,
    },
    unavailable: {
      title: 'Al momento non disponibile',
      text: (sender) => html`Ora nessuno può firmare con questo link. Si rivolga a ${sender}.`,
    },
    ended: {
      title: 'Questo link è scaduto',
      text: (sender) =>
        html`Il termine per firmare con questo link è passato. Se vuole ancora firmare, si rivolga a ${sender}. Se ha già un documento, lo apra con il link ricevuto per e-mail.`,
    },
    used_up: {
      title: 'Posti esauriti',
      text: (sender) =>
        html`Questo link è già stato usato da tutte le persone previste. Se vuole firmare anche Lei, si rivolga a ${sender}. Se ha già un documento, lo apra con il link ricevuto per e-mail.`,
    },
  },
  errors: {
    invalid_name: 'Inserisca il nome su una riga, al massimo 120 caratteri.',
    invalid_email: 'Inserisca un indirizzo e-mail, per esempio ada@example.com.',
    invalid_code: 'Questo codice è errato o non vale più. Dopo 5 codici errati, ne richieda uno nuovo.',
    already_used: (sender) =>
      html`A un’altra persona è stato chiesto di firmare il documento di questo indirizzo. Per domande, contatti ${sender}.`,
    too_many: 'Ci sono stati troppi tentativi. Attenda un po’ e riprovi.',
    code_not_sent: 'Non è stato possibile inviare il codice. Controlli l’indirizzo o riprovi più tardi.',
    mail_unavailable: 'Al momento non è possibile inviare il codice. Riprovi tra qualche minuto.',
  },
};
