import { inLanguage } from '../language.ts';

const english = {
  heading: 'Embedding',
  intro:
    'Show signing pages inside your own site or application. Only the sites in this list can. A site that frames a signing page could hide what is signed, so list only sites that you run.',
  origins: 'Sites that may show signing pages',
  originsHint: 'One address per line, such as https://app.example.com, without a path. Up to 20.',
  save: 'Save sites',
  saved: 'Saved.',
  failures: {
    'invalid_input:origins':
      'Enter up to 20 addresses, one per line, each with https:// and without a path. Only http://localhost and http://127.0.0.1 may do without https.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  heading: 'Incrustar',
  intro:
    'Muestre las páginas de firma dentro de su propio sitio o aplicación. Solo pueden los sitios de esta lista. Un sitio que enmarca una página de firma podría ocultar lo que se firma, así que incluya solo sitios que usted gestione.',
  origins: 'Sitios que pueden mostrar páginas de firma',
  originsHint: 'Una dirección por línea, por ejemplo https://app.example.com, sin ruta. Hasta 20.',
  save: 'Guardar sitios',
  saved: 'Guardado.',
  failures: {
    'invalid_input:origins':
      'Escriba hasta 20 direcciones, una por línea, cada una con https:// y sin ruta. Solo http://localhost y http://127.0.0.1 pueden ir sin https.',
  },
};

export const embeddingText = inLanguage(english, spanish);
