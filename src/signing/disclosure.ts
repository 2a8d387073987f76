// cspell:ignore paper
import { createHash } from 'node:crypto';
import type { ConsentTerms } from '../accounts/signing-settings.ts';
import type { Language } from '../platform/language.ts';

/** The text about signing electronically. Signers accept it, and its version goes into the audit trail. */
export interface Disclosure {
  heading: string;
  points: readonly string[];
}

/** The version that pages show. A changed text needs a new version, and the old text stays in `disclosures`. */
export const disclosureVersion = '2026-11-27';

const withoutScript = {
  en: 'You need a current web browser, a way to receive the message with your link, and a program that shows PDF files.',
  es: 'Necesita un navegador actual, un medio para recibir el mensaje con su enlace y un programa que muestre archivos PDF.',
};

const recordShown = {
  en: 'Your name, the time, your IP address and the description your browser gives of itself are recorded with your signature and shown on the certificate of completion.',
  es: 'Con su firma se registran su nombre, la hora, su dirección IP y la descripción que su navegador da de sí mismo; todo ello figura en el certificado de finalización.',
};

const recordForSender = {
  en: 'Your name, how you are reached, the time, your IP address and the description your browser gives of itself are recorded with your signature. The sender can see all of this. The certificate of completion, which everyone who takes part gets, shows your name and the time, and may show the rest.',
  es: 'Con su firma se registran su nombre, los datos con los que se le localiza, la hora, su dirección IP y la descripción que su navegador da de sí mismo. El remitente puede ver todo ello. El certificado de finalización, que reciben todos los participantes, muestra su nombre y la hora, y puede mostrar lo demás.',
};

type Texts = Record<Language, string>;

/** Writes the text with the requirement and what is recorded, which differ between its versions. */
const textWith = (requirement: Texts, record: Texts): Record<Language, Disclosure> => ({
  en: {
    heading: 'What signing electronically means',
    points: [
      'You sign with your name on this page instead of with a pen on paper. Your electronic signature is meant to bind you in the same way.',
      'Your agreement covers this one document and what belongs to it: the completed copy and messages about it, which reach you electronically.',
      'You need not sign electronically. You can choose Decline, close this page, or ask the sender for another way to sign.',
      'You can take back your agreement at any time before you sign, by not signing and telling the sender. What is signed already stays signed.',
      'When everyone has signed, you can download and keep the completed document from this page. For a copy on paper, and for what it may cost, ask the sender. Ask the sender also to correct how you are reached.',
      requirement.en,
      record.en,
    ],
  },
  es: {
    heading: 'Qué significa firmar electrónicamente',
    points: [
      'Usted firma con su nombre en esta página, en lugar de hacerlo con bolígrafo sobre papel. Su firma electrónica tiene por objeto obligarle del mismo modo.',
      'Su aceptación vale para este documento y lo que le corresponde: la copia completa y los mensajes sobre él, que recibirá por medios electrónicos.',
      'No está obligado a firmar electrónicamente. Puede elegir Rechazar, cerrar esta página o pedir al remitente otra forma de firmar.',
      'Puede retirar su aceptación en cualquier momento antes de firmar: no firme y comuníqueselo al remitente. Lo que ya está firmado sigue firmado.',
      'Cuando todos hayan firmado, podrá descargar y conservar el documento completo desde esta página. Si quiere una copia en papel o saber cuánto cuesta, pídaselo al remitente. Pídale también que corrija los datos con los que se le localiza.',
      requirement.es,
      record.es,
    ],
  },
});

/**
 * All texts by version. An open page may still show an old one, and the certificate of completion prints the text that was
 * accepted.
 */
export const disclosures: ReadonlyMap<string, Record<Language, Disclosure>> = new Map([
  [
    '2026-11',
    textWith(
      {
        en: 'You need a current web browser with JavaScript, a way to receive the message with your link, and a program that shows PDF files.',
        es: 'Necesita un navegador actual con JavaScript, un medio para recibir el mensaje con su enlace y un programa que muestre archivos PDF.',
      },
      recordShown,
    ),
  ],
  ['2026-11-26', textWith(withoutScript, recordShown)],
  [disclosureVersion, textWith(withoutScript, recordForSender)],
]);

/** What recipients agree to with the checkbox of companies that ask for it. A changed sentence needs a new version too. */
export const consentStatement: Record<Language, string> = {
  en: 'I agree to use electronic records and signatures.',
  es: 'Acepto usar documentos electrónicos y la firma electrónica.',
};

/** The first version of pages with the box. A page with an earlier version had none. */
const boxSince = '2026-11-26';

/** Whether a page with the box can have shown this version. Versions are dates, and so compare as text. */
export function canBeTicked(version: string): boolean {
  return version >= boxSince;
}

/** How recipients agree: by ticking a box, or by choosing the button that signs. */
export type ConsentManner = 'ticked' | 'signing';

export type CopiesTerms = Pick<ConsentTerms, 'copies_contact' | 'copies_cost'>;

const noCopiesTerms: CopiesTerms = { copies_contact: null, copies_cost: null };

const copiesPoints = {
  contact: {
    en: (contact: string) => `Contact for printed copies: ${contact}`,
    es: (contact: string) => `Contacto para copias impresas: ${contact}`,
  },
  cost: {
    en: (cost: string) => `Cost of a printed copy: ${cost}`,
    es: (cost: string) => `Coste de una copia impresa: ${cost}`,
  },
};

/** Returns the text that pages show, with what the company says about printed copies. */
export function currentDisclosure(language: Language, terms: CopiesTerms = noCopiesTerms): Disclosure {
  const text = findDisclosure(disclosureVersion, language, terms);
  if (text === null) throw new Error(`no disclosure ${disclosureVersion}`);
  return text;
}

/** Returns the text of a version. Null: there is no such version. */
export function findDisclosure(version: string, language: Language, terms: CopiesTerms): Disclosure | null {
  const text = disclosures.get(version)?.[language];
  if (text === undefined) return null;
  const { copies_contact: contact, copies_cost: cost } = terms;
  return {
    heading: text.heading,
    points: [
      ...text.points,
      ...(contact === null ? [] : [copiesPoints.contact[language](contact)]),
      ...(cost === null ? [] : [copiesPoints.cost[language](cost)]),
    ],
  };
}

/** Returns SHA-256 (hex) of what was agreed to: the heading, the points and the sentence of a ticked box, each on a line. */
export function disclosureSha256({ heading, points }: Disclosure, language: Language, manner: ConsentManner): string {
  const lines = [heading, ...points, ...(manner === 'ticked' ? [consentStatement[language]] : [])];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
