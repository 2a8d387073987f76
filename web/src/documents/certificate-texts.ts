import { inLanguage } from '../language.ts';

const english = {
  title: 'Complete certificate',
  preparing: 'Preparing the download…',
  failures: {
    no_complete_certificate:
      'A person was erased in this document, so it has no complete certificate. The sealed PDF has the certificate without the erased data.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: 'Certificado completo',
  preparing: 'Preparando la descarga…',
  failures: {
    no_complete_certificate:
      'Se eliminaron los datos de una persona de este documento, así que no tiene certificado completo. El PDF sellado contiene el certificado sin esos datos.',
  },
};

export const certificateText = inLanguage(english, spanish);
